#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/net.h"

/* What the workload opened for its children is not for servers. */
static void
close_workload_fds(const struct plan *plan)
{
	for (size_t i = 0; i < plan->nsetups; i++)
		if (plan->setups[i].kind == SETUP_OPEN)
			close(plan->setups[i].open.fd);
}

/* ---- resources --------------------------------------------------------- */

static void
server_main(struct lab *lab, struct server *server)
{
	close_workload_fds(lab->plan);
	if (lab->options->cpus && !server->options[SERVER_CPU].text)
		server->options[SERVER_CPU].text = lab->options->cpus;
	server_run(server);
}

static int
start_server(struct lab *lab, const struct resource *resource, size_t index,
             struct errmsg *why)
{
	struct lab_server *own = &lab->servers[index];
	const char *path = NULL;
	pid_t pid;

	if (lab->scratch.dir[0])
		path = arena_printf(lab->arena, "%s/%s.socket",
		                    lab->scratch.dir, resource->name);
	own->name = resource->name;
	own->server.kind = resource->server->id;
	own->server.board = arena_alloc(lab->arena,
	                                sizeof(*own->server.board));
	memcpy(own->server.options, resource->options,
	       sizeof(own->server.options));
	if (own->server.kind == NET_UNIX && !path)
		return errmsg_set(why, "cannot serve on a unix socket: "
		                  "there is no scratch folder");
	if (server_open(&own->server, path, why) < 0)
		return -1;
	pid = guard_fork(&lab->guard, SIGKILL);
	if (pid == 0)
		server_main(lab, &own->server);
	if (pid < 0) {
		server_close(&own->server);
		return errmsg_errno(why, "cannot make the server's process");
	}
	own->pid = pid;
	lab->values[index] = own->server.address;
	return 0;
}

/* What fails here skips the steps that name it. */
static void
set_resource(struct lab *lab, size_t index)
{
	const struct resource *resource = &lab->plan->resources[index];
	uint64_t seed = resource->seed + (uint64_t)lab->context.seed;
	struct errmsg why;
	int result = -1;

	switch (resource->kind) {
	case RESOURCE_FILE:
		result = scratch_file(&lab->scratch, lab->arena,
		                      resource->name, resource->size, seed,
		                      &lab->values[index], &why);
		break;
	case RESOURCE_DIR:
		result = scratch_dir(&lab->scratch, lab->arena,
		                     resource->name, &lab->values[index],
		                     &why);
		break;
	case RESOURCE_SERVER:
		result = start_server(lab, resource, index, &why);
		break;
	}
	if (result == 0)
		return;
	lab->values[index] = NULL;
	lab->faults[index] = arena_printf(lab->arena, "%s", why.text);
}

/* ---- the other lines --------------------------------------------------- */

static int
open_target(const char *target, enum redir_kind mode, struct errmsg *why)
{
	struct stat st;
	int flags = mode == REDIR_IN ? O_RDONLY :
	            mode == REDIR_OUT ? O_WRONLY | O_CREAT | O_TRUNC :
	            mode == REDIR_APPEND ? O_WRONLY | O_CREAT | O_APPEND :
	            O_RDWR | O_CREAT;
	int fd;

	if (net_is_tcp(target) ||
	    (stat(target, &st) == 0 && S_ISSOCK(st.st_mode)))
		return net_connect(target, why);
	/* A fifo's other end may never come. */
	fd = open(target, flags | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd < 0)
		return errmsg_errno(why, "cannot open %s", target);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

static int
set_open(struct lab *lab, const struct open_fd *open_fd)
{
	const char *target;
	struct errmsg why;
	int fd;

	for (size_t i = 0; i < open_fd->target.npieces; i++) {
		const struct piece *piece = &open_fd->target.pieces[i];

		if (!piece->text && !lab->values[piece->resource])
			return lab_trouble(lab, 1, "%s",
			                   lab->faults[piece->resource]);
	}
	/* Where few descriptors are allowed, forkload's own are among these. */
	if (fcntl(open_fd->fd, F_GETFD) >= 0)
		return lab_trouble(lab, 1, "descriptor %d is forkload's own: "
		                   "the limit of descriptors is too low",
		                   open_fd->fd);
	target = word_expand(lab->arena, &open_fd->target, lab->values);
	fd = open_target(target, open_fd->mode, &why);
	if (fd < 0)
		return lab_trouble(lab, 1, "%s", why.text);
	/* dup2 leaves the copy open for the children. */
	if (fd != open_fd->fd) {
		if (dup2(fd, open_fd->fd) < 0)
			return lab_trouble(lab, 1, "cannot open %s as "
			                   "descriptor %d: %s", target,
			                   open_fd->fd, strerror(errno));
		close(fd);
	} else {
		fcntl(fd, F_SETFD, 0);
	}
	return 0;
}

static int
set_background(struct lab *lab, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		pid_t pid = guard_fork(&lab->guard, SIGKILL);

		if (pid == 0) {
			close_workload_fds(lab->plan);
			for (;;)
				pause();
		}
		if (pid < 0)
			return lab_trouble(lab, 1, "cannot make idle process "
			                   "%lld of %lld: %s",
			                   (long long)i + 1, (long long)count,
			                   strerror(errno));
	}
	return 0;
}

static int
set_need(struct lab *lab, const struct condition_use *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!condition_holds(&list[i]))
			return lab_trouble(lab, 4, "skipped: it needs %s",
			                   list[i].text);
	return 0;
}

int
lab_command_build(struct lab *lab, const struct script *script,
                  const char *name, struct lab_command *command)
{
	const char *lacking;
	struct errmsg why;

	command->name = name;
	if (job_build_prepare(&lab->context, script, &command->program,
	                      &lacking, &why) < 0)
		return lab_trouble(lab, 125, "%s", why.text);
	return lacking ? lab_trouble(lab, 1, "%s: %s", name, lacking) : 0;
}

int
lab_command_run(struct lab *lab, const struct lab_command *command)
{
	const char *output;
	char text[512];

	switch (runner_prepare(lab, &command->program)) {
	case ORDER_DONE:
		return 0;
	case ORDER_ENDED:
		return -1;
	case ORDER_FAILED:
		break;
	}
	failure_text(&lab->board->failure, text, sizeof(text));
	output = runner_output(lab);
	return lab_trouble(lab, 1, "%s: %s%s%s", command->name, text,
	                   output ? "\n" : "", output ? output : "");
}

static int
set_prepare(struct lab *lab, const struct script *script)
{
	struct lab_command command;

	return lab_command_build(lab, script, "prepare", &command) < 0 ? -1 :
	       lab_command_run(lab, &command);
}

int
lab_set_up(struct lab *lab)
{
	for (size_t i = 0; i < lab->plan->nsetups; i++) {
		const struct setup *setup = &lab->plan->setups[i];
		int result = 0;

		switch (setup->kind) {
		case SETUP_RESOURCE:
			set_resource(lab, setup->resource);
			break;
		case SETUP_OPEN:
			result = set_open(lab, &setup->open);
			break;
		case SETUP_BACKGROUND:
			result = set_background(lab, setup->background);
			break;
		case SETUP_NEED:
			result = set_need(lab, setup->need.list,
			                  setup->need.count);
			break;
		case SETUP_PREPARE:
			result = set_prepare(lab, &setup->prepare);
			break;
		}
		if (result < 0 || lab_is_over(lab))
			return -1;
	}
	return 0;
}

/* ---- servers, later ---------------------------------------------------- */

int
lab_check_servers(struct lab *lab)
{
	for (size_t i = 0; i < lab->plan->nresources; i++) {
		struct lab_server *own = &lab->servers[i];
		int status;

		if (!own->pid || waitpid(own->pid, &status, WNOHANG) <= 0)
			continue;
		own->pid = 0;
		if (WIFSIGNALED(status))
			return lab_trouble(lab, 1, "the server '%s' died: "
			                   "killed by signal %d (%s)",
			                   own->name, WTERMSIG(status),
			                   strsignal(WTERMSIG(status)));
		return lab_trouble(lab, 1, "the server '%s' died: exited "
		                   "with %d", own->name, WEXITSTATUS(status));
	}
	return 0;
}

int
lab_ask_servers(struct lab *lab, struct usage *usages)
{
	for (size_t i = 0; i < lab->plan->nresources; i++) {
		struct lab_server *own = &lab->servers[i];

		if (!own->pid)
			continue;
		if (server_ask(&own->server) < 0)
			return lab_trouble(lab, 1, "the server '%s' does not "
			                   "answer", own->name);
		usages[i] = own->server.board->usage;
	}
	return 0;
}

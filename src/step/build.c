#include "job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "step/program.h"
#include "sys/knob.h"

#define DEFAULT_SHELL "/bin/sh"
#define MOST_PLACES   65536

/* A step being built. */
struct build {
	const struct job_context *context;
	const struct settings *step;
	struct job *job;
	struct errmsg *why;
};

static struct arena *
arena_of(const struct build *build)
{
	return build->context->arena;
}

/* ---- what a step cannot have ------------------------------------------- */

/* The first reason is kept: a step is skipped once. */
static void
skip(struct build *build, int status, const char *reason)
{
	if (build->job->skip)
		return;
	build->job->skip = reason;
	build->job->skip_status = status;
}

/* A word in full; a resource that failed makes the step one to skip. */
static const char *
expand(struct build *build, const struct word *word)
{
	const struct job_context *context = build->context;

	for (size_t i = 0; i < word->npieces; i++) {
		size_t r = word->pieces[i].resource;

		if (word->pieces[i].text || context->values[r])
			continue;
		skip(build, 0, arena_printf(context->arena, "$%s: %s",
		                            context->plan->resources[r].name,
		                            context->faults[r]));
		return "";
	}
	return word_expand(context->arena, word, context->values);
}

/* ---- knobs ------------------------------------------------------------- */

static int64_t
number(const struct settings *settings, int id, int64_t otherwise)
{
	const struct setting *setting = settings_find(settings, id, "");

	return setting ? setting->value.n : otherwise;
}

static enum spawn_method
method_of(struct build *build, const struct settings *settings)
{
	int64_t like = number(settings, KNOB_LIKE, -1);
	int64_t method = number(settings, KNOB_SPAWN,
	                        like >= 0 && likes[like].vforks ?
	                        SPAWN_VFORK : SPAWN_FORK);

	if (method == SPAWN_FORK && !build->context->can_fork) {
		build->job->no_mmu = true;
		return SPAWN_VFORK;
	}
	return (enum spawn_method)method;
}

static void
note_method(struct job *job, enum spawn_method method)
{
	const char *name = spawn_method_names[method];

	if (job->method && strcmp(job->method, name) != 0)
		name = "mixed";
	job->method = name;
}

/* The first descriptor above all that the workload opened itself. */
static int
first_free_fd(const struct build *build, const struct spawn *spawn)
{
	const struct plan *plan = build->context->plan;
	int highest = 2;

	for (size_t i = 0; i < plan->nsetups; i++)
		if (plan->setups[i].kind == SETUP_OPEN &&
		    plan->setups[i].open.fd > highest)
			highest = plan->setups[i].open.fd;
	for (size_t i = 0; i < spawn->nactions; i++)
		if (spawn->actions[i].fd > highest)
			highest = spawn->actions[i].fd;
	return highest + 1;
}

static void
set_knobs(struct build *build, const struct settings *settings,
          struct program *program)
{
	struct spawn *spawn = &program->spawn;
	struct spawn_knob *list = NULL;
	const struct setting *dir = settings_find(settings, KNOB_DIR, "");

	spawn->method = method_of(build, settings);
	spawn->timeout_ns = number(settings, KNOB_TIMEOUT, 0);
	spawn->close = (enum close_how)number(settings, KNOB_CLOSE, 0);
	spawn->close_from = first_free_fd(build, spawn);
	program->status = (int)number(settings, KNOB_STATUS, 0);
	if (dir)
		spawn->dir = expand(build, &dir->word);
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *s = &settings->list[i];
		struct spawn_knob *knob;

		if (!s->knob->apply)
			continue;
		knob = arena_push(arena_of(build), &list, &spawn->nknobs,
		                  sizeof(*list));
		knob->knob = s->knob;
		knob->value = s->value;
	}
	spawn->knobs = list;
	note_method(build->job, spawn->method);
}

/* ---- redirections ------------------------------------------------------ */

static int
open_flags(enum redir_kind kind)
{
	switch (kind) {
	case REDIR_OUT:
		return O_WRONLY | O_CREAT | O_TRUNC;
	case REDIR_APPEND:
		return O_WRONLY | O_CREAT | O_APPEND;
	case REDIR_INOUT:
		return O_RDWR | O_CREAT;
	default:
		return O_RDONLY;
	}
}

/* A here-text becomes a file that each child opens anew. */
static const char *
here_path(struct build *build, const struct word *text)
{
	const char *content = expand(build, text), *path = "";
	struct errmsg why;

	if (scratch_text(build->context->scratch, arena_of(build), content,
	                 strlen(content), &path, &why) < 0)
		skip(build, 0, arena_printf(arena_of(build), "%s", why.text));
	return path;
}

static void
set_actions(struct build *build, struct spawn *spawn,
            const struct redir *redirs, size_t count)
{
	struct file_action *actions =
		arena_array(arena_of(build), count, sizeof(*actions));

	for (size_t i = 0; i < count; i++) {
		const struct redir *redir = &redirs[i];
		struct file_action *action = &actions[i];

		action->fd = redir->fd;
		action->from = redir->from;
		action->flags = open_flags(redir->kind);
		if (redir->kind == REDIR_DUP) {
			action->kind = FILE_DUP;
		} else if (redir->kind == REDIR_CLOSE) {
			action->kind = FILE_CLOSE;
		} else {
			action->kind = FILE_OPEN;
			action->path = redir->kind == REDIR_HERE ?
				here_path(build, &redir->target) :
				expand(build, &redir->target);
		}
	}
	spawn->actions = actions;
	spawn->nactions = count;
}

/* ---- programs ---------------------------------------------------------- */

struct words {
	char **list;
	size_t count;
};

static void
words_add(struct build *build, struct words *words, const char *word)
{
	char **slot = arena_push(arena_of(build), &words->list, &words->count,
	                         sizeof(*words->list));

	*slot = (char *)word;
}

/* wrap='nice -n 5' stands before the program, split at blanks. */
static void
add_wrap(struct build *build, const struct settings *settings,
         struct words *words)
{
	const struct setting *wrap = settings_find(settings, KNOB_WRAP, "");
	const char *at = wrap ? expand(build, &wrap->word) : "";

	for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
		size_t len = strcspn(at, " \t");

		words_add(build, words, arena_copy(arena_of(build), at, len));
		at += len;
	}
}

/* "cpu=1ms" is given to the applet as the passes of a loop: see sys/work.h */
static const char *
applet_word(struct build *build, const struct applet *applet,
            const char *word)
{
	const char *equals = strchr(word, '=');
	const struct param *param;
	int64_t ns;
	char *name;

	if (!equals)
		return word;
	name = arena_copy(arena_of(build), word, (size_t)(equals - word));
	param = param_find(applet->params, name);
	if (!param || param->kind != VALUE_CPU_TIME ||
	    parse_duration(equals + 1, &ns) < 0)
		return word;
	return arena_printf(arena_of(build), "%s=%" PRId64 "x", name,
	                    ns / 1000 * build->context->passes_per_ms / 1000);
}

static void
find_program(struct build *build, const struct settings *settings,
             struct program *program, struct words *words)
{
	struct spawn *spawn = &program->spawn;
	int64_t pad = number(settings, KNOB_ARGPAD, 0);
	struct lack lack;

	spawn->envp = program_environ(build->context, settings);
	program->label = program_label(arena_of(build), words->list);
	if (words->list[0][0] == '@') {
		spawn->path = build->context->self;
	} else {
		spawn->path = program_path(arena_of(build), words->list[0],
			environ_value(spawn->envp, "PATH"), spawn->dir, &lack);
		/* Its own prepare may be what makes the program. */
		if (lack.reason && !build->job->nprepares)
			skip(build, lack.status, lack.reason);
	}
	if (pad)
		words->list[0] = (char *)program_pad(arena_of(build),
		                                     words->list[0], pad);
	spawn->argv = words->list;
}

static int
finish_program(struct build *build, const struct settings *settings,
               struct program *program, struct words *words)
{
	words_add(build, words, NULL);
	find_program(build, settings, program, words);
	return spawn_prepare(&program->spawn, build->why);
}

static int
build_stage(struct build *build, const struct settings *settings,
            const struct stage *stage, struct program *program)
{
	struct words words = { NULL, 0 };

	set_actions(build, &program->spawn, stage->redirs, stage->nredirs);
	set_knobs(build, settings, program);
	add_wrap(build, settings, &words);
	if (stage->applet && words.count) {
		words_add(build, &words, build->context->self_path);
		words_add(build, &words, "--applet");
	}
	for (size_t i = 0; i < stage->nwords; i++) {
		const char *word = expand(build, &stage->words[i]);

		if (i == 0 && stage->applet)
			word = arena_printf(arena_of(build), "@%s",
			                    stage->applet->name);
		else if (stage->applet)
			word = applet_word(build, stage->applet, word);
		words_add(build, &words, word);
	}
	return finish_program(build, settings, program, &words);
}

static int
build_script(struct build *build, const struct settings *settings,
             const struct script *script, struct program *program)
{
	struct words words = { NULL, 0 };
	const char *shell = DEFAULT_SHELL;

	if (script->shell.npieces)
		shell = expand(build, &script->shell);
	set_knobs(build, settings, program);
	add_wrap(build, settings, &words);
	words_add(build, &words, shell);
	words_add(build, &words, "-c");
	words_add(build, &words, expand(build, &script->text));
	return finish_program(build, settings, program, &words);
}

/* Which shell "/bin/sh" is, for the report. */
static void
note_shell(struct build *build, const char *path)
{
	char target[4096];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (build->job->shell)
		return;
	if (n < 0) {
		build->job->shell = path_base(path);
		return;
	}
	target[n] = '\0';
	build->job->shell = arena_printf(arena_of(build), "%s",
	                                 path_base(target));
}

/* ---- tasks ------------------------------------------------------------- */

static int build_tasks(struct build *build, const struct command *commands,
                       size_t count, struct task **tasks, size_t *ntasks);

static int
build_run(struct build *build, const struct command *command,
          const struct settings *settings, struct task *task)
{
	task->nprograms = command->nstages;
	task->programs = arena_array(arena_of(build), command->nstages,
	                             sizeof(*task->programs));
	for (size_t i = 0; i < command->nstages; i++) {
		struct program *program = &task->programs[i];

		program->may_sigpipe = i + 1 < command->nstages;
		if (build_stage(build, settings, &command->stages[i],
		                program) < 0)
			return -1;
	}
	return 0;
}

static int
build_one(struct build *build, const struct command *command,
          struct task *task)
{
	struct settings settings = settings_merge(arena_of(build), build->step,
	                                          &command->settings);
	struct program *program;

	task->kind = TASK_RUN;
	task->background = command->background;
	if (command->kind == COMMAND_RUN)
		return build_run(build, command, &settings, task);
	task->nprograms = 1;
	task->programs = program =
		arena_alloc(arena_of(build), sizeof(*program));
	if (command->kind == COMMAND_FORK) {
		program->label = "fork";
		set_knobs(build, &settings, program);
		return spawn_prepare(&program->spawn, build->why);
	}
	set_actions(build, &program->spawn, command->redirs, command->nredirs);
	if (build_script(build, &settings, &command->script, program) < 0)
		return -1;
	note_shell(build, program->spawn.path);
	return 0;
}

static int
build_task(struct build *build, const struct command *command,
           struct task *task)
{
	switch (command->kind) {
	case COMMAND_REPEAT:
		task->kind = TASK_REPEAT;
		task->count = command->count;
		task->jobs = command->jobs;
		return build_tasks(build, command->body, command->nbody,
		                   &task->body, &task->nbody);
	case COMMAND_WAIT:
		task->kind = TASK_WAIT;
		return 0;
	default:
		return build_one(build, command, task);
	}
}

static int
build_tasks(struct build *build, const struct command *commands, size_t count,
            struct task **tasks, size_t *ntasks)
{
	*ntasks = count;
	*tasks = arena_array(arena_of(build), count, sizeof(**tasks));
	for (size_t i = 0; i < count; i++)
		if (build_task(build, &commands[i], &(*tasks)[i]) < 0)
			return -1;
	return 0;
}

/* ---- how many at once -------------------------------------------------- */

struct crowd {
	int64_t background;
	int64_t most;
};

/* Above the limit it does not matter by how much. */
static int64_t
bounded(int64_t n)
{
	return n > MOST_PLACES ? MOST_PLACES + 1 : n;
}

static void
crowd_at(struct crowd *crowd, int64_t now)
{
	if (crowd->background + now > crowd->most)
		crowd->most = crowd->background + now;
}

static void
count_tasks(struct crowd *crowd, const struct task *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct task *task = &tasks[i];
		int64_t before = crowd->background, growth;

		if (task->kind == TASK_WAIT) {
			crowd->background = 0;
		} else if (task->kind == TASK_RUN) {
			crowd_at(crowd, (int64_t)task->nprograms);
			if (task->background)
				crowd->background += (int64_t)task->nprograms;
		} else if (task->jobs) {
			crowd_at(crowd, task->jobs *
			         (int64_t)task->body->nprograms);
		} else {
			count_tasks(crowd, task->body, task->nbody);
			before = crowd->background;
			if (task->count < 2)
				continue;
			/* What a second pass adds, each further one adds. */
			count_tasks(crowd, task->body, task->nbody);
			growth = bounded(crowd->background - before);
			growth = bounded(growth * (task->count - 2));
			crowd->background = bounded(crowd->background + growth);
			crowd->most = bounded(crowd->most + growth);
		}
	}
}

/* ---- a step ------------------------------------------------------------ */

static void
check_needs(struct build *build, const struct step *step)
{
	for (size_t i = 0; i < step->nneeds; i++)
		if (!condition_holds(&step->needs[i]))
			skip(build, 0, arena_printf(arena_of(build),
			                            "it needs %s",
			                            step->needs[i].text));
}

int
job_build(const struct job_context *context, const struct step *step,
          struct job *job, struct errmsg *why)
{
	struct build build = { context, &step->settings, job, why };
	struct crowd crowd = { 0, 0 };

	memset(job, 0, sizeof(*job));
	job->name = step->name;
	job->runner.like = (int)number(&step->settings, KNOB_LIKE, -1);
	job->runner.ballast = number(&step->settings, KNOB_BALLAST, 0);
	job->runner.fds = number(&step->settings, KNOB_FDS, 0);
	check_needs(&build, step);
	job->nprepares = step->nprepares;
	job->prepares = arena_array(context->arena, step->nprepares,
	                            sizeof(*job->prepares));
	for (size_t i = 0; i < step->nprepares; i++)
		if (build_script(&build, &(struct settings){ NULL, 0 },
		                 &step->prepares[i], &job->prepares[i]) < 0)
			return -1;
	job->method = NULL;
	if (build_tasks(&build, step->body, step->nbody, &job->tasks,
	                &job->ntasks) < 0)
		return -1;
	count_tasks(&crowd, job->tasks, job->ntasks);
	if (crowd.most > MOST_PLACES)
		return errmsg_set(why, "cannot run step %s: it has more than "
		                  "%d processes at once", step->name,
		                  MOST_PLACES);
	job->places = crowd.most > 0 ? (size_t)crowd.most : 1;
	return 0;
}

static void
release_tasks(struct task *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t p = 0; p < tasks[i].nprograms; p++)
			spawn_release(&tasks[i].programs[p].spawn);
		release_tasks(tasks[i].body, tasks[i].nbody);
	}
}

void
job_release(struct job *job)
{
	release_tasks(job->tasks, job->ntasks);
}

int
job_build_prepare(const struct job_context *context,
                  const struct script *script, struct program *program,
                  const char **lacking, struct errmsg *why)
{
	struct job job = { .name = "prepare" };
	struct build build = { context, &(struct settings){ NULL, 0 }, &job,
	                       why };

	memset(program, 0, sizeof(*program));
	if (build_script(&build, build.step, script, program) < 0)
		return -1;
	*lacking = job.skip;
	return 0;
}

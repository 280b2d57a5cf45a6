#include "job.h"

#include "sys/knob.h"
#include "sys/like.h"

bool
condition_holds(const struct condition_use *use)
{
	int64_t have = 0;

	if (!use->condition->holds(use->argument, &have))
		return false;
	if (!use->compare)
		return true;
	return compare_holds(have, use->compare, use->value);
}

/* ---- redirections ------------------------------------------------------ */

static bool
workload_opened(const struct plan *plan, int fd)
{
	for (size_t i = 0; i < plan->nsetups; i++)
		if (plan->setups[i].kind == SETUP_OPEN &&
		    plan->setups[i].open.fd == fd)
			return true;
	return fd <= 2;
}

static void
check_redirs(const struct plan *plan, const struct redir *redirs,
             size_t count, struct complaints *complaints)
{
	for (size_t i = 0; i < count; i++) {
		bool is_open;

		if (redirs[i].kind != REDIR_DUP)
			continue;
		is_open = workload_opened(plan, redirs[i].from);
		for (size_t j = 0; j < i; j++)
			if (redirs[j].fd == redirs[i].from)
				is_open = redirs[j].kind != REDIR_CLOSE;
		if (!is_open)
			complain(complaints, redirs[i].place, NULL,
			         "descriptor %d is not open here",
			         redirs[i].from);
	}
}

/* ---- spawn methods ----------------------------------------------------- */

static bool
is_posix(const struct settings *settings)
{
	const struct setting *spawn = settings_find(settings, KNOB_SPAWN, "");

	return spawn && spawn->value.n == SPAWN_POSIX;
}

static void
check_posix(const struct command *command, const struct settings *settings,
            struct complaints *complaints)
{
	if (command->kind == COMMAND_FORK)
		complain(complaints, command->place, NULL,
		         "spawn=posix makes no process without a program");
	for (size_t i = 0; i < settings->count; i++)
		if (!(settings->list[i].knob->traits & TAKEN_BY_POSIX))
			complain(complaints, settings->list[i].word.place, NULL,
			         "spawn=posix cannot set %s",
			         settings->list[i].knob->name);
}

/* The knob of an own memory, where the child has the runner's. */
static void
check_shared(const struct settings *settings, struct complaints *complaints)
{
	const struct setting *spawn = settings_find(settings, KNOB_SPAWN, "");
	const struct setting *like = settings_find(settings, KNOB_LIKE, "");
	bool shared = spawn ? spawn->value.n != SPAWN_FORK :
	              like && likes[like->value.n].vforks;

	for (size_t i = 0; i < settings->count && shared; i++)
		if (settings->list[i].knob->traits & NEEDS_OWN_MEMORY)
			complain(complaints, settings->list[i].word.place, NULL,
			         "%s is of a child's memory: it wants "
			         "spawn=fork", settings->list[i].knob->name);
}

/* ---- knobs that cannot matter ------------------------------------------ */

static void
check_no_exec(const struct settings *settings, struct complaints *complaints)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->list[i].knob->traits & NEEDS_EXEC)
			complain(complaints, settings->list[i].word.place, NULL,
			         "%s%s cannot matter where nothing is exec'd",
			         settings->list[i].knob->name,
			         settings->list[i].key);
}

/* ---- all of it --------------------------------------------------------- */

static void
check_command(const struct plan *plan, const struct step *step,
              const struct command *command, struct complaints *complaints)
{
	struct settings settings;

	for (size_t i = 0; i < command->nbody; i++)
		check_command(plan, step, &command->body[i], complaints);
	for (size_t i = 0; i < command->nstages; i++)
		check_redirs(plan, command->stages[i].redirs,
		             command->stages[i].nredirs, complaints);
	check_redirs(plan, command->redirs, command->nredirs, complaints);
	if (command->kind == COMMAND_REPEAT || command->kind == COMMAND_WAIT)
		return;
	settings = settings_merge(plan->arena, &step->settings,
	                          &command->settings);
	if (is_posix(&settings))
		check_posix(command, &settings, complaints);
	else
		check_shared(&settings, complaints);
}

void
plan_check(const struct plan *plan, struct complaints *complaints)
{
	for (size_t i = 0; i < plan->nsteps; i++) {
		const struct step *step = &plan->steps[i];

		if (!commands_exec(step->body, step->nbody))
			check_no_exec(&step->settings, complaints);
		for (size_t j = 0; j < step->nbody; j++)
			check_command(plan, step, &step->body[j], complaints);
	}
}

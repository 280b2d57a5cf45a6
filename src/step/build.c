#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "sys/knob.h"

#define MOST_PLACES 65536

/* Which shell "/bin/sh" is, for the report: a link to it, or to a link. */
static void
note_shell(struct build *build, const char *path)
{
	char *real;

	if (build->job->shell)
		return;
	real = realpath(path, NULL);
	build->job->shell = arena_printf(build->context->arena, "%s",
	                                 path_base(real ? real : path));
	free(real);
}

/* ---- tasks ------------------------------------------------------------- */

static int build_tasks(struct build *build, const struct command *commands,
                       size_t count, struct task **tasks, size_t *ntasks);

static int
build_run(struct build *build, const struct command *command,
          const struct settings *settings, struct task *task)
{
	task->nprograms = command->nstages;
	task->programs = arena_array(build->context->arena, command->nstages,
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
	struct settings settings = settings_merge(build->context->arena,
	                                          build->step,
	                                          &command->settings);
	struct program *program;

	task->kind = TASK_RUN;
	task->background = command->background;
	if (command->kind == COMMAND_RUN)
		return build_run(build, command, &settings, task);
	task->nprograms = 1;
	task->programs = program =
		arena_alloc(build->context->arena, sizeof(*program));
	if (command->kind == COMMAND_FORK)
		return build_fork(build, &settings, program);
	if (build_script(build, &settings, &command->script, command->redirs,
	                 command->nredirs, program) < 0)
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
	*tasks = arena_array(build->context->arena, count, sizeof(**tasks));
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

bool
runner_kind_equal(const struct runner_kind *one,
                  const struct runner_kind *other)
{
	return one->like == other->like && one->ballast == other->ballast &&
	       one->fds == other->fds;
}

static void
list_system(struct build *build, const struct settings *settings)
{
	struct job *job = build->job;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *setting = &settings->list[i];
		struct system_setting *new;

		if (setting->knob->scope != KNOB_SYSTEM)
			continue;
		new = arena_push(build->context->arena, &job->system,
		                 &job->nsystem, sizeof(*new));
		new->name = setting->key;
		new->value = build_expand(build, &setting->word);
	}
}

static void
check_needs(struct build *build, const struct step *step)
{
	for (size_t i = 0; i < step->nneeds; i++)
		if (!condition_holds(&step->needs[i]))
			build_skip(build, 0, arena_printf(build->context->arena,
			                            "it needs %s",
			                            step->needs[i].text));
}

/* To each program a place for what is learned of it. */
static void
give_memories(struct arena *arena, struct task *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t *memories = arena_array(arena, tasks[i].nprograms,
		                                sizeof(*memories));

		for (size_t p = 0; p < tasks[i].nprograms; p++)
			tasks[i].programs[p].process_ns = &memories[p];
		give_memories(arena, tasks[i].body, tasks[i].nbody);
	}
}

int
job_build(const struct job_context *context, const struct step *step,
          struct job *job, struct errmsg *why)
{
	struct build build = { context, &step->settings, job, why };
	struct crowd crowd = { 0, 0 };

	memset(job, 0, sizeof(*job));
	job->name = step->name;
	job->runner.like = (int)build_number(&step->settings, KNOB_LIKE, -1);
	job->runner.ballast = build_number(&step->settings, KNOB_BALLAST, 0);
	job->runner.fds = build_number(&step->settings, KNOB_FDS, 0);
	list_system(&build, &step->settings);
	check_needs(&build, step);
	job->nprepares = step->nprepares;
	job->prepares = arena_array(context->arena, step->nprepares,
	                            sizeof(*job->prepares));
	for (size_t i = 0; i < step->nprepares; i++)
		if (build_script(&build, &(struct settings){ NULL, 0 },
		                 &step->prepares[i], NULL, 0,
		                 &job->prepares[i]) < 0)
			return -1;
	/* What is said of a job is said of what it times. */
	job->method = NULL;
	job->others = false;
	if (build_tasks(&build, step->body, step->nbody, &job->tasks,
	                &job->ntasks) < 0)
		return -1;
	give_memories(context->arena, job->tasks, job->ntasks);
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
	if (build_script(&build, build.step, script, NULL, 0, program) < 0)
		return -1;
	*lacking = job.skip;
	return 0;
}

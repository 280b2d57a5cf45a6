#include "stage.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "step/program.h"
#include "sys/knob.h"
#include "sys/like.h"

#define DEFAULT_SHELL "/bin/sh"

static struct arena *
arena_of(const struct build *build)
{
	return build->context->arena;
}

/* ---- what a step cannot have ------------------------------------------- */

void
build_skip(struct build *build, int status, const char *reason)
{
	if (build->job->skip)
		return;
	build->job->skip = reason;
	build->job->skip_status = status;
}

const char *
build_expand(struct build *build, const struct word *word)
{
	const struct job_context *context = build->context;

	for (size_t i = 0; i < word->npieces; i++) {
		size_t r = word->pieces[i].resource;

		if (word->pieces[i].text || context->values[r])
			continue;
		build_skip(build, 0, arena_printf(context->arena, "$%s: %s",
		                            context->plan->resources[r].name,
		                            context->faults[r]));
		return "";
	}
	return word_expand(context->arena, word, context->values);
}

/* ---- knobs ------------------------------------------------------------- */

int64_t
build_number(const struct settings *settings, int id, int64_t otherwise)
{
	const struct setting *setting = settings_find(settings, id, "");

	return setting ? setting->value.n : otherwise;
}

static enum spawn_method
method_of(struct build *build, const struct settings *settings)
{
	int64_t like = build_number(settings, KNOB_LIKE, -1);
	int64_t method = build_number(settings, KNOB_SPAWN,
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
	spawn->timeout_ns = build_number(settings, KNOB_TIMEOUT, 0);
	spawn->close = (enum close_how)build_number(settings, KNOB_CLOSE, 0);
	spawn->close_from = first_free_fd(build, spawn);
	program->status = (int)build_number(settings, KNOB_STATUS, 0);
	if (dir)
		spawn->dir = build_expand(build, &dir->word);
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
	const char *content = build_expand(build, text), *path = "";
	struct errmsg why;

	if (scratch_text(build->context->scratch, arena_of(build), content,
	                 strlen(content), &path, &why) < 0)
		build_skip(build, 0, arena_printf(arena_of(build), "%s",
		                                  why.text));
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
				build_expand(build, &redir->target);
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
	const char *at = wrap ? build_expand(build, &wrap->word) : "";

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
	int64_t pad = build_number(settings, KNOB_ARGPAD, 0);
	struct lack lack;

	spawn->envp = program_environ(build->context, settings);
	program->label = program_label(arena_of(build), words->list);
	if (words->list[0][0] == '@') {
		spawn->path = build->context->self;
	} else {
		build->job->others = true;
		spawn->path = program_path(arena_of(build), words->list[0],
			environ_value(spawn->envp, "PATH"), spawn->dir, &lack);
		/* Its own prepare may be what makes the program. */
		if (lack.reason && !build->job->nprepares)
			build_skip(build, lack.status, lack.reason);
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

int
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
		const char *word = build_expand(build, &stage->words[i]);

		if (i == 0 && stage->applet)
			word = arena_printf(arena_of(build), "@%s",
			                    stage->applet->name);
		else if (stage->applet)
			word = applet_word(build, stage->applet, word);
		words_add(build, &words, word);
	}
	return finish_program(build, settings, program, &words);
}

int
build_script(struct build *build, const struct settings *settings,
             const struct script *script, const struct redir *redirs,
             size_t nredirs, struct program *program)
{
	struct words words = { NULL, 0 };
	const char *shell = DEFAULT_SHELL;

	if (script->shell.npieces)
		shell = build_expand(build, &script->shell);
	set_actions(build, &program->spawn, redirs, nredirs);
	set_knobs(build, settings, program);
	add_wrap(build, settings, &words);
	words_add(build, &words, shell);
	words_add(build, &words, "-c");
	words_add(build, &words, build_expand(build, &script->text));
	return finish_program(build, settings, program, &words);
}

int
build_fork(struct build *build, const struct settings *settings,
           struct program *program)
{
	program->label = "fork";
	set_knobs(build, settings, program);
	return spawn_prepare(&program->spawn, build->why);
}

#include "print_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"

static void
end_line(struct printer *p)
{
	strbuf_putc(p->out, '\n');
	if (p->heres.len)
		strbuf_add(p->out, p->heres.text, p->heres.len);
	p->heres.len = 0;
}

/* ---- set-up ------------------------------------------------------------ */

static void
put_conditions(struct printer *p, const struct condition_use *list,
               size_t count)
{
	strbuf_puts(p->out, "need");
	for (size_t i = 0; i < count; i++) {
		strbuf_putc(p->out, ' ');
		put_text(p, list[i].text, POSITION_PLAIN);
	}
	end_line(p);
}

static void
put_prepare(struct printer *p, const struct script *script)
{
	strbuf_puts(p->out, "prepare");
	if (script->shell.npieces)
		add_word(p, &script->shell, POSITION_FIRST);
	add_word(p, &script->text, POSITION_FIRST);
	end_line(p);
}

static void
put_server(struct printer *p, const struct resource *resource)
{
	const struct param *params = p->vocabulary->server_params;

	strbuf_printf(p->out, "serve %s %s", resource->name,
	              resource->server->name);
	for (size_t i = 0; params && params[i].name; i++) {
		if (!resource->options[i].text)
			continue;
		strbuf_printf(p->out, " %s=", params[i].name);
		put_text(p, resource->options[i].text, POSITION_PLAIN);
	}
	end_line(p);
}

static void
put_resource(struct printer *p, const struct resource *resource)
{
	char size[32];

	switch (resource->kind) {
	case RESOURCE_FILE:
		strbuf_printf(p->out, "tmpfile %s %s", resource->name,
		              format_size(resource->size, size, sizeof(size)));
		if (resource->seed)
			strbuf_printf(p->out, " seed=%" PRIu64,
			              resource->seed);
		break;
	case RESOURCE_DIR:
		strbuf_printf(p->out, "tmpdir %s", resource->name);
		break;
	case RESOURCE_SERVER:
		put_server(p, resource);
		return;
	}
	end_line(p);
}

static const char *
mode_name(enum redir_kind mode)
{
	return mode == REDIR_IN ? "r" : mode == REDIR_OUT ? "w" :
	       mode == REDIR_APPEND ? "a" : "rw";
}

static void
put_setup(struct printer *p, const struct setup *setup)
{
	switch (setup->kind) {
	case SETUP_RESOURCE:
		put_resource(p, &p->plan->resources[setup->resource]);
		break;
	case SETUP_OPEN:
		strbuf_printf(p->out, "open %d", setup->open.fd);
		add_word(p, &setup->open.target, POSITION_PLAIN);
		strbuf_printf(p->out, " %s", mode_name(setup->open.mode));
		end_line(p);
		break;
	case SETUP_BACKGROUND:
		strbuf_printf(p->out, "background %" PRId64 "\n",
		              setup->background);
		break;
	case SETUP_NEED:
		put_conditions(p, setup->need.list, setup->need.count);
		break;
	case SETUP_PREPARE:
		put_prepare(p, &setup->prepare);
		break;
	}
}

/* ---- timed ------------------------------------------------------------- */

static void
put_redirs(struct printer *p, const struct redir *list, size_t count, bool sh)
{
	static const char *const operators[] = {
		[REDIR_IN] = "<", [REDIR_OUT] = ">", [REDIR_APPEND] = ">>",
		[REDIR_INOUT] = "<>", [REDIR_DUP] = ">&",
		[REDIR_CLOSE] = ">&-", [REDIR_HERE] = "",
	};

	for (size_t i = 0; i < count; i++) {
		const struct redir *redir = &list[i];
		bool input = redir->kind == REDIR_IN ||
		             redir->kind == REDIR_INOUT ||
		             redir->kind == REDIR_HERE;

		strbuf_putc(p->out, ' ');
		/* sh without the number: the heredoc would be the script. */
		if (redir->fd != !input || (sh && redir->kind == REDIR_HERE))
			strbuf_printf(p->out, "%d", redir->fd);
		strbuf_puts(p->out, operators[redir->kind]);
		if (redir->kind == REDIR_DUP)
			strbuf_printf(p->out, "%d", redir->from);
		else if (redir->kind == REDIR_HERE)
			put_here(p, &redir->target);
		else if (redir->kind != REDIR_CLOSE)
			put_word(p, &redir->target, POSITION_WORD);
	}
}

static void
put_stage(struct printer *p, const struct stage *stage)
{
	if (stage->applet)
		strbuf_printf(p->out, " @%s", stage->applet->name);
	else
		add_word(p, &stage->words[0], POSITION_FIRST);
	for (size_t i = 1; i < stage->nwords; i++)
		add_word(p, &stage->words[i], POSITION_WORD);
	put_redirs(p, stage->redirs, stage->nredirs, false);
}

static void
put_run(struct printer *p, const struct command *command)
{
	strbuf_puts(p->out, "run");
	put_settings(p, &command->settings);
	for (size_t i = 0; i < command->nstages; i++) {
		strbuf_puts(p->out, i ? " |" : "");
		put_stage(p, &command->stages[i]);
	}
}

static void
put_sh(struct printer *p, const struct command *command)
{
	const struct script *script = &command->script;

	strbuf_puts(p->out, "sh");
	put_settings(p, &command->settings);
	if (script->shell.npieces)
		add_word(p, &script->shell, POSITION_FIRST);
	if (ends_line(&script->text)) {
		strbuf_putc(p->out, ' ');
		put_here(p, &script->text);
	} else {
		add_word(p, &script->text, POSITION_FIRST);
	}
	put_redirs(p, command->redirs, command->nredirs, true);
}

static void put_command(struct printer *p, const struct command *command,
                        unsigned depth);

static void
indent(struct printer *p, unsigned depth)
{
	while (depth--)
		strbuf_putc(p->out, '\t');
}

static void
put_block(struct printer *p, const struct command *body, size_t nbody,
          unsigned depth)
{
	for (size_t i = 0; i < nbody; i++) {
		indent(p, depth + 1);
		put_command(p, &body[i], depth + 1);
	}
	indent(p, depth);
	strbuf_puts(p->out, "end\n");
}

static void
put_repeat(struct printer *p, const struct command *command, unsigned depth)
{
	strbuf_printf(p->out, "repeat %" PRId64, command->count);
	if (command->jobs)
		strbuf_printf(p->out, " jobs=%" PRId64, command->jobs);
	if (command->nbody == 1) {
		strbuf_putc(p->out, ' ');
		put_command(p, command->body, depth);
		return;
	}
	end_line(p);
	put_block(p, command->body, command->nbody, depth);
}

/* A command and its line's end; depth is of the line that it stands on. */
static void
put_command(struct printer *p, const struct command *command, unsigned depth)
{
	switch (command->kind) {
	case COMMAND_REPEAT:
		put_repeat(p, command, depth);
		return;
	case COMMAND_RUN:
		put_run(p, command);
		break;
	case COMMAND_SH:
		put_sh(p, command);
		break;
	case COMMAND_FORK:
		strbuf_puts(p->out, "fork");
		break;
	case COMMAND_WAIT:
		strbuf_puts(p->out, "wait");
		break;
	}
	if (command->background)
		strbuf_puts(p->out, " &");
	end_line(p);
}

static void
put_step(struct printer *p, const struct step *step)
{
	strbuf_puts(p->out, "step ");
	put_text(p, step->name, POSITION_PLAIN);
	put_settings(p, &step->settings);
	if (step->nbody == 1 && !step->nneeds && !step->nprepares) {
		strbuf_putc(p->out, ' ');
		put_command(p, step->body, 0);
		return;
	}
	end_line(p);
	if (step->nneeds) {
		indent(p, 1);
		put_conditions(p, step->needs, step->nneeds);
	}
	for (size_t i = 0; i < step->nprepares; i++) {
		indent(p, 1);
		put_prepare(p, &step->prepares[i]);
	}
	put_block(p, step->body, step->nbody, 0);
}

/* ---- the whole --------------------------------------------------------- */

static void
put_rules(struct printer *p)
{
	const struct plan *plan = p->plan;
	char text[32];

	if (plan->rounds >= 0)
		strbuf_printf(p->out, "rounds %" PRId64 "\n", plan->rounds);
	if (plan->warmup >= 0)
		strbuf_printf(p->out, "warmup %" PRId64 "\n", plan->warmup);
	if (plan->budget_ns >= 0)
		strbuf_printf(p->out, "budget %s\n",
		              format_duration(plan->budget_ns, text,
		                              sizeof(text)));
	if (plan->seed >= 0)
		strbuf_printf(p->out, "seed %" PRId64 "\n", plan->seed);
}

static void
put_expectation(struct printer *p, const struct expectation *expectation)
{
	strbuf_printf(p->out, "expect %s %s %" PRId64 "\n",
	              counter_names[expectation->counter],
	              expectation->compare, expectation->n);
}

void
plan_print(const struct plan *plan, const struct vocabulary *vocabulary,
           struct strbuf *out)
{
	struct printer p = {
		.out = out, .heres = { .arena = out->arena }, .plan = plan,
		.vocabulary = vocabulary,
	};

	put_rules(&p);
	for (size_t i = 0; i < plan->nsetups; i++)
		put_setup(&p, &plan->setups[i]);
	if (out->len && plan->nsteps)
		strbuf_putc(out, '\n');
	for (size_t i = 0; i < plan->nsteps; i++)
		put_step(&p, &plan->steps[i]);
	if (plan->nexpectations)
		strbuf_putc(out, '\n');
	for (size_t i = 0; i < plan->nexpectations; i++)
		put_expectation(&p, &plan->expectations[i]);
}

#include "variants.h"

#include <string.h>

#include "lang/print.h"
#include "parse_internal.h"

/* ---- reading ----------------------------------------------------------- */

static int
variant_name(struct parser *p, struct variant *variant)
{
	const char *name = p_look(p, "a variant's name");

	if (!name)
		return -1;
	if (!is_plain_name(name))
		return p_wrong(p, NULL, "'%s' cannot be a variant's name",
		               name);
	variant->name = name;
	for (size_t i = 0; i < p->variants.count; i++)
		if (strcmp(p->variants.list[i].name, name) == 0)
			return p_wrong(p, NULL, "there is a variant '%s' "
			               "already", name);
	variant->place = p->token.word.place;
	p_next(p);
	return 0;
}

static int
script_of(struct parser *p, const char *key, struct script **script)
{
	if (*script) {
		p_point(p, token_key_place(p));
		return p_wrong(p, NULL, "'%s' is given twice", key);
	}
	*script = arena_alloc(p->arena, sizeof(**script));
	(*script)->text = token_value(p);
	(*script)->place = p->token.word.place;
	p_next(p);
	return 0;
}

static int
variable_of(struct parser *p, const char *key, struct variant *variant)
{
	struct word word = token_value(p);
	const char *value = p_known(p, &word);
	struct assignment *new;

	p_point(p, token_key_place(p));
	if (strpbrk(key, ".-"))
		return p_wrong(p, table_hint(p, p->vocabulary->knobs,
		                             sizeof(struct knob), key),
		               "no knob named '%s'", key);
	for (size_t i = 0; i < variant->nassignments; i++)
		if (strcmp(variant->assignments[i].name, key) == 0)
			return p_wrong(p, NULL, "'%s' is given twice", key);
	if (!value)
		return -1;
	new = arena_push(p->arena, &variant->assignments,
	                 &variant->nassignments, sizeof(*new));
	new->name = key;
	new->value = value;
	p_next(p);
	return 0;
}

static int
read_variant(struct parser *p, struct variant *variant)
{
	int result = variant_name(p, variant);
	const char *key, *rest;

	while (result == 0 && !at_line_end(p)) {
		if (!is_assignment(&p->token))
			return p_wrong(p, NULL, "this is not KEY=VALUE");
		key = token_key(p);
		if (strcmp(key, "setup") == 0)
			result = script_of(p, key, &variant->setup);
		else if (strcmp(key, "undo") == 0)
			result = script_of(p, key, &variant->undo);
		else if (knob_find(p->vocabulary->knobs, key, &rest))
			p_knob(p, false, &variant->settings);
		else
			result = variable_of(p, key, variant);
	}
	return result;
}

int
p_variant(struct parser *p)
{
	struct variant variant = { .place = p->command, .name = "" };
	int result;

	if (p->variants.count == MOST_VARIANTS)
		return p_wrong(p, NULL, "more than %d variants",
		               MOST_VARIANTS);
	result = read_variant(p, &variant);
	/* A wrong one counts all the same: it is told when its turn comes. */
	if (!p->vary || p->file->source == p->vary)
		*(struct variant *)arena_push(p->arena, &p->variants.list,
		                              &p->variants.count,
		                              sizeof(variant)) = variant;
	return result;
}

const char *
variant_value(struct parser *p, const char *name)
{
	for (size_t i = 0; p->chosen && i < p->chosen->nassignments; i++)
		if (strcmp(p->chosen->assignments[i].name, name) == 0)
			return p->chosen->assignments[i].value;
	return NULL;
}

/* ---- laying a variant over the steps ----------------------------------- */

/* Where a command has the knob itself, it has the variant's value now. */
static void
override_commands(struct command *commands, size_t count,
                  const struct setting *new)
{
	for (size_t i = 0; i < count; i++) {
		struct settings *own = &commands[i].settings;

		for (size_t s = 0; s < own->count; s++)
			if (own->list[s].knob == new->knob &&
			    strcmp(own->list[s].key, new->key) == 0)
				own->list[s] = *new;
		override_commands(commands[i].body, commands[i].nbody, new);
	}
}

/* A knob is laid over the steps to which it matters; there must be one. */
static void
lay_knob(struct parser *p, const struct setting *new)
{
	const struct settings one = { (struct setting *)new, 1 };
	struct plan *plan = p->plan;
	bool any = false;

	for (size_t i = 0; i < plan->nsteps; i++) {
		struct step *step = &plan->steps[i];

		if ((new->knob->traits & NEEDS_EXEC) &&
		    !commands_exec(step->body, step->nbody))
			continue;
		any = true;
		step->settings = settings_merge(p->arena, &step->settings,
		                                &one);
		override_commands(step->body, step->nbody, new);
	}
	if (!any)
		complain(p->complaints, new->word.place, NULL,
		         "%s%s cannot matter where nothing is exec'd",
		         new->knob->name, new->key);
}

/* A name that nothing uses is a knob's that was mistyped, or idle. */
static void
check_used(struct parser *p, const struct variant *variant)
{
	for (size_t i = 0; i < variant->nassignments; i++) {
		const char *name = variant->assignments[i].name;
		const struct symbol *symbol = names_find(&p->names, name,
		                                         strlen(name));
		const char *hint = table_hint(p, p->vocabulary->knobs,
		                              sizeof(struct knob), name);

		if (!symbol || !symbol->used)
			complain(p->complaints, variant->place, hint,
			         "'%s' is no knob, and no variable that "
			         "the workload uses", name);
	}
}

void
variant_begin(struct parser *p)
{
	for (size_t i = 0; p->chosen && i < p->chosen->nassignments; i++) {
		const struct assignment *a = &p->chosen->assignments[i];
		struct word *word = arena_alloc(p->arena, sizeof(*word));

		*word = word_of(p, a->value, p->chosen->place);
		names_add(&p->names, a->name, strlen(a->name))->value = word;
	}
}

void
variant_end(struct parser *p)
{
	const struct variant *variant;

	if (!p->chosen || p->chosen_index >= p->variants.count)
		return;
	/* As this pass has read it: with its own variables' values. */
	variant = &p->variants.list[p->chosen_index];
	p->plan->variant = variant->name;
	p->plan->variant_place = variant->place;
	p->plan->variant_setup = variant->setup;
	p->plan->variant_undo = variant->undo;
	check_used(p, variant);
	for (size_t i = 0; i < variant->settings.count; i++)
		lay_knob(p, &variant->settings.list[i]);
}

/* ---- are they sides of one comparison? --------------------------------- */

/* One line of set-up as text, or the rules and expectations. */
static const char *
text_of(const struct plan *plan, const struct vocabulary *vocabulary,
        const struct setup *setup)
{
	struct strbuf text = { .arena = plan->arena };
	struct plan part = *plan;

	part.nsteps = 0;
	part.nsetups = setup != NULL;
	part.setups = (struct setup *)setup;
	if (setup)
		part.nexpectations = 0;
	plan_print(&part, vocabulary, &text);
	return text.text ? text.text : "";
}

static bool
same_text(const struct plan *one, const struct plan *other,
          const struct vocabulary *vocabulary, size_t setup)
{
	return strcmp(text_of(one, vocabulary, &one->setups[setup]),
	              text_of(other, vocabulary, &other->setups[setup])) == 0;
}

static void
check_same(const struct plan *one, const struct plan *other,
           const struct vocabulary *vocabulary, struct complaints *complaints)
{
	bool same = one->nsetups == other->nsetups &&
	            strcmp(text_of(one, vocabulary, NULL),
	                   text_of(other, vocabulary, NULL)) == 0;

	for (size_t i = 0; same && i < one->nsetups; i++)
		same = same_text(one, other, vocabulary, i);
	if (!same)
		complain(complaints, other->variant_place,
		         "its variables may stand in steps only",
		         "variant '%s' changes what is set up, or the rules",
		         other->variant);
	else if (one->nsteps != other->nsteps)
		complain(complaints, other->variant_place, NULL,
		         "variant '%s' has other steps than '%s'",
		         other->variant, one->variant);
}

/*
 * A step without a name of its own is named after its program. Where that is
 * what varies, it is only a step.
 */
static void
name_alike(struct plans *plans)
{
	const struct plan *first = plans->list[0];

	for (size_t i = 0; i < first->nsteps; i++) {
		bool same = true;

		for (size_t v = 1; v < plans->count; v++)
			same &= strcmp(first->steps[i].name,
			               plans->list[v]->steps[i].name) == 0;
		for (size_t v = 0; !same && v < plans->count; v++)
			plans->list[v]->steps[i].name = first->nsteps == 1 ?
				"step" : arena_printf(first->arena, "step %zu",
				                      i + 1);
	}
}

/* ---- all of them ------------------------------------------------------- */

int
plans_parse(const struct parse_input *input, const struct source *vary,
            struct complaints *complaints, struct plans *plans)
{
	struct complaints first = { .arena = complaints->arena };
	struct variants variants = { NULL, 0 };
	struct plan *plan = p_workload(input, vary, NULL, 0, &first,
	                               &variants);

	plans->list = arena_array(input->arena, variants.count + 1,
	                          sizeof(*plans->list));
	plans->count = 0;
	/* Without variants that was all, else the names had no values yet. */
	if (variants.count == 0) {
		*complaints = first;
		plans->list[plans->count++] = plan;
		return complaints->count ? -1 : 0;
	}
	if (variants.count == 1)
		complain(complaints, variants.list[0].place, NULL,
		         "one variant alone is no comparison");
	for (size_t i = 0; i < variants.count && !complaints->count; i++) {
		struct variants again = { NULL, 0 };

		plans->list[plans->count++] = p_workload(input, vary,
			&variants.list[i], i, complaints, &again);
	}
	for (size_t i = 1; i < plans->count && !complaints->count; i++)
		check_same(plans->list[0], plans->list[i], input->vocabulary,
		           complaints);
	if (complaints->count)
		return -1;
	name_alike(plans);
	return 0;
}

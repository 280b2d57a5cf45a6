/*
 * plan_equal: do two plans say the same? A walk through both, side by side.
 * Places and the plans' names are not looked at.
 */
#ifndef FORKLOAD_PLAN_EQUAL_H
#define FORKLOAD_PLAN_EQUAL_H

#include <string.h>

#include "lang/plan.h"

/* Are two arrays of that many elements equal, by a function for one pair? */
#define ALL_EQUAL(one, other, list, count, equal) \
	((one)->count == (other)->count && \
	 all_equal((one)->list, (other)->list, (one)->count, \
	           sizeof(*(one)->list), equal))

typedef bool pair_equal(const void *one, const void *other);

static inline bool
all_equal(const void *one, const void *other, size_t count, size_t size,
          pair_equal *equal)
{
	const char *a = one, *b = other;

	for (size_t i = 0; i < count; i++)
		if (!equal(a + i * size, b + i * size))
			return false;
	return true;
}

static inline bool
text_equal(const char *one, const char *other)
{
	if (!one || !other)
		return one == other;
	return strcmp(one, other) == 0;
}

static inline bool
piece_equal(const void *one, const void *other)
{
	const struct piece *a = one, *b = other;

	return text_equal(a->text, b->text) && a->resource == b->resource;
}

static inline bool
word_equal(const void *one, const void *other)
{
	const struct word *a = one, *b = other;

	return ALL_EQUAL(a, b, pieces, npieces, piece_equal);
}

static inline bool
setting_equal(const void *one, const void *other)
{
	const struct setting *a = one, *b = other;

	return a->knob == b->knob && text_equal(a->key, b->key) &&
	       word_equal(&a->word, &b->word) && a->value.n == b->value.n;
}

static inline bool
settings_equal(const struct settings *a, const struct settings *b)
{
	return ALL_EQUAL(a, b, list, count, setting_equal);
}

static inline bool
script_equal(const void *one, const void *other)
{
	const struct script *a = one, *b = other;

	return word_equal(&a->shell, &b->shell) &&
	       word_equal(&a->text, &b->text);
}

static inline bool
condition_equal(const void *one, const void *other)
{
	const struct condition_use *a = one, *b = other;

	return a->condition == b->condition && text_equal(a->text, b->text) &&
	       text_equal(a->argument, b->argument) &&
	       text_equal(a->compare, b->compare) && a->value == b->value;
}

static inline bool
redir_equal(const void *one, const void *other)
{
	const struct redir *a = one, *b = other;

	return a->kind == b->kind && a->fd == b->fd && a->from == b->from &&
	       word_equal(&a->target, &b->target);
}

static inline bool
stage_equal(const void *one, const void *other)
{
	const struct stage *a = one, *b = other;

	return a->applet == b->applet &&
	       ALL_EQUAL(a, b, words, nwords, word_equal) &&
	       ALL_EQUAL(a, b, redirs, nredirs, redir_equal);
}

static inline bool
command_equal(const void *one, const void *other)
{
	const struct command *a = one, *b = other;

	return a->kind == b->kind && a->background == b->background &&
	       a->count == b->count && a->jobs == b->jobs &&
	       settings_equal(&a->settings, &b->settings) &&
	       ALL_EQUAL(a, b, body, nbody, command_equal) &&
	       ALL_EQUAL(a, b, stages, nstages, stage_equal) &&
	       script_equal(&a->script, &b->script) &&
	       ALL_EQUAL(a, b, redirs, nredirs, redir_equal);
}

static inline bool
step_equal(const void *one, const void *other)
{
	const struct step *a = one, *b = other;

	return text_equal(a->name, b->name) &&
	       settings_equal(&a->settings, &b->settings) &&
	       ALL_EQUAL(a, b, needs, nneeds, condition_equal) &&
	       ALL_EQUAL(a, b, prepares, nprepares, script_equal) &&
	       ALL_EQUAL(a, b, body, nbody, command_equal);
}

static inline bool
expectation_equal(const void *one, const void *other)
{
	const struct expectation *a = one, *b = other;

	return a->counter == b->counter && a->n == b->n &&
	       text_equal(a->compare, b->compare);
}

static inline bool
setup_equal(const void *one, const void *other)
{
	const struct setup *a = one, *b = other;

	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case SETUP_RESOURCE:
		return a->resource == b->resource;
	case SETUP_OPEN:
		return a->open.fd == b->open.fd &&
		       a->open.mode == b->open.mode &&
		       word_equal(&a->open.target, &b->open.target);
	case SETUP_BACKGROUND:
		return a->background == b->background;
	case SETUP_NEED:
		return ALL_EQUAL(&a->need, &b->need, list, count,
		                 condition_equal);
	case SETUP_PREPARE:
		return script_equal(&a->prepare, &b->prepare);
	}
	return false;
}

static inline bool
resource_equal(const struct resource *a, const struct resource *b,
               const struct param *params)
{
	if (a->kind != b->kind || !text_equal(a->name, b->name) ||
	    a->size != b->size || a->seed != b->seed || a->server != b->server)
		return false;
	if (a->kind != RESOURCE_SERVER)
		return true;
	for (size_t i = 0; params && params[i].name; i++)
		if (a->options[i].n != b->options[i].n ||
		    !text_equal(a->options[i].text, b->options[i].text))
			return false;
	return true;
}

static inline bool
plan_equal(const struct plan *one, const struct plan *other,
           const struct vocabulary *vocabulary)
{
	if (one->nresources != other->nresources ||
	    one->rounds != other->rounds || one->warmup != other->warmup ||
	    one->budget_ns != other->budget_ns || one->seed != other->seed)
		return false;
	for (size_t i = 0; i < one->nresources; i++)
		if (!resource_equal(&one->resources[i], &other->resources[i],
		                    vocabulary->server_params))
			return false;
	return ALL_EQUAL(one, other, setups, nsetups, setup_equal) &&
	       ALL_EQUAL(one, other, steps, nsteps, step_equal) &&
	       ALL_EQUAL(one, other, expectations, nexpectations,
	                 expectation_equal);
}

#endif

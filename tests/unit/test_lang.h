/*
 * test_lang: what the tests of src/lang/ share: a small vocabulary of their
 * own, and texts to plans and back.
 */
#ifndef FORKLOAD_TEST_LANG_H
#define FORKLOAD_TEST_LANG_H

#include <stdlib.h>
#include <string.h>

#include "lang/parse.h"
#include "lang/print.h"

#include "plan_equal.h"

enum { NICE, CPU, ENV, WRAP, LIKE, STATUS };

static inline int
client_check(int argc, char *const *argv, struct errmsg *why)
{
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "fd=", 3) == 0 ||
		    strncmp(argv[i], "to=", 3) == 0)
			return 0;
	return errmsg_set(why, "fd= or to= is missing");
}

static const struct param no_params[] = { { 0 } };
static const struct param exit_params[] = {
	{ .name = "", .kind = VALUE_INT, .max = 255, .required = true },
	{ 0 }
};
static const struct param readfile_params[] = {
	{ .name = "", .kind = VALUE_TEXT, .shape = "PATH", .required = true },
	{ .name = "times", .kind = VALUE_INT, .min = 1 },
	{ 0 }
};
static const struct param client_params[] = {
	{ .name = "fd", .kind = VALUE_INT },
	{ .name = "to", .kind = VALUE_TEXT },
	{ .name = "send", .kind = VALUE_SIZES, .required = true },
	{ .name = "recv", .kind = VALUE_SIZE },
	{ 0 }
};

static const struct applet test_applets[] = {
	{ .name = "true", .params = no_params },
	{ .name = "exit", .params = exit_params },
	{ .name = "readfile", .params = readfile_params },
	{ .name = "client", .params = client_params, .check = client_check },
	{ .name = "secret", .params = no_params, .hidden = true },
	{ 0 }
};

static const struct knob test_knobs[] = {
	{ .name = "nice", .id = NICE,
	  .value = { .kind = VALUE_INT, .min = -20, .max = 19 } },
	{ .name = "cpu", .id = CPU, .value = { .kind = VALUE_CPUS } },
	{ .name = "env.", .id = ENV, .value = { .kind = VALUE_TEXT } },
	{ .name = "wrap", .id = WRAP, .value = { .kind = VALUE_TEXT } },
	{ .name = "like", .id = LIKE, .scope = KNOB_RUNNER,
	  .value = { .kind = VALUE_CHOICE, .choices = "bash|dash" } },
	{ .name = "status", .id = STATUS, .scope = KNOB_JUDGE,
	  .value = { .kind = VALUE_INT, .max = 255 } },
	{ 0 }
};

static const struct server_kind test_servers[] = {
	{ .name = "tcp" }, { .name = "unix" }, { 0 }
};
static const struct param test_server_params[] = {
	{ .name = "request", .kind = VALUE_SIZE },
	{ .name = "delay", .kind = VALUE_DURATION },
	{ 0 }
};
static const struct condition test_conditions[] = {
	{ .name = "root" },
	{ .name = "cpus", .shape = CONDITION_COMPARES,
	  .value = { .kind = VALUE_INT } },
	{ .name = "program", .shape = CONDITION_NAMES,
	  .value = { .shape = "NAME" } },
	{ 0 }
};

static const struct vocabulary test_vocabulary = {
	test_applets, test_knobs, test_servers, test_server_params,
	test_conditions
};

/* One text being read; free with arena_free(try.arena). */
struct attempt {
	struct arena *arena;
	struct complaints complaints;
	struct plan *plan;
};

static inline struct attempt
attempt_with(const char *text, size_t len, const char *name,
             const struct assignment *assignments, size_t nassignments)
{
	struct attempt try = { .arena = arena_new(abort) };
	struct source *source = arena_alloc(try.arena, sizeof(*source));
	struct parse_input input = {
		.arena = try.arena, .vocabulary = &test_vocabulary,
		.name = "test", .sources = source, .nsources = 1,
		.assignments = assignments, .nassignments = nassignments,
	};

	source->name = name;
	source->text = arena_copy(try.arena, text, len);
	source->len = len;
	try.complaints.arena = try.arena;
	try.plan = plan_parse(&input, &try.complaints);
	return try;
}

static inline struct attempt
attempt(const char *text)
{
	return attempt_with(text, strlen(text), "t.wl", NULL, 0);
}

static inline const char *
shown(const struct attempt *try)
{
	struct strbuf out = { .arena = try->arena };

	complaints_show(&try->complaints, false, &out);
	return out.text;
}

static inline const char *
printed(const struct attempt *try)
{
	struct strbuf out = { .arena = try->arena };

	strbuf_puts(&out, "");
	plan_print(try->plan, &test_vocabulary, &out);
	return out.text;
}

/* NULL where a plan's text gives an equal plan and the same text. */
static inline const char *
round_trip_fault(const struct attempt *try)
{
	const char *text = printed(try);
	struct attempt again = attempt(text);
	const char *fault = NULL;

	if (!again.plan)
		fault = arena_printf(try->arena, "printed:\n%s\ngives:\n%s",
		                     text, shown(&again));
	else if (!plan_equal(try->plan, again.plan, &test_vocabulary))
		fault = arena_printf(try->arena, "differs after:\n%s", text);
	else if (strcmp(text, printed(&again)) != 0)
		fault = arena_printf(try->arena, "printed:\n%s\nthen:\n%s",
		                     text, printed(&again));
	arena_free(again.arena);
	return fault;
}

#endif

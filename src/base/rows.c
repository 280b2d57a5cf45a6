#include "rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

static int
not_a(struct errmsg *why, const char *text, const char *what)
{
	if (errno == ERANGE)
		return errmsg_set(why, "'%s' is too large", text);
	return errmsg_set(why, "'%s' is not %s", text, what);
}

static int
read_sizes(const char *text, struct value *out, struct errmsg *why)
{
	int64_t sum = 0;
	const char *at = text;

	for (;;) {
		size_t len = strcspn(at, ",");
		char one[32];
		int64_t size;

		if (len >= sizeof(one))
			return errmsg_set(why, "'%s' is too large", text);
		snprintf(one, sizeof(one), "%.*s", (int)len, at);
		if (parse_size(one, &size) < 0)
			return not_a(why, text, "a size or sizes with commas");
		if (size > INT64_MAX - sum)
			return errmsg_set(why, "'%s' is too large", text);
		sum += size;
		if (!at[len])
			break;
		at += len + 1;
	}
	out->n = sum;
	return 0;
}

/* "A|B|C" as a sentence names them: "A, B, C". */
static int
not_among(const char *text, const char *choices, struct errmsg *why)
{
	char names[200];
	size_t n = 0;

	for (; *choices && n < sizeof(names) - 3; choices++) {
		names[n++] = *choices == '|' ? ',' : *choices;
		if (*choices == '|')
			names[n++] = ' ';
	}
	names[n] = '\0';
	return errmsg_set(why, "'%s' is not one of %s", text, names);
}

static int
read_choice(const struct param *param, const char *text, struct value *out,
            struct errmsg *why)
{
	const char *at = param->choices;
	size_t len = strlen(text);

	for (int64_t i = 0;; i++) {
		size_t n = strcspn(at, "|");

		if (n == len && memcmp(at, text, n) == 0) {
			out->n = i;
			return 0;
		}
		if (!at[n])
			return not_among(text, param->choices, why);
		at += n + 1;
	}
}

static int
read_kind(const struct param *param, const char *text, struct value *out,
          struct errmsg *why)
{
	errno = 0;
	switch (param->kind) {
	case VALUE_TEXT:
		return 0;
	case VALUE_INT:
		if (parse_int(text, &out->n) < 0)
			return not_a(why, text, "a whole number");
		return 0;
	case VALUE_SIZE:
		if (parse_size(text, &out->n) < 0)
			return not_a(why, text, "a size (64, 4k, 2m, 1g)");
		return 0;
	case VALUE_SIZES:
		return read_sizes(text, out, why);
	case VALUE_DURATION:
	case VALUE_CPU_TIME:
		if (parse_duration(text, &out->n) < 0)
			return not_a(why, text,
			             "a duration (20us, 10ms, 1.5s, 2m)");
		return 0;
	case VALUE_CHOICE:
		return read_choice(param, text, out, why);
	case VALUE_CPUS:
		if (parse_cpus(text, NULL, NULL) < 0)
			return not_a(why, text, "a list of CPUs (0,2-5)");
		return 0;
	case VALUE_OWN:
		return param->read(text, out, why);
	}
	return errmsg_set(why, "'%s' cannot be read", text);
}

/* A bound as the user would write it. */
static int
beyond(const struct param *param, const char *text, const char *what,
       int64_t bound, struct errmsg *why)
{
	char shown[32];

	if (param->kind == VALUE_SIZE || param->kind == VALUE_SIZES)
		format_size(bound, shown, sizeof(shown));
	else if (param->kind == VALUE_DURATION ||
	         param->kind == VALUE_CPU_TIME)
		format_duration(bound, shown, sizeof(shown));
	else
		snprintf(shown, sizeof(shown), "%" PRId64, bound);
	return errmsg_set(why, "'%s' is %s %s", text, what, shown);
}

int
value_read(const struct param *param, const char *text, struct value *out,
           struct errmsg *why)
{
	struct value value = { 0, text };

	if (read_kind(param, text, &value, why) < 0)
		return -1;
	/* What read() takes is within its own bounds. */
	if (param->kind != VALUE_OWN && value.n < param->min)
		return beyond(param, text, "below", param->min, why);
	if (param->kind != VALUE_OWN && param->max && value.n > param->max)
		return beyond(param, text, "above", param->max, why);
	*out = value;
	return 0;
}

const char *
value_shape(const struct param *param)
{
	static const char *const shapes[] = {
		[VALUE_TEXT] = "TEXT", [VALUE_INT] = "N", [VALUE_SIZE] = "SIZE",
		[VALUE_SIZES] = "SIZE[,SIZE]...", [VALUE_DURATION] = "DUR",
		[VALUE_CPU_TIME] = "DUR", [VALUE_CPUS] = "LIST",
	};

	if (param->shape)
		return param->shape;
	if (param->kind == VALUE_CHOICE)
		return param->choices;
	return param->kind == VALUE_OWN ? "VALUE" : shapes[param->kind];
}

const struct param *
param_find(const struct param *params, const char *name)
{
	for (; params && params->name; params++)
		if (strcmp(params->name, name) == 0)
			return params;
	return NULL;
}

const struct applet *
applet_find(const struct applet *table, const char *name)
{
	for (; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

const struct knob *
knob_find(const struct knob *table, const char *name, const char **key)
{
	for (; table->name; table++) {
		size_t len = strlen(table->name);
		bool prefix = table->name[len - 1] == '.';

		if (prefix && strncmp(name, table->name, len) == 0 &&
		    name[len]) {
			*key = name + len;
			return table;
		}
		if (!prefix && strcmp(name, table->name) == 0) {
			*key = "";
			return table;
		}
	}
	return NULL;
}

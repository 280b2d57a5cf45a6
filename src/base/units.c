#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

struct unit {
	const char *name;
	int64_t scale;
};

static const struct unit size_units[] = {
	{ "", 1 }, { "k", 1 << 10 }, { "m", 1 << 20 }, { "g", 1 << 30 },
};

static const struct unit duration_units[] = {
	{ "ns", 1 }, { "us", NS_PER_US }, { "ms", NS_PER_MS },
	{ "s", NS_PER_S }, { "m", 60 * NS_PER_S },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static int
fail(int error)
{
	errno = error;
	return -1;
}

/* Digits at *text, which is moved behind them; -1 where there are none. */
static int
digits(const char **text, int64_t *out)
{
	int64_t n = 0;

	if (**text < '0' || **text > '9')
		return fail(EINVAL);
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		int digit = **text - '0';

		if (n > (INT64_MAX - digit) / 10)
			return fail(ERANGE);
		n = n * 10 + digit;
	}
	*out = n;
	return 0;
}

int
parse_int(const char *text, int64_t *out)
{
	int64_t n, sign = 1;

	if (*text == '-') {
		sign = -1;
		text++;
	}
	if (digits(&text, &n) < 0)
		return -1;
	if (*text)
		return fail(EINVAL);
	*out = sign * n;
	return 0;
}

static const struct unit *
unit_named(const struct unit *units, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

int
parse_size(const char *text, int64_t *out)
{
	const struct unit *unit;
	int64_t n;

	if (digits(&text, &n) < 0)
		return -1;
	unit = unit_named(size_units, COUNT(size_units), text);
	if (!unit)
		return fail(EINVAL);
	if (n > INT64_MAX / unit->scale)
		return fail(ERANGE);
	*out = n * unit->scale;
	return 0;
}

/* "1.25": n 1, fraction 25 of 100 parts; *text is moved behind it. */
static int
decimal(const char **text, int64_t *n, int64_t *fraction, int64_t *parts)
{
	*fraction = 0;
	*parts = 1;
	if (digits(text, n) < 0)
		return -1;
	if (**text != '.')
		return 0;
	for (++*text; **text >= '0' && **text <= '9'; ++*text)
		if (*parts < NS_PER_S) {
			*fraction = *fraction * 10 + (**text - '0');
			*parts *= 10;
		}
	return *parts == 1 ? fail(EINVAL) : 0;
}

int
parse_percent(const char *text, int64_t *out)
{
	int64_t n, fraction, parts;

	if (decimal(&text, &n, &fraction, &parts) < 0)
		return -1;
	if (*text == '%')
		text++;
	if (*text)
		return fail(EINVAL);
	if (n > INT64_MAX / PPM_A_PERCENT - 1)
		return fail(ERANGE);
	/* parts goes up to 10^9: no product of the two overflows. */
	*out = n * PPM_A_PERCENT + fraction * PPM_A_PERCENT / parts;
	return 0;
}

int
parse_duration(const char *text, int64_t *out)
{
	int64_t n, fraction, parts;
	const struct unit *unit;

	if (strcmp(text, "0") == 0) {
		*out = 0;
		return 0;
	}
	if (decimal(&text, &n, &fraction, &parts) < 0)
		return -1;
	unit = unit_named(duration_units, COUNT(duration_units), text);
	if (!unit)
		return fail(EINVAL);
	if (n >= INT64_MAX / unit->scale)
		return fail(ERANGE);
	*out = n * unit->scale;
	/* Digits finer than a nanosecond are dropped. */
	if (unit->scale == 60 * NS_PER_S)
		*out += fraction * 60 * (NS_PER_S / parts);
	else if (unit->scale >= parts)
		*out += fraction * (unit->scale / parts);
	else
		*out += fraction / (parts / unit->scale);
	return 0;
}

int
parse_cpus(const char *text, void (*add)(int cpu, void *state), void *state)
{
	do {
		int64_t first, last;

		if (digits(&text, &first) < 0)
			return -1;
		last = first;
		if (*text == '-') {
			text++;
			if (digits(&text, &last) < 0)
				return -1;
		}
		if (last < first)
			return fail(EINVAL);
		if (last >= MOST_CPUS)
			return fail(ERANGE);
		for (int cpu = (int)first; add && cpu <= last; cpu++)
			add(cpu, state);
	} while (*text == ',' && *++text);
	return *text || text[-1] == ',' ? fail(EINVAL) : 0;
}

bool
size_fits(int64_t bytes)
{
	return bytes >= 0 && (uint64_t)bytes <= SIZE_MAX;
}

static char *
format_with(const struct unit *units, size_t count, int64_t n, char *text,
            size_t room)
{
	size_t i = count - 1;

	while (i > 0 && n % units[i].scale != 0)
		i--;
	if (n == 0)
		i = 0;
	snprintf(text, room, "%" PRId64 "%s", n / units[i].scale,
	         units[i].name);
	return text;
}

char *
format_size(int64_t bytes, char *text, size_t room)
{
	return format_with(size_units, COUNT(size_units), bytes, text, room);
}

char *
format_duration(int64_t ns, char *text, size_t room)
{
	return format_with(duration_units, COUNT(duration_units), ns, text,
	                   room);
}

char *
show_duration(int64_t ns, char *text, size_t room)
{
	static const struct unit shown[] = {
		{ "ns", 1 }, { "us", NS_PER_US }, { "ms", NS_PER_MS },
		{ "s", NS_PER_S },
	};
	size_t i = 0;
	double value;

	/* 999.5 would be printed as 1000, 9.995 as 10.00: four digits. */
	while (i + 1 < COUNT(shown) &&
	       ns >= 1000 * shown[i].scale - shown[i].scale / 2)
		i++;
	value = (double)ns / (double)shown[i].scale;
	snprintf(text, room, "%.*f %s",
	         i == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value,
	         shown[i].name);
	return text;
}

char *
show_count(int64_t count, char *text, size_t room)
{
	char plain[24];
	size_t len, out = 0;

	snprintf(plain, sizeof(plain), "%" PRId64, count);
	len = strlen(plain);
	for (size_t i = 0; i < len && out + 2 < room; i++) {
		if (i && (len - i) % 3 == 0 && plain[i - 1] != '-')
			text[out++] = ',';
		text[out++] = plain[i];
	}
	text[out] = '\0';
	return text;
}

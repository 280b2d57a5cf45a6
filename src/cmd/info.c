/* info: what this machine is, as far as it bears on results. */

#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/command.h"
#include "sys/accounting.h"
#include "sys/host.h"
#include "sys/noise.h"
#include "sys/pmu.h"
#include "sys/sampler.h"
#include "sys/split.h"
#include "sys/work.h"

#define NAME_WIDTH 18
#define TEXT_WIDTH 61

/* As much of it as stands on one line; a word is not broken. */
static size_t
line_len(const char *words)
{
	size_t len = strlen(words), fits = 0;

	if (len <= TEXT_WIDTH)
		return len;
	for (size_t i = 0; i <= TEXT_WIDTH || fits == 0; i++) {
		if (words[i] == ' ' || words[i] == '\0')
			fits = i;
		if (words[i] == '\0')
			break;
	}
	return fits;
}

static void
put_words(struct strbuf *text, const char *name, const char *words)
{
	do {
		size_t len = line_len(words);

		strbuf_printf(text, "%-*s %.*s\n", NAME_WIDTH, name, (int)len,
		              words);
		words += len + (words[len] == ' ');
		name = "";
	} while (*words);
}

static void
put_facts(struct strbuf *text)
{
	struct host_fact *facts;
	size_t count = host_describe(text->arena, &facts);

	for (size_t i = 0; i < count; i++)
		strbuf_printf(text, "%-*s %s\n", NAME_WIDTH, facts[i].name,
		              facts[i].value);
}

static const char *
duration(struct arena *arena, int64_t ns)
{
	char text[32];

	return arena_printf(arena, "%s", show_duration(ns, text,
	                                               sizeof(text)));
}

/* What sampling would cost, or why it cannot be had. */
static const char *
sampling(struct arena *arena, int64_t passes_per_ms)
{
	struct sampler sampler;
	struct errmsg why;

	if (sampler_open(&sampler, 1, &why) < 0)
		return arena_printf(arena, "no: %s", why.text);
	sampler_calibrate(&sampler, passes_per_ms);
	sampler_close(&sampler);
	return arena_printf(arena, "yes; a sample costs %s (+-%s)",
	                    duration(arena, sampler.cost_ns),
	                    duration(arena, sampler.cost_error_ns));
}

/* Whether the CPU's counters of cycles can be had, or why not. */
static const char *
counters(struct arena *arena, int64_t passes_per_ms)
{
	struct splitter splitter;
	struct errmsg why;

	if (!pmu_is_known())
		return "none that is known to be good";
	if (splitter_open(&splitter, SPLIT_PMU, passes_per_ms, 1, &why) < 0)
		return arena_printf(arena, "no: %s", why.text);
	splitter_close(&splitter);
	return "yes";
}

/* What the kernel's clock and its user and system times are worth. */
static void
put_calibration(struct strbuf *text)
{
	int64_t passes_per_ms = work_calibrate();
	struct arena *arena = text->arena;
	struct accounting accounting;

	accounting_measure(&accounting, passes_per_ms);
	put_words(text, "clock", arena_printf(arena, "steps of %s, and "
		"reading it takes %s", accounting.clock_resolution_ns ?
		duration(arena, accounting.clock_resolution_ns) :
		"unknown length", duration(arena,
		accounting.clock_cost_ns)));
	put_words(text, "user and sys", accounting.precise ?
		"precise: the kernel looks at each entry and exit" :
		arena_printf(arena, "by tick: the kernel looks every %s, so "
		"that a shorter program is charged wholly to one side",
		accounting.tick_ns ? duration(arena, accounting.tick_ns) :
		"few milliseconds"));
	put_words(text, "cycle counters", counters(arena, passes_per_ms));
	put_words(text, "sampling", sampling(arena, passes_per_ms));
}

static void
put_noise(struct strbuf *text)
{
	struct noise_row *rows;
	size_t count = noise_describe(text->arena, "", NULL, &rows);

	strbuf_putc(text, '\n');
	put_words(text, "noise", "what could disturb a measurement now, and "
	          "what helps");
	for (size_t i = 0; i < count; i++) {
		put_words(text, rows[i].name, rows[i].found);
		if (rows[i].advice)
			put_words(text, "", arena_printf(text->arena, "-> %s",
			                                 rows[i].advice));
	}
}

int
command_info(struct arena *arena, int argc, char **argv)
{
	struct strbuf text = { .arena = arena };

	if (argc > 1)
		return wrong_usage("info takes no words: '%s'", argv[1]);
	put_facts(&text);
	put_calibration(&text);
	put_noise(&text);
	return put_out(text.text, text.len);
}

/* run: the default command. A workload or a command is run and reported. */
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/io.h"
#include "cmd/command.h"
#include "cmd/load.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/samples.h"
#include "lab/benchfmt.h"
#include "lang/print.h"

extern char **environ;

/* ---- before ------------------------------------------------------------ */

static int
check_selection(const struct options *options, const struct plans *plans)
{
	const struct plan *plan = plans->list[0];
	const char *steps = options->lab.steps;
	bool any = !steps;

	if (plans->count == 1 &&
	    gates_compare(options->gates, options->ngates))
		return wrong_usage("--fail-if: a percentage needs two sides "
		                   "to compare: --vary, or a variant");
	if (plans->count > 1 && !options->format->compares)
		return wrong_usage("--format=%s has no place for several "
		                   "variants", options->format->name);
	if (options->bisect && plans->count == 1 && !options->ngates)
		return wrong_usage("--bisect wants variants to compare, or "
		                   "--fail-if");

	for (size_t i = 0; i < plan->nsteps && !any; i++)
		any = fnmatch(steps, plan->steps[i].name, 0) == 0;
	if (!any)
		return wrong_usage("--step: no step is named '%s'", steps);
	for (size_t i = 0; i < options->ngates; i++)
		if (!gate_applies(&options->gates[i], plan, steps))
			return wrong_usage("--fail-if %s: no step that is run "
			                   "has such a name",
			                   options->gates[i].text);
	return EXIT_DONE;
}

/*
 * What an applet is exec'd by: /proc/self/exe is right whatever becomes of
 * the file; without /proc, and for other programs that exec it, it is the
 * path that forkload was called by.
 */
static void
set_own_path(struct arena *arena, struct lab_options *options)
{
	static const char link[] = "/proc/self/exe";
	const char *called = (const char *)getauxval(AT_EXECFN);
	char target[PATH_MAX];

	options->self = options->self_path = link;
	if (realpath(link, target) || (called && realpath(called, target)))
		options->self_path = arena_copy(arena, target,
		                                strlen(target));
	if (access(link, X_OK) < 0)
		options->self = options->self_path;
}

/* ---- after ------------------------------------------------------------- */

static void
tell_steps(struct arena *arena, const struct result *result)
{
	struct strbuf text = { .arena = arena };

	for (size_t i = 0; i < result->nsteps; i++) {
		const struct step_result *step = &result->steps[i];

		if (step->outcome == OUTCOME_DONE)
			continue;
		strbuf_printf(&text, "forkload: step %s %s: %s\n", step->name,
		              step->outcome == OUTCOME_FAILED ? "failed" :
		              "is skipped", step->message);
		if (step->output)
			strbuf_printf(&text, "its standard error ended:\n%s\n",
			              step->output);
	}
	if (text.len)
		write_all(2, text.text, text.len);
}

static int
judge_gates(struct arena *arena, const struct options *options,
            const struct result *result)
{
	int status = result->status;

	for (size_t i = 0; i < options->ngates; i++) {
		struct errmsg why;

		switch (gate_judge(arena, &options->gates[i], result,
		                   &why)) {
		case GATE_HOLDS_NOT:
			break;
		case GATE_HOLDS:
			say("%s", why.text);
			if (status == EXIT_DONE || status == EXIT_CANNOT_TELL)
				status = EXIT_GATE;
			break;
		case GATE_CANNOT_TELL:
			say("%s", why.text);
			if (status == EXIT_DONE)
				status = EXIT_CANNOT_TELL;
			break;
		}
	}
	return status;
}

static int
report(struct arena *arena, const struct options *options,
       const struct result *result)
{
	struct report_options how = {
		.color = when_holds(options->color, 1),
		.verbose = options->verbose,
		.histogram = options->histogram,
	};
	struct strbuf text = { .arena = arena };
	struct errmsg why;
	int status;

	if (options->format->write(result, &how, &text, &why) < 0)
		return wrong_usage("%s", why.text);
	status = put_out(text.text, text.len);
	tell_steps(arena, result);
	for (size_t i = 0; i < result->nexpects; i++)
		if (!result->expects[i].holds)
			say("expect %s does not hold: there were %lld",
			    result->expects[i].text,
			    (long long)result->expects[i].have);
	if (result->trouble)
		say("%s", result->trouble);
	if (status != EXIT_DONE)
		return status;
	return judge_gates(arena, options, result);
}

/* ---- bisecting --------------------------------------------------------- */

/* Is the last variant slower than the first, such that it matters? */
static int
bisect_comparison(struct arena *arena, const struct comparison *c)
{
	int status = EXIT_DONE;

	for (size_t v = 1; v < c->nvariants; v++) {
		struct compared real;

		if (c->variants[v].skipped) {
			status = EXIT_OWN;
			continue;
		}
		real = comparison_judge(c, v, c->nsteps, BY_REAL,
		                        arena_array(arena, (size_t)c->pairs,
		                                    sizeof(int64_t)));
		if (real.judgement.finding == FINDING_SLOWER &&
		    !real.judgement.small)
			return EXIT_FAILED;
		/* How much faster it may be does not matter. */
		if (real.judgement.finding == FINDING_UNDECIDED &&
		    !(real.interval.known &&
		      real.interval.hi + real.floor_ppm < c->margin_ppm))
			status = EXIT_OWN;
	}
	return status;
}

/* As git bisect run wants it: 0 good, 1 bad, 125 cannot tell. */
static int
bisect_status(struct arena *arena, const struct options *options,
              const struct result *result, int status)
{
	if (options->ngates)
		return status == EXIT_DONE ? EXIT_DONE :
		       status == EXIT_GATE ? EXIT_FAILED : EXIT_OWN;
	if (status != EXIT_DONE || result->comparison->pairs == 0)
		return EXIT_OWN;
	return bisect_comparison(arena, result->comparison);
}

/* ---- all of it --------------------------------------------------------- */

/* What the lab's hooks are called with. */
struct watch {
	struct progress progress;
	struct samples samples;
};

static void
draw(void *state, const struct lab_progress *now)
{
	struct watch *watch = state;

	progress_draw(&watch->progress, now);
}

static void
note(void *state, const char *text)
{
	(void)state;
	say("%s", text);
}

static void
keep(void *state, const struct result *result, int64_t pair)
{
	struct watch *watch = state;

	samples_pair(&watch->samples, result, pair);
}

/* FNV-1a of the canonical text of all variants, in hexadecimal. */
static const char *
hash_of(struct arena *arena, const struct plans *plans)
{
	struct strbuf text = { .arena = arena };

	for (size_t i = 0; i < plans->count; i++)
		plan_print(plans->list[i], &vocabulary, &text);
	return arena_printf(arena, "%08lx",
	                    (unsigned long)benchfmt_check(text.text, text.len));
}

static int
run_plans(struct arena *arena, struct options *options,
          const struct plans *plans)
{
	struct watch watch;
	struct lab_hooks hooks = {
		.state = &watch, .progress = draw,
		.note = options->quiet ? NULL : note, .pair = keep,
	};
	const struct result *result;
	int status, kept;

	set_own_path(arena, &options->lab);
	options->lab.environ = environ;
	options->lab.facts = options->append ||
	                     options->format->write == report_bench;
	if (options->lab.facts)
		options->lab.hash = hash_of(arena, plans);
	if (samples_open(&watch.samples, arena, options->append) < 0)
		return EXIT_USAGE;
	progress_init(&watch.progress, options);
	result = lab_run(plans, &options->lab, &hooks);
	progress_clear(&watch.progress);
	if (result->status == EXIT_USAGE) {
		say("%s; nothing was run", result->trouble);
		return EXIT_USAGE;
	}
	status = report(arena, options, result);
	kept = samples_close(&watch.samples, result);
	if (kept != EXIT_DONE)
		status = kept;
	return options->bisect ?
	       bisect_status(arena, options, result, status) : status;
}

static int
run(struct arena *arena, int argc, char **argv)
{
	struct options options;
	struct plans plans;
	int status;

	if (options_read(arena, argc, argv, &options) < 0)
		return EXIT_USAGE;
	if (options.help)
		return command_help(arena, 1, argv);
	if (options.version)
		return put_out("forkload " VERSION "\n",
		               strlen("forkload " VERSION "\n"));
	if (!options.ninputs && !options.command)
		return wrong_usage("nothing to run: give a command, "
		                   "-f FILE or -w NAME");
	if (load_plans(arena, &options, &plans) < 0)
		return EXIT_USAGE;
	status = check_selection(&options, &plans);
	if (status != EXIT_DONE)
		return status;
	return run_plans(arena, &options, &plans);
}

/* Is it among the options that stand before the command? */
static bool
is_bisect(char **argv)
{
	for (; *argv && strcmp(*argv, "--") != 0; argv++)
		if (strcmp(*argv, "--bisect") == 0)
			return true;
	return false;
}

int
command_run(struct arena *arena, int argc, char **argv)
{
	bool bisect = is_bisect(argv + 1);
	int status = run(arena, argc, argv);

	/* git bisect run ends at 128 and above, and takes 2 for "bad". */
	return bisect && status == EXIT_USAGE ? EXIT_STOP_BISECT : status;
}

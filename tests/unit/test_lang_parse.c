#include "test_lang.h"

#include "unit.h"

/* The plan of a text that is right. */
static struct attempt
right(const char *text)
{
	struct attempt try = attempt(text);

	ck_assert_msg(try.plan != NULL, "%s", shown(&try));
	ck_assert_uint_eq(try.complaints.count, 0);
	return try;
}

static const char *
nth_word(const struct command *run, size_t n)
{
	ck_assert_uint_lt(n, run->stages[0].nwords);
	return word_text(&run->stages[0].words[n]);
}

START_TEST(the_founding_workload)
{
	struct attempt try = right(
		"set clients=50 bytes=64\n"
		"tmpfile data 4k seed=9\n"
		"serve server tcp delay=1ms\n"
		"open 3 $server\n"
		"with like=bash\n"
		"step clients nice=3 repeat $clients run @client fd=3 "
		"send=$bytes recv=$bytes\n"
		"expect execs >= 100\n");
	const struct plan *plan = try.plan;
	const struct step *step = &plan->steps[0];
	const struct command *repeat = step->body;

	ck_assert_uint_eq(plan->nresources, 2);
	ck_assert_int_eq(plan->resources[0].size, 4096);
	ck_assert_uint_eq(plan->resources[0].seed, 9);
	ck_assert_ptr_eq(plan->resources[1].server, &test_servers[0]);
	ck_assert_ptr_null(plan->resources[1].options[0].text);
	ck_assert_int_eq(plan->resources[1].options[1].n, 1000000);
	ck_assert_uint_eq(plan->nsetups, 3);
	ck_assert_int_eq(plan->setups[2].open.mode, REDIR_INOUT);
	ck_assert_uint_eq(plan->setups[2].open.target.pieces[0].resource, 1);
	ck_assert_uint_eq(plan->nsteps, 1);
	ck_assert_str_eq(step->name, "clients");
	ck_assert_uint_eq(step->settings.count, 2);
	ck_assert_int_eq(settings_find(&step->settings, LIKE, "")->value.n, 0);
	ck_assert_int_eq(settings_find(&step->settings, NICE, "")->value.n, 3);
	ck_assert_int_eq(repeat->kind, COMMAND_REPEAT);
	ck_assert_int_eq(repeat->count, 50);
	ck_assert_ptr_eq(repeat->body->stages[0].applet, &test_applets[3]);
	ck_assert_str_eq(nth_word(repeat->body, 2), "send=64");
	ck_assert_uint_eq(plan->nexpectations, 1);
	ck_assert_int_eq(plan->expectations[0].counter, COUNTER_EXECS);
	ck_assert_str_eq(plan->expectations[0].compare, ">=");
	ck_assert_int_eq(plan->expectations[0].n, 100);
	arena_free(try.arena);
}
END_TEST

START_TEST(rules_of_the_whole)
{
	struct attempt try = right("rounds 7\nwarmup 0\nbudget 1.5s\n"
	                           "seed 42\nrun @true\n");
	struct attempt none = right("run @true\n");

	ck_assert_int_eq(try.plan->rounds, 7);
	ck_assert_int_eq(try.plan->warmup, 0);
	ck_assert_int_eq(try.plan->budget_ns, 1500000000);
	ck_assert_int_eq(try.plan->seed, 42);
	ck_assert(none.plan->rounds == -1 && none.plan->warmup == -1 &&
	          none.plan->budget_ns == -1 && none.plan->seed == -1);
	arena_free(try.arena);
	arena_free(none.arena);
}
END_TEST

START_TEST(names_of_steps)
{
	static const char *const names[] = {
		"tool", "true", "tool~3", "sh", "bash", "true~2", "fork",
		"d", "tool~2"
	};
	struct attempt try = right(
		"tmpdir d\n"
		"run /usr/bin/tool x\nrun @true\nrun ./tool/\nsh ':'\n"
		"sh /bin/bash ':'\nrepeat 2 repeat 3 run @true\nfork\n"
		"run /bin/$d\nstep tool~2 run x\n");

	ck_assert_uint_eq(try.plan->nsteps, 9);
	for (size_t i = 0; i < 9; i++)
		ck_assert_str_eq(try.plan->steps[i].name, names[i]);
	arena_free(try.arena);
}
END_TEST

START_TEST(later_knobs_replace_earlier_ones)
{
	struct attempt try = right(
		"with nice=1 env.A=x\n"
		"step one run @true\n"
		"with nice=2 env.B=y\n"
		"step two nice=3 env.A= run nice=4 @true\n");
	const struct settings *one = &try.plan->steps[0].settings;
	const struct settings *two = &try.plan->steps[1].settings;
	const struct settings *own = &try.plan->steps[1].body->settings;

	ck_assert_uint_eq(one->count, 2);
	ck_assert_int_eq(settings_find(one, NICE, "")->value.n, 1);
	ck_assert_str_eq(settings_find(one, ENV, "A")->value.text, "x");
	ck_assert_ptr_null(settings_find(one, ENV, "B"));
	ck_assert_uint_eq(two->count, 3);
	ck_assert_int_eq(settings_find(two, NICE, "")->value.n, 3);
	ck_assert_str_eq(settings_find(two, ENV, "A")->value.text, "");
	ck_assert_str_eq(settings_find(two, ENV, "B")->value.text, "y");
	ck_assert_uint_eq(own->count, 1);
	ck_assert_int_eq(own->list[0].value.n, 4);
	arena_free(try.arena);
}
END_TEST

START_TEST(blocks)
{
	struct attempt try = right(
		"step s\n"
		"\tneed root cpus>=2 program:cc\n"
		"\tprepare 'one'\n\tprepare bash 'two'\n"
		"\trepeat 3 jobs=2\n\t\trun a\n\tend\n"
		"\trepeat 4\n\t\trun b &\n\t\twait\n\tend\n"
		"\trun c\n"
		"end\n");
	const struct step *step = &try.plan->steps[0];

	ck_assert_uint_eq(step->nneeds, 3);
	ck_assert_str_eq(step->needs[1].compare, ">=");
	ck_assert_int_eq(step->needs[1].value, 2);
	ck_assert_str_eq(step->needs[2].argument, "cc");
	ck_assert_uint_eq(step->nprepares, 2);
	ck_assert_uint_eq(step->prepares[0].shell.npieces, 0);
	ck_assert_str_eq(word_text(&step->prepares[1].shell), "bash");
	ck_assert_str_eq(word_text(&step->prepares[1].text), "two");
	ck_assert_uint_eq(step->nbody, 3);
	ck_assert_int_eq(step->body[0].jobs, 2);
	ck_assert_uint_eq(step->body[1].nbody, 2);
	ck_assert(step->body[1].body[0].background);
	ck_assert_int_eq(step->body[1].body[1].kind, COMMAND_WAIT);
	ck_assert(!step->body[2].background);
	arena_free(try.arena);
}
END_TEST

START_TEST(pipelines_and_redirections)
{
	struct attempt try = right("run a <in 2>&1 | 'b c' >>out 3<&- x &\n");
	const struct command *run = try.plan->steps[0].body;
	const struct redir *r = run->stages[0].redirs;

	ck_assert_uint_eq(run->nstages, 2);
	ck_assert(run->background);
	ck_assert_uint_eq(run->stages[0].nredirs, 2);
	ck_assert(r[0].kind == REDIR_IN && r[0].fd == 0);
	ck_assert_str_eq(word_text(&r[0].target), "in");
	ck_assert(r[1].kind == REDIR_DUP && r[1].fd == 2 && r[1].from == 1);
	ck_assert_uint_eq(run->stages[1].nwords, 2);
	ck_assert_str_eq(word_text(&run->stages[1].words[0]), "b c");
	r = run->stages[1].redirs;
	ck_assert(r[0].kind == REDIR_APPEND && r[0].fd == 1);
	ck_assert(r[1].kind == REDIR_CLOSE && r[1].fd == 3);
	arena_free(try.arena);
}
END_TEST

START_TEST(heredocs_of_run_and_sh)
{
	struct attempt try = right(
		"set n=5\n"
		"run a <<A | b 3<<'B'\n$n\nA\n$n\nB\n"
		"sh bash <<A 0<<B\nscript $n\nA\ninput\nB\n");
	const struct command *run = try.plan->steps[0].body;
	const struct command *sh = try.plan->steps[1].body;

	ck_assert_str_eq(word_text(&run->stages[0].redirs[0].target), "5\n");
	ck_assert_int_eq(run->stages[1].redirs[0].fd, 3);
	ck_assert_str_eq(word_text(&run->stages[1].redirs[0].target), "$n\n");
	ck_assert_str_eq(word_text(&sh->script.shell), "bash");
	ck_assert_str_eq(word_text(&sh->script.text), "script 5\n");
	ck_assert_uint_eq(sh->nredirs, 1);
	ck_assert_str_eq(word_text(&sh->redirs[0].target), "input\n");
	arena_free(try.arena);
}
END_TEST

START_TEST(assignments_override)
{
	static const char text[] = "set n=1 m=2\nset n=3\nrun x $n $m\n";
	static const struct assignment told[] = {
		{ "n", "a b" }, { "n", "$m" }
	};
	static const struct assignment unknown[] = { { "mm", "1" } };
	struct attempt plain = right(text);
	struct attempt try = attempt_with(text, strlen(text), "t.wl", told, 2);
	struct attempt bad = attempt_with(text, strlen(text), "t.wl", unknown,
	                                  1);

	ck_assert_str_eq(nth_word(plain.plan->steps[0].body, 1), "3");
	ck_assert_str_eq(nth_word(try.plan->steps[0].body, 1), "$m");
	ck_assert_str_eq(nth_word(try.plan->steps[0].body, 2), "2");
	ck_assert_ptr_null(bad.plan);
	ck_assert_str_eq(shown(&bad), "forkload: nothing sets 'mm' (did you "
	                 "mean 'm'?)\nforkload: 1 error, nothing was run\n");
	arena_free(plain.arena);
	arena_free(try.arena);
	arena_free(bad.arena);
}
END_TEST

/* ---- wrong ones -------------------------------------------------------- */

START_TEST(a_complaint_in_full)
{
	struct attempt try = attempt("\n\trun @client fd=3 sned=64\n");

	ck_assert_ptr_null(try.plan);
	ck_assert_str_eq(shown(&try),
		"t.wl:2:19: error: @client has no option 'sned'\n"
		"    2 | \trun @client fd=3 sned=64\n"
		"      | \t                 ^~~~ did you mean 'send'?\n"
		"forkload: 1 error, nothing was run\n");
	arena_free(try.arena);
}
END_TEST

/* Each text has exactly one fault, which is told. */
START_TEST(one_fault_each)
{
	static const struct {
		const char *text, *message;
	} all[] = {
		{ "", "nothing to run in t.wl" },
		{ "frok\nrun x\n", "no command named 'frok'" },
		{ "run @secret\n", "no applet named '@secret'" },
		{ "run @exit\n", "@exit needs N" },
		{ "run @exit 256\n", "'256' is above 255" },
		{ "run @exit 1 2\n", "@exit takes no '2'" },
		{ "run @client send=1\n", "fd= or to= is missing" },
		{ "run @client fd=3 fd=4 send=1\n", "'fd' is given twice" },
		{ "run $no\n", "'no' is not set" },
		{ "run $n\nset n=1\n", "'n' is not set" },
		{ "step a run x\nstep a run x\n",
		  "there is a step 'a' already" },
		{ "step a\nend\n", "step 'a' has no timed command" },
		{ "step a\nrun x\n", "no 'end' closes this block" },
		{ "run x\nend\n", "this 'end' closes nothing" },
		{ "repeat 0 run x\n", "'0' is below 1" },
		{ "repeat 2 wait\nrun x\n",
		  "'repeat' starts nothing that could be timed" },
		{ "run like=bash x\n",
		  "'like' is the runner's: it stands on a step or with" },
		{ "run nice=1 nice=2 x\n", "'nice' is given twice" },
		{ "open 3 a\nopen 3 b\nrun x\n",
		  "descriptor 3 is open already" },
		{ "tmpdir d\ntmpfile d 1\nrun x\n", "the name 'd' is taken" },
		{ "tmpdir d\nrepeat $d run x\n",
		  "'$d' is known only after set-up" },
		{ "set nice=1\nrun x\n",
		  "'nice' is a knob: no variable may bear its name" },
		{ "run x >\n", "a file is missing" },
		{ "run x |\n", "a program is missing" },
		{ "run x & y\n", "'&' must be the last word" },
		{ "run x >&5000\n", "'5000' is not a descriptor's number" },
		{ "sh a b c\n", "sh takes a shell and a script" },
		{ "step a\nrun x\nneed root\nend\n",
		  "'need' stands before a step's first timed command" },
		{ "rounds 5\nrounds 5\nrun x\n", "'rounds' is told twice" },
		{ "step a\nset n=1\nrun x\nend\n",
		  "'set' cannot stand in a block" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct attempt try = attempt(all[i].text);

		ck_assert_msg(!try.plan, "this is right:\n%s", all[i].text);
		ck_assert_msg(try.complaints.count == 1, "%s:\n%s",
		              all[i].message, shown(&try));
		ck_assert_str_eq(try.complaints.list[0].message,
		                 all[i].message);
		arena_free(try.arena);
	}
}
END_TEST

START_TEST(all_faults_are_told_in_their_order)
{
	struct attempt try = attempt("run $a\nfrok\nstep s\n\trun x |\n"
	                             "end\nrun $b\n");
	const char *text = shown(&try);

	ck_assert_uint_eq(try.complaints.count, 4);
	ck_assert_ptr_nonnull(strstr(text, "t.wl:1:5: error: 'a' is not set"));
	ck_assert(strstr(text, "t.wl:1:5:") < strstr(text, "t.wl:2:1:"));
	ck_assert(strstr(text, "t.wl:2:1:") < strstr(text, "t.wl:4:9:"));
	ck_assert(strstr(text, "t.wl:4:9:") < strstr(text, "t.wl:6:5:"));
	ck_assert(str_ends(text, "forkload: 4 errors, nothing was run\n"));
	arena_free(try.arena);
}
END_TEST

static struct attempt
nested(int depth)
{
	char text[400] = "";

	for (int i = 0; i < depth; i++)
		strcat(text, "repeat 2 ");
	strcat(text, "run x\n");
	return attempt(text);
}

START_TEST(hints)
{
	static const struct {
		const char *text, *hint;
	} all[] = {
		{ "frok\n", "did you mean 'fork'?" },
		{ "run @treu\n", "did you mean '@true'?" },
		{ "run @secre\n", NULL },
		{ "run $n\nset n=1\n", "it is set only behind this" },
		{ "set bytes=1\nrun $byte\n", "did you mean 'bytes'?" },
		{ "with nicer=1\nrun x\n", "did you mean 'nice'?" },
		{ "with PATH=1\nrun x\n",
		  "env.PATH= sets an environment variable" },
		{ "nice=1\nrun x\n", "'set' sets a variable, 'with' a knob" },
		{ "/bin/true\nrun x\n", "'run' runs a program" },
		{ "run a ; b\n", "quote it, or use sh" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct attempt try = attempt(all[i].text);
		const char *hint;

		ck_assert_msg(!try.plan, "this is right:\n%s", all[i].text);
		hint = try.complaints.list[0].hint;
		ck_assert_msg(all[i].hint ? hint && !strcmp(hint, all[i].hint) :
		              !hint, "%s: %s", all[i].text, hint);
		arena_free(try.arena);
	}
}
END_TEST

START_TEST(nesting)
{
	struct attempt most = nested(PLAN_NESTING);
	struct attempt more = nested(PLAN_NESTING + 1);

	ck_assert_msg(most.plan != NULL, "%s", shown(&most));
	ck_assert_ptr_null(more.plan);
	ck_assert_str_eq(more.complaints.list[0].message,
	                 "blocks are nested too deep");
	arena_free(most.arena);
	arena_free(more.arena);
}
END_TEST

START_TEST(sources_are_one_workload)
{
	struct arena *arena = arena_new(abort);
	struct complaints complaints = { .arena = arena };
	struct source sources[] = {
		{ "a.wl", "set n=1\n", 8 }, { "b.wl", "set n=2", 7 },
		{ "-e", "run x $n", 8 },
	};
	struct parse_input input = {
		.arena = arena, .vocabulary = &test_vocabulary,
		.name = "test", .sources = sources, .nsources = 3,
	};
	const struct plan *plan = plan_parse(&input, &complaints);

	ck_assert_ptr_nonnull(plan);
	ck_assert_str_eq(plan->name, "test");
	ck_assert_uint_eq(plan->nsteps, 1);
	ck_assert_str_eq(nth_word(plan->steps[0].body, 1), "2");
	ck_assert_str_eq(plan->steps[0].place.source->name, "-e");
	arena_free(arena);
}
END_TEST

UNIT_MAIN("lang_parse", the_founding_workload, rules_of_the_whole,
          names_of_steps, later_knobs_replace_earlier_ones, blocks,
          pipelines_and_redirections, heredocs_of_run_and_sh,
          assignments_override, a_complaint_in_full, one_fault_each,
          all_faults_are_told_in_their_order, hints, nesting,
          sources_are_one_workload)

#include "test_lang.h"

#include "cmd/builtin.h"
#include "cmd/command.h"
#include "test_lang_writer.h"

#include "unit.h"

/* ---- any vocabulary ---------------------------------------------------- */

static struct attempt
read_with(const struct vocabulary *words, const char *text, size_t len)
{
	struct attempt try = { .arena = arena_new(abort) };
	struct source *source = arena_alloc(try.arena, sizeof(*source));
	struct parse_input input = {
		.arena = try.arena, .vocabulary = words, .name = "test",
		.sources = source, .nsources = 1,
	};

	source->name = "t.wl";
	source->text = arena_copy(try.arena, text, len);
	source->len = len;
	try.complaints.arena = try.arena;
	try.plan = plan_parse(&input, &try.complaints);
	return try;
}

static const char *
print_with(const struct vocabulary *words, const struct attempt *try)
{
	struct strbuf out = { .arena = try->arena };

	strbuf_puts(&out, "");
	plan_print(try->plan, words, &out);
	return out.text;
}

/* A plan's text gives an equal plan and the same text again. */
static void
check_trip(const struct vocabulary *words, const struct attempt *try)
{
	const char *text = print_with(words, try), *second;
	struct attempt again = read_with(words, text, strlen(text));

	ck_assert_msg(again.plan != NULL, "printed:\n%s\ngives:\n%s", text,
	              again.plan ? "" : shown(&again));
	ck_assert_msg(plan_equal(try->plan, again.plan, words),
	              "differs after:\n%s", text);
	second = print_with(words, &again);
	ck_assert_msg(strcmp(text, second) == 0, "printed:\n%s\nthen:\n%s",
	              text, second);
	arena_free(again.arena);
}

/* ---- known texts ------------------------------------------------------- */

static void
prints(const char *text, const char *want)
{
	struct attempt try = attempt(text);

	ck_assert_msg(try.plan != NULL, "%s", try.plan ? "" : shown(&try));
	ck_assert_str_eq(printed(&try), want);
	ck_assert_msg(!round_trip_fault(&try), "%s", round_trip_fault(&try));
	arena_free(try.arena);
}

START_TEST(canonical_texts)
{
	prints("set n=50\nrepeat $n run @true\n",
	       "step true repeat 50 run @true\n");
	prints("budget 1500ms\nrounds 3\nrun x\nexpect execs >= 1\n",
	       "rounds 3\nbudget 1500ms\n\nstep x run x\n\n"
	       "expect execs >= 1\n");
	prints("with nice=1\nstep a env.X='a b' run 'x=y' k=v \"$\" ''\n",
	       "step a nice=1 env.X='a b' run 'x=y' k=v '$' ''\n");
	prints("tmpdir d\ntmpfile f 4096\nrun cat $d/x ${f}x \"$f y\"\n",
	       "tmpdir d\ntmpfile f 4k\n\n"
	       "step cat run cat $d/x ${f}x \"$f y\"\n");
	prints("serve s tcp delay=1ms\nopen 3 $s\nopen 4 /x\nrun x\n",
	       "serve s tcp delay=1ms\nopen 3 $s rw\nopen 4 /x r\n\n"
	       "step x run x\n");
	prints("step a\nneed root\nprepare ':'\nrun x <&3 0>&- &\nwait\nend\n",
	       "step a\n\tneed root\n\tprepare :\n\trun x 0>&3 0>&- &\n"
	       "\twait\nend\n");
	prints("sh <<A\nx 'y'\nEND\nA\n",
	       "step sh sh <<'END_'\nx 'y'\nEND\nEND_\n");
	prints("sh <<A\nEND\nEND_\nEND01\nA\n",
	       "step sh sh <<'END__'\nEND\nEND_\nEND01\nEND__\n");
	prints("sh <<A\nEND999999999999999\nEND1000000000000000\nA\n",
	       "step sh sh <<'END'\nEND999999999999999\n"
	       "END1000000000000000\nEND\n");
	prints("sh ':' 0<<A\nx\nA\n", "step sh sh : 0<<'END'\nx\nEND\n");
	prints("run a <<A | b <<B\none\nA\n\ntwo\nB\n",
	       "step a run a <<'END' | b <<'END'\none\nEND\n\ntwo\nEND\n");
}
END_TEST

START_TEST(one_word)
{
	static const struct {
		const char *text, *want;
	} all[] = {
		{ "plain", "plain" }, { "", "''" }, { "a b", "'a b'" },
		{ "it's", "\"it's\"" }, { "$x", "'$x'" }, { "#", "'#'" },
		{ "'$`\"\\", "\"'\\$\\`\\\"\\\\\"" }, { "a=b", "'a=b'" },
		{ "@true", "'@true'" }, { "a@b", "a@b" }, { "a*", "'a*'" },
		{ "a\nb", "'a\nb'" }, { "a\r\n", "\"a\r\\\n\n\"" },
		{ "\xc3\xa9", "\xc3\xa9" }, { "./a-b_c.d:e,f%+~",
		  "./a-b_c.d:e,f%+~" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct arena *arena = arena_new(abort);
		struct strbuf out = { .arena = arena };

		print_word(all[i].text, &out);
		ck_assert_str_eq(out.text, all[i].want);
		arena_free(arena);
	}
}
END_TEST

/* Any text as a program's argument comes back as it was. */
START_TEST(every_text_is_one_word)
{
	static const char some[] = "aZ09 \t\n\r'\"\\$`#=@{}<>|&;*?[]()!~-é";
	uint64_t state = 1;

	for (int i = 0; i < 3000; i++) {
		struct arena *arena = arena_new(abort);
		struct strbuf line = { .arena = arena };
		char text[13] = "";
		struct attempt try;

		for (uint64_t n = random_next(&state) % 12; n; n--)
			text[n - 1] = some[random_next(&state) %
			                   (sizeof(some) - 1)];
		text[strlen(text)] = '\0';
		strbuf_puts(&line, "step s run x ");
		print_word(text, &line);
		strbuf_putc(&line, '\n');
		try = attempt(line.text);
		ck_assert_msg(try.plan != NULL, "%s",
		              try.plan ? "" : shown(&try));
		ck_assert_str_eq(word_text(&try.plan->steps[0].body->stages[0]
		                           .words[1]), text);
		check_trip(&test_vocabulary, &try);
		arena_free(try.arena);
		arena_free(arena);
	}
}
END_TEST

/* ---- what differs ------------------------------------------------------ */

static bool
are_equal(const char *one, const char *other)
{
	struct attempt a = attempt(one), b = attempt(other);
	bool equal;

	ck_assert_msg(a.plan && b.plan, "wrong: %s or %s", one, other);
	equal = plan_equal(a.plan, b.plan, &test_vocabulary);
	ck_assert_int_eq(plan_equal(b.plan, a.plan, &test_vocabulary), equal);
	arena_free(a.arena);
	arena_free(b.arena);
	return equal;
}

START_TEST(plans_that_differ)
{
	static const char *const all[] = {
		"run x\n", "run y\n", "run x y\n", "run x ''\n", "run 'x y'\n",
		"run nice=1 x\n", "run nice=2 x\n", "run env.A=1 x\n",
		"run env.B=1 x\n", "run x &\n", "run x | x\n", "run x >a\n",
		"run x >>a\n", "run x >b\n", "run x 2>a\n", "run x <&3\n",
		"run x <&4\n", "run x <<A\na\nA\n", "run '@true'\n",
		"run @true\n", "step x nice=1 run x\n", "step y run x\n",
		"step x\nneed root\nrun x\nend\n",
		"step x\nprepare a\nrun x\nend\n",
		"step x\nprepare sh a\nrun x\nend\n",
		"step x\nrun x\nrun x\nend\n", "step x\nrun x\nwait\nend\n",
		"repeat 1 run x\n", "repeat 2 run x\n",
		"repeat 2 jobs=1 run x\n", "step x sh x\n",
		"step x sh bash x\n", "step x sh x >a\n", "step x fork\n",
		"need root\nrun x\n", "need cpus>=1\nrun x\n",
		"need cpus>=2\nrun x\n", "need cpus>2\nrun x\n",
		"tmpdir x\nrun x\n", "tmpdir y\nrun x\n",
		"tmpfile x 1\nrun x\n", "tmpfile x 2\nrun x\n",
		"tmpfile x 1 seed=1\nrun x\n", "serve x tcp\nrun x\n",
		"serve x unix\nrun x\n", "serve x tcp request=1\nrun x\n",
		"open 3 a\nrun x\n", "open 4 a\nrun x\n", "open 3 a w\nrun x\n",
		"background 1\nrun x\n", "background 2\nrun x\n",
		"prepare a\nrun x\n", "rounds 1\nrun x\n", "warmup 1\nrun x\n",
		"budget 1s\nrun x\n", "seed 1\nrun x\n",
		"run x\nexpect execs = 1\n", "run x\nexpect forks = 1\n",
		"run x\nexpect execs < 1\n", "run x\nexpect execs = 2\n",
	};
	size_t count = sizeof(all) / sizeof(*all);

	for (size_t i = 0; i < count; i++)
		for (size_t j = i; j < count; j++)
			ck_assert_msg(are_equal(all[i], all[j]) == (i == j),
			              "%s\nand\n%s", all[i], all[j]);
}
END_TEST

START_TEST(plans_that_say_the_same)
{
	ck_assert(are_equal("run x\n", "# a line\nstep x\n\n  run \"x\"\nend"));
	ck_assert(are_equal("set n=2\nrepeat $n run x\n", "repeat 2 run x\n"));
	ck_assert(are_equal("with nice=1\nrun x\n", "step x nice=1 run x\n"));
	ck_assert(are_equal("run x <<A\na\nA\n", "run x <<'B'\na\nB\n"));
	ck_assert(are_equal("run x <a\n", "run x 0<a\r\n"));
}
END_TEST

/* ---- random texts ------------------------------------------------------ */

START_TEST(random_texts)
{
	struct writer w = { .state = 2004 };

	for (int i = 0; i < 2000; i++) {
		struct arena *arena = arena_new(abort);
		struct attempt try;

		w.text = w.heres = (struct strbuf){ .arena = arena };
		write_text(&w);
		try = attempt(w.text.text);
		ck_assert_msg(try.plan != NULL, "%s\n%s", w.text.text,
		              try.plan ? "" : shown(&try));
		check_trip(&test_vocabulary, &try);
		arena_free(try.arena);
		arena_free(arena);
	}
}
END_TEST

/* ---- mutations --------------------------------------------------------- */

#define LONGEST 4000             /* bytes of a mutated text */

struct mutant {
	char text[LONGEST];
	size_t len;
};

/* Puts len bytes in the place of some that stand at a place. */
static void
replace(struct mutant *m, size_t at, size_t gone, const char *new, size_t len)
{
	if (gone > m->len - at)
		gone = m->len - at;
	if (m->len - gone + len > LONGEST)
		return;
	memmove(m->text + at + len, m->text + at + gone, m->len - at - gone);
	memmove(m->text + at, new, len);
	m->len = m->len - gone + len;
}

static void
mutate(struct mutant *m, uint64_t *state)
{
	static const char bytes[] =
		"\n\r\t '\"\\$`#=@{}<>|&;*?[()!~-0a\xff\x80";
	static const char *const words[] = {
		"end\n", "step x\n", "repeat 2 ", "run ", "sh ", "<<E", "<<'E'",
		"\nE\n", "${n:-", "}", "$n", " & ", " | ", " 2>&1 ", "fork\n",
		"wait\n", "with nice=1\n", "99999999999999999999",
		"need root\n", "tmpdir n\n", "set n=$n$n\n", "@true",
		"jobs=2 ", "\r\n",
	};
	size_t at = random_next(state) % (m->len + 1);
	size_t len = random_next(state) % 20;
	const char *word = ONE_OF(state, words);
	char copy[20];

	switch (random_next(state) % 5) {
	case 0:
		replace(m, at, random_next(state) % 2,
		        &bytes[random_next(state) % sizeof(bytes)], 1);
		break;
	case 1:
		replace(m, at, len, "", 0);
		break;
	case 2:
		replace(m, at, 0, word, strlen(word));
		break;
	case 3:
		if (len > m->len - at)
			len = m->len - at;
		memcpy(copy, m->text + at, len);
		replace(m, random_next(state) % (m->len + 1), 0, copy, len);
		break;
	default:
		m->text[at < m->len ? at : 0] ^= 1 << random_next(state) % 8;
	}
}

START_TEST(mutated_workloads)
{
	uint64_t state = 2004;
	size_t plans = 0, wrong = 0;

	for (const struct builtin *b = builtins; b->name; b++)
		for (int i = 0; i < 600; i++) {
			struct mutant m = { .len = strlen(b->text) };
			struct attempt try;

			ck_assert_uint_lt(m.len, LONGEST);
			memcpy(m.text, b->text, m.len);
			for (int n = i % 6; n >= 0 && i; n--)
				mutate(&m, &state);
			try = read_with(&vocabulary, m.text, m.len);
			/* As it was it is right. */
			ck_assert_msg(i || try.plan, "%s", b->name);
			ck_assert_int_eq(!try.plan, try.complaints.count > 0);
			if (try.plan)
				check_trip(&vocabulary, &try);
			else
				ck_assert(str_ends(shown(&try),
				                   ", nothing was run\n"));
			*(try.plan ? &plans : &wrong) += 1;
			arena_free(try.arena);
		}
	/* Both happen often, or else little was tried. */
	ck_assert_uint_gt(plans, 1000);
	ck_assert_uint_gt(wrong, 1000);
}
END_TEST

UNIT_MAIN("lang_print", canonical_texts, one_word, every_text_is_one_word,
          plans_that_differ, plans_that_say_the_same, random_texts,
          mutated_workloads)

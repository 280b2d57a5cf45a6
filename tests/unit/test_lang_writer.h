/*
 * test_lang_writer: random workloads that are right, in the vocabulary of
 * test_lang.h. The same seed gives the same texts.
 */
#ifndef FORKLOAD_TEST_LANG_WRITER_H
#define FORKLOAD_TEST_LANG_WRITER_H

#include "base/random.h"
#include "base/strbuf.h"

/* One of an array's elements. */
#define ONE_OF(state, list) \
	((list)[random_next(state) % (sizeof(list) / sizeof(*(list)))])

/* Text so far, and the bodies of heredocs that its last line has. */
struct writer {
	uint64_t state;
	struct strbuf text, heres;
	int tags;
};

static inline uint64_t
below(struct writer *w, uint64_t n)
{
	return random_next(&w->state) % n;
}

static inline void
write_word(struct writer *w)
{
	static const char *const pieces[] = {
		"a", "-x", "7", "@", "'a b'", "\"$d\"", "${f}", "$v", "\\ ",
		"'\n'", "\"\\\"\"", "'#'", "k=v", "'='", "{}", "é", "''",
		"\"\r\\\n\n\"", "'\r'", "'$d'", "\"\\$d\"", "'|'", "'*'", "\\'",
		"${d}", "${no:-t}", "\"a\t`'`$f'\"", "'`'", "'\\\n'", "%~!^",
	};
	bool name_before = false;

	for (uint64_t n = 1 + below(w, 4); n; n--) {
		const char *piece = ONE_OF(&w->state, pieces);

		/* So that "$v" is not followed by more of a name. */
		if (name_before)
			strbuf_puts(&w->text, "''");
		strbuf_puts(&w->text, piece);
		name_before = piece[0] == '$';
	}
}

static inline void
write_here(struct writer *w)
{
	static const char *const lines[] = {
		"text\n", "END\n", "END1\n", "END07\n", "END \n", "$f\n",
		"a ${d}b\n", "\\$x\n", "a\\\n", "\n", "\"'`\\`\n", "\\\\\n",
		"\r\n", "a\r\\\n\n", "é\n",
	};
	bool quoted = below(w, 2);

	strbuf_printf(&w->text, quoted ? "<<'T%d'" : "<<T%d", w->tags);
	for (uint64_t n = below(w, 5); n; n--)
		strbuf_puts(&w->heres, ONE_OF(&w->state, lines));
	/* So that the tag is not joined to the line before. */
	strbuf_printf(&w->heres, "\nT%d\n", w->tags++);
}

static inline void
write_redirs(struct writer *w, bool sh)
{
	static const char *const to_files[] = {
		"<", ">", ">>", "<>", "2>", "7<>", "0>>", "1023<",
	};
	static const char *const dups[] = {
		"2>&1", "<&3", ">&-", "<&-", "9>&-", "4<&0",
	};

	for (uint64_t n = below(w, 3); n; n--) {
		strbuf_putc(&w->text, ' ');
		switch (below(w, 3)) {
		case 0:
			strbuf_puts(&w->text, ONE_OF(&w->state, to_files));
			strbuf_puts(&w->text, "f");
			write_word(w);
			break;
		case 1:
			strbuf_puts(&w->text, ONE_OF(&w->state, dups));
			break;
		default:
			if (sh || below(w, 2))
				strbuf_printf(&w->text, "%d",
				              sh && below(w, 2) ? 3 : 0);
			write_here(w);
		}
	}
}

static inline void
write_knobs(struct writer *w, bool own)
{
	static const char *const knobs[] = {
		" nice=-5", " cpu=0,2-3", " status=7", " nice=3", " env.A=x",
	};

	if (below(w, 2))
		strbuf_puts(&w->text, ONE_OF(&w->state, knobs));
	if (below(w, 3) == 0) {
		strbuf_puts(&w->text, " env.B-c=");
		write_word(w);
	}
	if (!own && below(w, 4) == 0)
		strbuf_puts(&w->text, " like=dash");
}

static inline void
write_run(struct writer *w)
{
	static const char *const programs[] = {
		" prog", " '@odd'", " 'a=b'", " $d/x", " ''x", " 'a b'",
		" @true", " @exit 7", " @readfile $f", " \"$d x\"",
		" @client fd=3 send=1,2", " \"\"@true", " \\@x", " './a/'",
	};
	uint64_t stages = 1 + below(w, 3);

	strbuf_puts(&w->text, "run");
	write_knobs(w, true);
	for (uint64_t i = 0; i < stages; i++) {
		const char *program = ONE_OF(&w->state, programs);

		strbuf_puts(&w->text, i ? " |" : "");
		strbuf_puts(&w->text, program);
		for (uint64_t n = program[1] == '@' ? 0 : below(w, 3); n; n--) {
			strbuf_putc(&w->text, ' ');
			write_word(w);
		}
		write_redirs(w, false);
	}
	strbuf_puts(&w->text, below(w, 4) ? "" : " &");
}

static inline void
write_sh(struct writer *w)
{
	static const char *const shells[] = {
		"", " bash", " $d/sh", " '@sh'", " 'a=b'", " ''",
	};

	strbuf_puts(&w->text, "sh");
	write_knobs(w, true);
	strbuf_puts(&w->text, ONE_OF(&w->state, shells));
	strbuf_putc(&w->text, ' ');
	if (below(w, 2)) {
		write_here(w);
	} else {
		strbuf_puts(&w->text, "':'");
		write_word(w);
	}
	write_redirs(w, true);
}

static inline void
end_line(struct writer *w)
{
	strbuf_putc(&w->text, '\n');
	if (w->heres.len)
		strbuf_add(&w->text, w->heres.text, w->heres.len);
	w->heres.len = 0;
}

static inline void
write_command(struct writer *w, int depth)
{
	uint64_t kind = below(w, depth ? 6 : 5);

	if (kind == 5) {
		strbuf_printf(&w->text, "repeat %d", 1 + (int)below(w, 9));
		if (below(w, 2)) {
			strbuf_putc(&w->text, ' ');
			write_command(w, depth - 1);
			return;
		}
		end_line(w);
		for (uint64_t n = 1 + below(w, 3); n; n--)
			write_command(w, depth - 1);
		strbuf_puts(&w->text, "end");
	} else if (kind == 4) {
		strbuf_puts(&w->text, "fork");
	} else {
		(kind >= 2 ? write_sh : write_run)(w);
	}
	end_line(w);
}

/* A whole workload. */
static inline void
write_text(struct writer *w)
{
	strbuf_puts(&w->text, "tmpdir d\ntmpfile f 4k\nset v='a b'\n");
	if (below(w, 2))
		strbuf_puts(&w->text, "serve s tcp delay=20us\nopen 5 $s r\n"
		            "need cpus>=2 program:a\nbackground 3\n");
	for (int steps = 1 + (int)below(w, 3), i = 0; i < steps; i++) {
		if (below(w, 4) == 0)
			strbuf_puts(&w->text, "with nice=9 env.W=$d\n");
		if (below(w, 3) == 0) {
			write_command(w, 3);
			continue;
		}
		strbuf_printf(&w->text, "step 's %d'", i);
		write_knobs(w, false);
		if (below(w, 2)) {
			strbuf_putc(&w->text, ' ');
			write_command(w, 3);
			continue;
		}
		strbuf_puts(&w->text, "\nneed root\nprepare ");
		write_word(w);
		end_line(w);
		for (uint64_t n = 1 + below(w, 3); n; n--)
			write_command(w, 3);
		strbuf_puts(&w->text, "wait\nend\n");
	}
}

#endif

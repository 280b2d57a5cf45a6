#include "test_archive.h"

#include "lab/benchfmt.h"

static void
put_console(struct strbuf *out, const char *boot, int pairs)
{
	struct strbuf run = { .arena = out->arena };

	put_run(&run, boot, pairs);
	benchfmt_console(out, run.text, run.len);
}

/* The log of a console, with all that such logs have. */
START_TEST(console_log)
{
	struct fixture f;
	struct strbuf plain = { 0 }, text = { 0 };
	struct archive archive;
	int line = 0;

	archive_setup(&f);
	plain.arena = text.arena = f.arena;
	put_console(&plain, "5f0c", 4);
	put_console(&plain, "77aa", 3);
	strbuf_puts(&text, "U-Boot 2024\r\n# forkload -a - ./slow.sh\r\n"
	            "BenchmarkLoopback/clients/aslr=on 50 1 ns/op\r\n");
	for (const char *at = plain.text; *at; line++) {
		size_t len = strcspn(at, "\n");

		strbuf_printf(&text, "[%5d.123456] %.*s\r\r\n", line, (int)len,
		              at);
		if (line % 3 == 0)
			strbuf_puts(&text, "random: crng init done\r\n");
		at += len + 1;
	}
	strbuf_puts(&text, "# reboot: power down\r\n# ");
	archive = read_text_back(&f, text.text);
	ck_assert_uint_eq(archive.nruns, 2);
	ck_assert_uint_eq(archive.nnotes, 0);
	ck_assert_uint_eq(check_blocks(&archive), 14);
	ck_assert(archive.runs[0].complete && archive.runs[1].complete);
	ck_assert_str_eq(archive.runs[1].boot, "77aa");
	archive_teardown(&f);
}
END_TEST

START_TEST(console_damage)
{
	struct fixture f;
	struct strbuf plain = { 0 }, text = { 0 };
	struct archive archive;
	char *at;

	archive_setup(&f);
	plain.arena = text.arena = f.arena;
	put_console(&plain, "5f0c", 4);
	/* A digit is another one: one block, and its place, is gone. */
	at = strstr(plain.text, " 400010 ns");
	ck_assert_ptr_nonnull(at);
	at[1] = '9';
	/* A message in the middle of a line: the same once more. */
	at = strstr(plain.text, " 400020 ns");
	strbuf_add(&text, plain.text, (size_t)(at - plain.text));
	strbuf_puts(&text, "[ 12.3] usb 1-1: new device\n");
	strbuf_puts(&text, at);
	archive = read_text_back(&f, text.text);
	ck_assert_uint_eq(archive.nruns, 1);
	ck_assert(archive.runs[0].complete);
	ck_assert_uint_eq(check_blocks(&archive), 6);
	ck_assert(is_noted(&archive, "2 damaged lines were left out"));
	ck_assert_uint_eq(archive.nnotes, 1);
	archive_teardown(&f);
}
END_TEST

/* Whatever one byte becomes, or where one is lost, no wrong block is read. */
START_TEST(console_every_byte)
{
	struct fixture f;
	struct strbuf plain = { 0 };
	char *text;

	archive_setup(&f);
	plain.arena = f.arena;
	put_console(&plain, "5f0c", 2);
	put_console(&plain, "77aa", 1);
	text = arena_alloc(f.arena, plain.len + 1);
	for (size_t i = 0; i < 2 * plain.len; i++) {
		size_t where = i / 2, cut = i % 2;
		struct archive archive;
		struct errmsg why;

		memcpy(text, plain.text, plain.len);
		if (cut)
			memmove(text + where, text + where + 1,
			        plain.len - where - 1);
		else
			text[where] ^= 1 << where % 7;
		ck_assert(read_back(&f, text, plain.len - cut, &archive,
		                    &why) == 0);
		/* Where a run lost its boot the other one is left. */
		ck_assert_uint_ge(check_blocks(&archive), 2);
		ck_assert_uint_ge(archive.nruns, 1);
		ck_assert_uint_le(archive.nruns, 2);
	}
	archive_teardown(&f);
}
END_TEST

START_TEST(console_cut)
{
	struct fixture f;
	struct strbuf plain = { 0 };
	struct archive archive;

	archive_setup(&f);
	plain.arena = f.arena;
	put_console(&plain, "5f0c", 2);
	/* The machine went down, and wrote again after it came up. */
	*strstr(plain.text, "# end: ") = '\0';
	plain.len = strlen(plain.text);
	put_console(&plain, "77aa", 1);
	archive = read_text_back(&f, plain.text);
	ck_assert_uint_eq(archive.nruns, 2);
	ck_assert(!archive.runs[0].complete && archive.runs[1].complete);
	ck_assert_uint_eq(check_blocks(&archive), 6);
	ck_assert(is_noted(&archive, "run 1 was cut short"));
	archive_teardown(&f);
}
END_TEST

UNIT_MAIN("archive_console", console_log, console_damage, console_every_byte,
          console_cut)

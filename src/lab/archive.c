#include "archive_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

#define FIRST_ROOM ((size_t)16 << 10)

/* ---- what is read ------------------------------------------------------ */

const char *
archive_fact(const struct archive_run *run, const char *key)
{
	for (size_t i = 0; i < run->nfacts; i++)
		if (strcmp(run->facts[i].key, key) == 0)
			return run->facts[i].value;
	return NULL;
}

const struct archive_series *
archive_series(const struct archive_run *run, const char *key)
{
	for (size_t i = 0; i < run->nseries; i++)
		if (strcmp(run->series[i].key, key) == 0)
			return &run->series[i];
	return NULL;
}

void
archive_note(struct reader *reader, const char *text)
{
	struct archive *archive = reader->archive;
	const char **note = arena_push(reader->arena, &archive->notes,
	                               &archive->nnotes, sizeof(*note));

	*note = arena_printf(reader->arena, "%s: %s", reader->file, text);
}

/* ---- lines ------------------------------------------------------------- */

/*
 * A carriage return ends a line as a newline does: consoles add some, and a
 * progress line may stand before one. NULs are what a power failure leaves
 * of a file's end: they end a line, but not as a whole one.
 */
static struct line *
cut_lines(struct arena *arena, char *text, size_t len, size_t *count)
{
	struct line *lines = NULL;
	size_t from = 0;

	*count = 0;
	for (size_t i = 0; i <= len; i++) {
		bool ends = i < len && (text[i] == '\n' || text[i] == '\r');

		if (i < len && !ends && text[i] != '\0')
			continue;
		if (i > from) {
			struct line *line = arena_push(arena, &lines, count,
			                               sizeof(*line));

			line->text = text + from;
			line->len = i - from;
			line->whole = ends;
		}
		text[i] = '\0';
		from = i + 1;
	}
	return lines;
}

/* Without what a mail or a person put before it. */
static struct line
unquoted(struct line line)
{
	size_t n = strspn(line.text, " \t>");

	line.text += n;
	line.len -= n;
	return line;
}

/*
 * A run that was appended behind a line that had been cut short: the header
 * is not at the line's start.
 */
static void
plain_line(struct reader *reader, struct line line)
{
	const char *header = strstr(line.text, "# forkload: ");

	line = unquoted(line);
	if (header && header > line.text) {
		size_t n = (size_t)(header - line.text);

		archive_run_ends(reader);
		line.text += n;
		line.len -= n;
	}
	archive_line(reader, &line);
}

/* ---- a file ------------------------------------------------------------ */

/* All of it, with room for a NUL behind it; NULL with errno. */
static char *
read_file(struct arena *arena, int fd, size_t expected, size_t *len)
{
	size_t room = expected + 2 > FIRST_ROOM ? expected + 2 : FIRST_ROOM;
	char *text = arena_alloc(arena, room);

	for (*len = 0; ; ) {
		size_t want = room - *len - 1;
		ssize_t n = read_all(fd, text + *len, want);
		char *larger;

		if (n < 0)
			return NULL;
		*len += (size_t)n;
		if ((size_t)n < want)
			return text;
		larger = arena_array(arena, room, 2);
		memcpy(larger, text, *len);
		text = larger;
		room *= 2;
	}
}

/* Where a file has runs with a boot's id, another's boot is not known. */
static void
drop_unknown_boots(struct reader *reader)
{
	struct archive *archive = reader->archive;
	size_t known = 0, kept = reader->first;

	for (size_t i = reader->first; i < archive->nruns; i++)
		known += archive->runs[i].boot != NULL;
	if (known == 0)
		return;
	for (size_t i = reader->first; i < archive->nruns; i++) {
		const struct archive_run *run = &archive->runs[i];

		if (run->boot || run->is_list)
			archive->runs[kept++] = *run;
		else
			archive_note(reader, "a run that does not tell its "
			             "boot was left out");
	}
	archive->nruns = kept;
}

static void
tell(struct reader *reader)
{
	const struct archive *archive = reader->archive;

	for (size_t i = reader->first; i < archive->nruns; i++) {
		const struct archive_run *run = &archive->runs[i];
		size_t blocks = 0;

		for (size_t s = 0; s < run->nseries; s++)
			blocks += run->series[s].nblocks;
		if (!run->version && !run->is_list)
			archive_note(reader, arena_printf(reader->arena,
				"run %zu lacks its beginning",
				i - reader->first + 1));
		if (!run->complete && !run->is_list)
			archive_note(reader, arena_printf(reader->arena,
				"run %zu was cut short: its end is missing, "
				"%zu block%s read", i - reader->first + 1,
				blocks, blocks == 1 ? " was" : "s were"));
	}
	if (reader->damaged)
		archive_note(reader, arena_printf(reader->arena,
			"%" PRId64 " damaged line%s left out",
			reader->damaged,
			reader->damaged == 1 ? " was" : "s were"));
}

/* Takes the text apart; it is changed. */
static void
read_lines(struct reader *reader, char *text, size_t len)
{
	size_t count;
	struct line *lines = cut_lines(reader->arena, text, len, &count);

	for (size_t i = 0; i < count && !reader->headless; i++)
		reader->headless = strstr(lines[i].text, "# block: ") != NULL;
	if (archive_is_console(lines, count))
		archive_console(reader, lines, count);
	else
		for (size_t i = 0; i < count; i++)
			plain_line(reader, lines[i]);
	archive_run_ends(reader);
	tell(reader);
	drop_unknown_boots(reader);
}

/* Adds an open file's runs: how many values they have, or -1 with why. */
static long
read_open(struct arena *arena, const char *name, int fd,
          const struct stat *stat, struct archive *archive,
          struct errmsg *why)
{
	struct reader reader = {
		.arena = arena, .archive = archive, .file = name,
		.first = archive->nruns, .run = -1, .list = -1,
	};
	size_t expected = S_ISREG(stat->st_mode) ? (size_t)stat->st_size : 0;
	size_t len;
	char *text = read_file(arena, fd, expected, &len);
	long values = 0;

	if (!text)
		return errmsg_errno(why, "cannot read %s", name);
	read_lines(&reader, text, len);
	for (size_t i = reader.first; i < archive->nruns; i++)
		for (size_t s = 0; s < archive->runs[i].nseries; s++)
			values += (long)archive->runs[i].series[s].nblocks;
	return values;
}

/* ---- a folder ---------------------------------------------------------- */

static int
by_name(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

static long
read_named(struct arena *arena, const char *path, struct archive *archive,
           bool regular_only, struct errmsg *why);

static long
read_folder(struct arena *arena, const char *path, struct archive *archive,
            struct errmsg *why)
{
	DIR *folder = opendir(path);
	const char **names = NULL;
	struct dirent *entry;
	size_t count = 0;
	long values = 0;

	if (!folder)
		return errmsg_errno(why, "cannot open %s", path);
	while ((entry = readdir(folder)) != NULL)
		*(const char **)arena_push(arena, &names, &count,
		                           sizeof(*names)) =
			arena_printf(arena, "%s/%s", path, entry->d_name);
	closedir(folder);
	qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++) {
		long n = read_named(arena, names[i], archive, true, why);

		if (n < 0)
			return -1;
		values += n;
	}
	return values;
}

static long
read_named(struct arena *arena, const char *path, struct archive *archive,
           bool regular_only, struct errmsg *why)
{
	struct stat is;
	long n;
	int fd;

	if (!regular_only && strcmp(path, "-") == 0) {
		if (fstat(0, &is) < 0)
			return errmsg_errno(why, "cannot read %s", path);
		return read_open(arena, path, 0, &is, archive, why);
	}
	if (stat(path, &is) < 0) {
		/* A link in a folder may lead nowhere. */
		if (regular_only && errno == ENOENT)
			return 0;
		return errmsg_errno(why, "cannot open %s", path);
	}
	if (regular_only && !S_ISREG(is.st_mode))
		return 0;
	if (S_ISDIR(is.st_mode))
		return read_folder(arena, path, archive, why);
	fd = open_file(path, O_RDONLY, 0);
	if (fd < 0)
		return errmsg_errno(why, "cannot open %s", path);
	n = read_open(arena, path, fd, &is, archive, why);
	close(fd);
	return n;
}

int
archive_read(struct arena *arena, const char *path, struct archive *archive,
             struct errmsg *why)
{
	long values = read_named(arena, path, archive, false, why);

	if (values < 0)
		return -1;
	if (values == 0)
		return errmsg_set(why, "%s holds no results", path);
	return 0;
}

#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "sys/knob.h"

#define LONGEST_LABEL 60

/* ---- where it is ------------------------------------------------------- */

static int
lacks(struct arena *arena, struct lack *lack, int status, const char *name,
      const char *reason)
{
	lack->reason = arena_printf(arena, "cannot execute %s: %s", name,
	                            reason);
	lack->status = status;
	return -1;
}

/* "#!" with an interpreter that is not there: execve would say ENOENT. */
static int
check_interpreter(struct arena *arena, const char *name, const char *seen,
                  struct lack *lack)
{
	char line[256], *at, *end;
	int fd = open_file(seen, 0, 0);
	ssize_t n = fd < 0 ? -1 : read_all(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	if (n < 3 || line[0] != '#' || line[1] != '!')
		return 0;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	at = line + 2 + strspn(line + 2, " \t");
	end = at + strcspn(at, " \t");
	*end = '\0';
	if (*at != '/' || access(at, F_OK) == 0)
		return 0;
	if (str_ends(at, "\r"))
		return lacks(arena, lack, 126, name, "its lines end in "
		             "carriage returns, as on Windows");
	return lacks(arena, lack, 126, name,
	             arena_printf(arena, "its interpreter %s is missing", at));
}

static int
check_file(struct arena *arena, const char *name, const char *seen,
           struct lack *lack)
{
	struct stat st;

	if (stat(seen, &st) < 0)
		return lacks(arena, lack,
		             errno == ENOENT || errno == ENOTDIR ? 127 : 126,
		             name, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return lacks(arena, lack, 126, name, strerror(EISDIR));
	if (access(seen, X_OK) < 0)
		return lacks(arena, lack, 126, name, strerror(errno));
	return check_interpreter(arena, name, seen, lack);
}

/* A path as the child sees it once it is in dir. */
static const char *
seen_from(struct arena *arena, const char *dir, const char *path)
{
	return !dir || *path == '/' ? path :
	       arena_printf(arena, "%s/%s", dir, path);
}

static const char *
search(struct arena *arena, const char *name, const char *path,
       const char *dir, struct lack *lack)
{
	char tried[4096];

	lacks(arena, lack, 127, name, "not found in PATH");
	while (path_next(&path, name, tried, sizeof(tried))) {
		const char *seen = seen_from(arena, dir, tried);
		struct lack this = { NULL, 0 };

		if (check_file(arena, tried, seen, &this) == 0) {
			lack->reason = NULL;
			return arena_copy(arena, tried, strlen(tried));
		}
		/* A file that is there but not for us is the better news; a */
		/* folder that may not be searched is none. */
		if (this.status == 126 && lack->status == 127 &&
		    access(seen, F_OK) == 0)
			*lack = this;
	}
	return name;
}

const char *
program_path(struct arena *arena, const char *name, const char *path,
             const char *dir, struct lack *lack)
{
	lack->reason = NULL;
	if (!*name) {
		lacks(arena, lack, 127, "''", "an empty name");
		return name;
	}
	if (!strchr(name, '/'))
		return search(arena, name, path ? path : DEFAULT_PATH, dir,
		              lack);
	check_file(arena, name, seen_from(arena, dir, name), lack);
	return name;
}

/* ---- what it is given -------------------------------------------------- */

static bool
names(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

const char *
environ_value(char *const *environ_list, const char *name)
{
	for (; environ_list && *environ_list; environ_list++)
		if (names(*environ_list, name))
			return *environ_list + strlen(name) + 1;
	return NULL;
}

static void
environ_set(struct arena *arena, char **list, size_t *count, const char *name,
            const char *value)
{
	char *entry = arena_printf(arena, "%s=%s", name, value);

	for (size_t i = 0; i < *count; i++)
		if (names(list[i], name)) {
			list[i] = entry;
			return;
		}
	list[(*count)++] = entry;
}

static bool
changes_environ(const struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->list[i].knob->id == KNOB_ENV ||
		    settings->list[i].knob->id == KNOB_ENVPAD)
			return true;
	return false;
}

char *const *
program_environ(const struct job_context *context,
                const struct settings *settings)
{
	const struct setting *pad =
		settings_find(settings, KNOB_ENVPAD, "");
	size_t count = 0;
	char **list;

	if (!changes_environ(settings))
		return context->environ;
	while (context->environ[count])
		count++;
	list = arena_array(context->arena, count + settings->count + 2,
	                   sizeof(*list));
	memcpy(list, context->environ, count * sizeof(*list));
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *s = &settings->list[i];

		if (s->knob->id == KNOB_ENV)
			environ_set(context->arena, list, &count, s->key,
			            word_expand(context->arena, &s->word,
			                        context->values));
	}
	if (pad && pad->value.n > 0) {
		size_t len = (size_t)pad->value.n;
		char *x = arena_alloc(context->arena, len + 1);

		environ_set(context->arena, list, &count, "FORKLOAD_PAD",
		            memset(x, 'x', len));
	}
	list[count] = NULL;
	return list;
}

const char *
program_pad(struct arena *arena, const char *name, int64_t bytes)
{
	size_t len = (size_t)bytes, base = strlen(name);
	char *padded = arena_alloc(arena, len + base + 1);
	bool absolute = *name == '/';

	/* "/" before an absolute name and "./" before another change only */
	/* its length; an odd one is made even by one more '/'. */
	for (size_t i = 0; i < len; i++)
		padded[i] = absolute || i % 2 || i + 1 == len ? '/' : '.';
	memcpy(padded + len, name, base);
	return padded;
}

const char *
program_label(struct arena *arena, char *const *argv)
{
	struct strbuf buf = { .arena = arena };

	for (size_t i = 0; argv[i] && buf.len <= LONGEST_LABEL; i++) {
		if (i)
			strbuf_putc(&buf, ' ');
		strbuf_puts(&buf, argv[i]);
	}
	for (size_t i = 0; i < buf.len; i++)
		if ((unsigned char)buf.text[i] < ' ')
			buf.text[i] = ' ';
	if (buf.len > LONGEST_LABEL) {
		size_t cut = LONGEST_LABEL - 3;

		/* Not within a UTF-8 character. */
		while (cut && ((unsigned char)buf.text[cut] & 0xc0) == 0x80)
			cut--;
		buf.text[cut] = '\0';
		return arena_printf(arena, "%s...", buf.text);
	}
	return buf.text;
}

#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "cmd/command.h"
#include "lab/benchfmt.h"

/* Opened each time: a run has no descriptors but those of its workload. */
static int
append(const char *path, const char *text, size_t len)
{
	int fd = open_file(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
	int error;

	if (fd < 0)
		return -1;
	error = write_all(fd, text, len) < 0 ? errno : 0;
	if (close(fd) < 0 && !error)
		error = errno;
	errno = error;
	return error ? -1 : 0;
}

int
samples_open(struct samples *samples, struct arena *arena, const char *path)
{
	memset(samples, 0, sizeof(*samples));
	samples->path = path;
	samples->arena = arena;
	samples->kept.arena = samples->text.arena = arena;
	samples->console = path && strcmp(path, "-") == 0;
	if (!path || samples->console || append(path, "", 0) == 0)
		return 0;
	say("cannot open %s: %s; nothing was run", path, strerror(errno));
	return -1;
}

static void
put(struct samples *samples)
{
	struct strbuf *text = &samples->text;

	if (text->len == 0)
		return;
	if (samples->console)
		strbuf_add(&samples->kept, text->text, text->len);
	else if (!samples->error &&
	         append(samples->path, text->text, text->len) < 0)
		samples->error = errno;
	text->len = 0;
}

static void
begin(struct samples *samples, const struct result *result)
{
	if (!samples->begun)
		bench_head(result, &samples->text);
	samples->begun = true;
}

void
samples_pair(struct samples *samples, const struct result *result,
             int64_t pair)
{
	if (!samples->path)
		return;
	begin(samples, result);
	bench_pair(&samples->bench, result, pair, &samples->text);
	put(samples);
}

int
samples_close(struct samples *samples, const struct result *result)
{
	if (!samples->path)
		return EXIT_DONE;
	begin(samples, result);
	bench_end(&samples->bench, result, &samples->text);
	put(samples);
	if (samples->console) {
		struct strbuf out = { .arena = samples->arena };

		benchfmt_console(&out, samples->kept.text, samples->kept.len);
		return put_out(out.text, out.len);
	}
	if (!samples->error)
		return EXIT_DONE;
	say("cannot write on %s: %s", samples->path, strerror(samples->error));
	return EXIT_OWN;
}

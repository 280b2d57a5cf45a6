#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/units.h"

#define REDRAW_NS (NS_PER_S / 5)

void
progress_init(struct progress *progress, const struct options *options)
{
	progress->when = options->progress;
	if (options->quiet || !when_holds(progress->when, 2))
		progress->when = WHEN_NEVER;
	progress->drawn_ns = 0;
	progress->on_screen = false;
}

static void
describe(const struct lab_progress *now, char *text, size_t room)
{
	char elapsed[32], budget[32];

	show_duration(now->elapsed_ns, elapsed, sizeof(elapsed));
	if (now->rounds < 0)
		snprintf(text, room, "warming up, %s", elapsed);
	else if (now->rounds_asked)
		snprintf(text, room, "round %" PRId64 " of %" PRId64 ", %s",
		         now->rounds + 1, now->rounds_asked, elapsed);
	else
		snprintf(text, room, "round %" PRId64 ", %s of %s",
		         now->rounds + 1, elapsed,
		         show_duration(now->budget_ns, budget,
		                       sizeof(budget)));
}

void
progress_draw(void *state, const struct lab_progress *now)
{
	struct progress *progress = state;
	bool lines = progress->when == WHEN_LINES;
	char text[128], line[160];
	int64_t every = lines ? NS_PER_S : REDRAW_NS;

	if (progress->when == WHEN_NEVER ||
	    (progress->drawn_ns && clock_ns() - progress->drawn_ns < every))
		return;
	describe(now, text, sizeof(text));
	snprintf(line, sizeof(line), lines ? "%s\n" : "\r%-60s\r", text);
	write_all(2, line, strlen(line));
	tcdrain(2);
	progress->drawn_ns = clock_ns();
	progress->on_screen = !lines;
}

void
progress_clear(struct progress *progress)
{
	char line[64];

	if (!progress->on_screen)
		return;
	snprintf(line, sizeof(line), "\r%60s\r", "");
	write_all(2, line, strlen(line));
	progress->on_screen = false;
}

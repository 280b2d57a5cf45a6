/*
 * main: picks an applet or a command, nothing else.
 *
 * An applet is forkload executed again under a name that begins with '@';
 * it must be gone from here before anything is initialised.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applet/applet.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "cmd/command.h"

static _Noreturn void
no_memory(void)
{
	say("cannot get memory: %s", strerror(errno));
	exit(EXIT_OWN);
}

/*
 * Descriptors 0 to 2 must be open, or what is opened next would become one of
 * them. A closed standard output stays one that cannot be written.
 */
static int
fill_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd < 0)
		return -1;
	return close(fd);
}

static const struct command_row *
command_named(const char *name)
{
	const struct command_row *row = command_rows;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	return row->name ? row : NULL;
}

int
main(int argc, char **argv)
{
	const struct command_row *command = NULL;
	struct arena *arena;

	/* "--applet @NAME": by a program that chooses argv[0] itself. */
	if (argc > 2 && strcmp(argv[1], "--applet") == 0) {
		argc -= 2;
		argv += 2;
	}
	if (argc > 0 && path_base(argv[0])[0] == '@') {
		const struct applet *applet =
			applet_find(applets, path_base(argv[0]) + 1);

		if (applet)
			return applet->main(argc, argv);
	}
	if (fill_descriptors() < 0 && errno != ENOENT)
		return EXIT_OWN;
	if (clock_check() < 0) {
		say("cannot read the monotonic clock: %s", strerror(errno));
		return EXIT_OWN;
	}
	arena = arena_new(no_memory);
	if (!arena)
		no_memory();
	if (argc > 1)
		command = command_named(argv[1]);
	if (command)
		return command->main(arena, argc - 1, argv + 1);
	return command_run(arena, argc, argv);
}

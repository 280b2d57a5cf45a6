#include "applet.h"

#include "base/units.h"

int
applet_readfile(int argc, char **argv)
{
	int64_t times;

	if (argc < 2 ||
	    applet_number(argc, argv, "times", parse_int, 1, &times) < 0)
		return applet_usage("@readfile");
	for (int64_t i = 0; i < times; i++)
		if (applet_read_file(argv[1]) < 0)
			return applet_fail("@readfile", argv[1]);
	return 0;
}

#include "applet.h"

#include "base/units.h"

int
applet_exit(int argc, char **argv)
{
	int64_t status;

	if (argc != 2 || parse_int(argv[1], &status) < 0 || status < 0 ||
	    status > 255)
		return applet_usage("@exit");
	return (int)status;
}

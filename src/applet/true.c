#include "applet.h"

int
applet_true(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

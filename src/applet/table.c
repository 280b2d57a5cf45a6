#include "applet.h"

#include "sys/work.h"

static const struct param no_params[] = { { 0 } };

static const struct param exit_params[] = {
	{ "", VALUE_INT, "the exit status", .max = 255, .required = true },
	{ 0 }
};

static const struct param client_params[] = {
	{ "fd", VALUE_INT, "the open connection that requests go over",
	  .max = 1 << 20 },
	{ "to", VALUE_TEXT, "an address: each request has its own connection",
	  .shape = "ADDRESS" },
	{ "send", VALUE_SIZES, "bytes of a request, one write for each size",
	  .required = true },
	{ "recv", VALUE_SIZE, "bytes of the reply", .required = true },
	{ "times", VALUE_INT, "so many requests (1)", .max = 1 << 30 },
	{ "nodelay", VALUE_CHOICE, "TCP_NODELAY (off, as in a plain program)",
	  .choices = "on|off" },
	{ 0 }
};

static const struct param readfile_params[] = {
	{ "", VALUE_TEXT, "the file", .shape = "PATH", .required = true },
	{ "times", VALUE_INT, "so often (1)", .max = 1 << 30 },
	{ 0 }
};

static const struct param work_params[] = {
	{ "cpu", VALUE_CPU_TIME, "work in user mode, the same in every child",
	  .max = WORK_MOST_NS },
	{ "touch", VALUE_SIZE, "memory that is written to, page by page",
	  .max = 0 },
	{ "calls", VALUE_INT, "so many calls of getppid", .max = 0 },
	{ "read", VALUE_TEXT, "a file that is read to its end",
	  .shape = "PATH" },
	{ 0 }
};

const struct applet applets[] = {
	{ "true", "", "leaves at once", no_params, false, NULL, applet_true },
	{ "exit", "N", "leaves with that exit status", exit_params, false,
	  NULL, applet_exit },
	{ "client",
	  "fd=N|to=ADDRESS send=SIZE[,SIZE]... recv=SIZE [times=N]",
	  "sends requests and checks the replies", client_params, false,
	  client_check, applet_client },
	{ "readfile", "PATH [times=N]",
	  "reads a file, adds up its bytes and counts its words",
	  readfile_params, false, NULL, applet_readfile },
	{ "work", "[cpu=DUR] [touch=SIZE] [calls=N] [read=PATH]",
	  "a program of that shape", work_params, false, work_check,
	  applet_work },
	{ "took", "KNOB=VALUE...", "reads knobs back", no_params, true, NULL,
	  applet_took },
	{ 0 }
};

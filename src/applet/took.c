/*
 * @took: forkload's own. Do the knobs that its words name have their values
 * in this process, after the exec? Those that have not are written out.
 */
#include "applet.h"

#include <string.h>

#include "base/io.h"
#include "sys/knob.h"

static bool
took(const char *word, char *name, size_t room)
{
	const char *equals = strchr(word, '=');
	const struct knob *knob;
	struct value value;
	struct errmsg why;
	const char *key;

	if (!equals || (size_t)(equals - word) >= room)
		return false;
	memcpy(name, word, (size_t)(equals - word));
	name[equals - word] = '\0';
	knob = knob_find(knobs, name, &key);
	if (!knob || value_read(&knob->value, equals + 1, &value, &why) < 0)
		return false;
	return !knob->took || knob->took(&value);
}

int
applet_took(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++) {
		char name[64];

		if (took(argv[i], name, sizeof(name)))
			continue;
		if (write_all(1, argv[i], strlen(argv[i])) < 0 ||
		    write_all(1, "\n", 1) < 0)
			return applet_fail("@took", "cannot write");
		status = 1;
	}
	return status;
}

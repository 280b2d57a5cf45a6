#!/bin/sh
# Prints C source that holds the given workload files as strings.
set -eu

echo '#include "cmd/builtin.h"'
echo 'const struct builtin builtins[] = {'
for file; do
	name=$(basename "$file" .wl)
	printf '{ "%s",\n' "$name"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/	/\\t/g' \
		-e 's/^/"/' -e 's/$/\\n"/' "$file"
	echo '},'
done
echo '{ 0, 0 }'
echo '};'

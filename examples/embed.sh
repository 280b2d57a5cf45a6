#!/bin/bash
# Figures as variables of the shell: how much of a program's time is the
# making of its process?
set -euo pipefail

forkload=${FORKLOAD:-forkload}

# In two steps: eval would hide that forkload failed.
figures=$("$forkload" -q -b 2s -F sh \
	-e 'step fork   repeat 100 fork' \
	-e 'step exec   repeat 100 run @true' \
	-e 'step shell  repeat 20  sh :')
eval "$figures"

each()
{
	echo $(($1 / $2))
}

echo "fork:              $(each "$fl_fork_real_us" "$fl_fork_n") us"
echo "fork and exec:     $(each "$fl_exec_real_us" "$fl_exec_n") us"
echo "a shell besides:   $(each "$fl_shell_real_us" "$fl_shell_n") us"

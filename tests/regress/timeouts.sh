#!/bin/sh
# A timeout holds for each program, however short it is and whenever the guard
# looks; what ended in time is not late for being waited for late.
. "$TOP/tests/tap.sh"

run 124 "shorter than the guard's turn" -r 1 -W 0 \
	-e 'step x timeout=100ms run sleep 0.6'
has err "shorter: it is told" "timed out after 100ms, having used"
run 124 "the last of a few" -r 1 -W 0 -e 'step x timeout=300ms' \
	-e 'run sleep 0.1' -e 'run sleep 0.1' -e 'run sleep 0.6' -e end
run 124 "by vfork" -r 1 -W 0 -e 'step x spawn=vfork timeout=50ms run sleep 0.4'
run 124 "in a pipeline" -r 1 -W 0 -e 'step x timeout=100ms run sleep 0.6 | cat'
run 124 "several at once" -r 1 -W 0 \
	-e 'step x timeout=100ms repeat 4 jobs=2 run sleep 0.6'
run 124 "behind" -r 1 -W 0 -e 'step x' -e 'run timeout=100ms sleep 5 &' \
	-e 'run sleep 0.6' -e end

run 0 "ended in time, waited for late" -r 1 -W 0 -e 'step x' \
	-e 'run timeout=300ms true &' -e 'run sleep 1.5' -e end
run 0 "many in time" -r 5 -W 0 -e 'step x timeout=10s repeat 200 run @true'

done_testing

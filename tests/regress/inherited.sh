#!/bin/sh
# Descriptors that forkload itself was started with are not handed on: a
# program must find those that its workload gives it, and no others.
. "$TOP/tests/tap.sh"

exec 5</dev/null 9</dev/null
for method in fork vfork posix clone; do
	run 0 "$method: it runs" -r 1 -W 0 \
		-e "step x spawn=$method run $HELPERS/fds >seen"
	check "$method: only 0, 1 and 2" grep -q '^0 2 blocked' seen
done

run 0 "the workload's own are there" -r 1 -W 0 -e 'open 9 /dev/null' \
	-e "run $HELPERS/fds >seen"
check "0, 1, 2 and 9" grep -q '^0 2 9 blocked' seen

run 0 "prepare is given none either" -r 1 -W 0 \
	-e "prepare '$HELPERS/fds >seen'" -e 'run @true'
check "prepare: only 0, 1 and 2" grep -q '^0 2 blocked' seen

done_testing

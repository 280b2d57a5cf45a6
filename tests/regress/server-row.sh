#!/bin/sh
# The server is asked for its CPU time each round, also when there is only
# one, and for each kind: its row is never left out.
. "$TOP/tests/tap.sh"

for kind in tcp unix; do
	# shellcheck disable=SC2016 # $s is forkload's
	run 0 "$kind: it runs" -r 1 -W 0 -e "serve s $kind" -e 'open 3 $s' \
		-e 'step a run @client fd=3 send=64 recv=64 times=2000'
	check "$kind: a row for it" grep -q 'server, in no sum' out
	run 0 "$kind: two of them" -r 1 -W 0 -e "serve s $kind" \
		-e "serve t $kind" -e 'open 3 $s' -e 'open 4 $t' \
		-e 'step a run @client fd=3 send=64 recv=64'
	check "$kind: a row for each" \
		test "$(grep -c 'server, in no sum' out)" = 2
done

done_testing

#!/bin/sh
# Rounds so short that the guard always has an answer to read: a signal and a
# time limit must reach it all the same.
. "$TOP/tests/tap.sh"

"$FORKLOAD" --cpu-split=kernel -r 16000000 -W 0 -q \
	-e 'step a spawn=vfork run @true' >out 2>err &
pid=$!
sleep 2
kill -TERM "$pid"
wait "$pid"
check "a signal: its status" test $? = 143
check "a signal: what is complete is reported" grep -q '^real' out

run 124 "a time limit" -t 2s --cpu-split=kernel \
	-r 16000000 -W 0 -q -e 'step a spawn=vfork run @true'
check "a time limit: what is complete is reported" grep -q '^real' out

done_testing

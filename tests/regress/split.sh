#!/bin/sh
# What was wrong with whose CPU time it is and how it divides.
. "$TOP/tests/tap.sh"

# What a prepare leaves behind is no orphan of the step.
cat >before.wl <<END
step x
	prepare '$HELPERS/orphan 0.2 spin'
	run @true
end
END
run 0 "an orphan of a prepare" -r 1 -v --cpu-split=kernel -f before.wl
has out "it is not in the step's time" "orphans 0 ns"

# Among several at once an orphan is waited for with the rest.
run 0 "orphans among several at once" -r 1 -v --cpu-split=kernel \
	-e "step x repeat 4 jobs=2 run $HELPERS/orphan 0.05 spin"
has out "they are counted" "orphaned: 4 processes"
has_not out "their CPU time too" "; 0 ns of its CPU time"

# A program outside of a repeat is no first repetition.
cat >apart.wl <<END
step x
	run sleep 0.2
	repeat 20 run @true
end
END
run 0 "one program before a repeat" -r 1 -v --cpu-split=kernel -f apart.wl
check "its time is no first repetition's" sh -c \
	"! grep 'first repetition' out | grep -q ' 2[0-9][0-9] ms,'"

# getrusage's own figures are not set against themselves.
run 0 "long programs" -r 3 -v -e 'step x run @work cpu=120ms'
has_not out "they are time(1)'s own" "would have said"

# What is asked for is there before anything is run.
run 2 "counters that there are not, or a wrong word" --cpu-split=pum \
	-e "prepare 'touch ran'" -e 'step x run @true'
check "nothing was run" test ! -e ran

if ! "$FORKLOAD" -q -r 1 --cpu-split=sampled true >/dev/null 2>&1; then
	skip "sampling" "this kernel or user has none"
	done_testing
fi

# A budget that was typed has time for the calibration too, or for none.
run 0 "a budget below the calibration" -r 1 -b 20ms true
has out "there is no sampling in it" "no time for rounds that split it"

# One program a round has no spread, and yet an error.
run 0 "one program a round" -r 1 -W 0 -v --cpu-split=sampled \
	-e 'step x run @work cpu=40ms touch=64m'
check "its error is told" grep -q 'of it user .*+-[0-9.]* points' out

# Wherever the programs may run, there they are seen.
last=$(awk '/^Cpus_allowed_list/ { n = split($2, list, /[,-]/); print list[n] }' \
	/proc/self/status)
run 0 "on the last CPU" -r 2 -c "$last" --cpu-split=sampled \
	-e 'step x repeat 50 run @work cpu=1ms'
has out "on the last CPU: sampled" "user and sys by sampling"
if [ "$last" -gt 0 ] && command -v taskset >/dev/null; then
	taskset -c "$last" "$FORKLOAD" -r 2 --cpu-split=sampled \
		-e 'step x repeat 50 run cpu=0 @work cpu=1ms' >out 2>err
	if grep -q 'user and sys by sampling\|SKIPPED' out; then
		pass "on a CPU that is not the runner's"
	else
		fail "on a CPU that is not the runner's"
	fi
fi

done_testing

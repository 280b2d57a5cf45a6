#!/bin/sh
# What the kernel does for safety, on or off: does the child have it, is it
# left out where it cannot be had, is a sysctl put back.
. "$TOP/tests/tap.sh"

# knob NAME ARG...: one program with that knob; skipped where it cannot be.
knob()
{
	about=$1
	shift
	"$FORKLOAD" --cpu-split=kernel -q -r 1 -W 0 "$@" >out 2>err </dev/null
	status=$?
	if [ "$status" -eq 4 ]; then
		skip "$about" "$(sed -n 's/.*is skipped: //p' err | head -1)"
		return 1
	fi
	check "$about" test "$status" = 0
}

# status_line NAME FILE: that number of /proc/self/status
status_line()
{
	sed -n "s/^$1:[[:blank:]]*//p" "$2"
}

for method in fork vfork clone; do
	if knob "$method: aslr=off" \
		-e "step x spawn=$method aslr=off run cat /proc/self/personality >p"
	then
		check "$method: it is off" test "$((0x$(cat p) & 0x40000))" != 0
		knob "$method: aslr=on" -e "step x spawn=$method aslr=on run \
			cat /proc/self/personality >p"
		check "$method: it is on" test "$((0x$(cat p) & 0x40000))" = 0
	fi
	for filter in none allow allow:1 allow:1000; do
		knob "$method: seccomp=$filter" \
			-e "step x spawn=$method seccomp=$filter run \
			cat /proc/self/status >s" || continue
		check "$method: no new privileges" \
			test "$(status_line NoNewPrivs s)" = 1
		[ "$filter" = none ] ||
			check "$method: a filter" \
				test "$(status_line Seccomp s)" = 2
	done
	if knob "$method: ssbd=on" -e "step x spawn=$method ssbd=on run \
		cat /proc/self/status >s"; then
		check "$method: it is on" grep -Eq \
			'^Speculation_Store_Bypass:.*(thread|globally) (force )?mitigated' s
	fi
done
if knob "thp=off" -e 'step x thp=off run cat /proc/self/status >s'; then
	check "it is off" test "$(status_line THP_enabled s)" = 0
	knob "thp=on" -e 'step x thp=on run cat /proc/self/status >s'
	check "it is on" test "$(status_line THP_enabled s)" = 1
fi

# An inherited flag is cleared, too.
if setarch -R true 2>/dev/null; then
	setarch -R "$FORKLOAD" --cpu-split=kernel -q -r 1 -e \
		'step x aslr=on run cat /proc/self/personality >p' >out 2>err
	check "aslr=on where the caller had it off" \
		test "$((0x$(cat p) & 0x40000))" = 0
else
	skip "aslr=on where the caller had it off" "setarch is not there"
fi

# ---- what cannot be had ----------------------------------------------------

# personality(2) is call 135 there.
if [ "$(uname -m)" = x86_64 ]; then
	"$HELPERS/deny" 135 1 "$FORKLOAD" -q --vary aslr=on,off true \
		>out 2>err
	check "personality is denied: nothing to compare" test $? = 4
	has out "it is skipped, with the reason" "Operation not permitted"
	"$HELPERS/deny" 135 1 "$FORKLOAD" --cpu-split=kernel -q -r 6 \
		-e 'variant a nice=0' -e 'variant b aslr=off' \
		-e 'variant c nice=1' -e 'run true' >out 2>err
	check "the other variants are compared" test $? = 0
	has out "but not this one" "SKIPPED  b: "
	"$HELPERS/deny" 135 1 "$FORKLOAD" -q -e 'step x aslr=off run true' \
		>out 2>err
	check "the only step: skipped" test $? = 4
	run 4 "nx=off means nothing here" -q --vary nx=on,off true
	has out "it is told" "did not take effect: nx=off"
else
	skip "a denied call" "its number is another here"
fi

# ---- where a knob cannot matter --------------------------------------------

run 2 "aslr without an exec" -e 'step x aslr=off fork'
has err "it is told" "aslr cannot matter where nothing is exec'd"
run 2 "huge pages of a memory that is shared" \
	-e 'step x spawn=vfork thp=off run true'
has err "it is told" "it wants spawn=fork"
run 2 "the same by like=dash" -e 'step x like=dash thp=off run true'
run 2 "a filter of too many comparisons" -e 'step x seccomp=allow:1001 run true'
run 2 "a sysctl of one program" -e 'run sysctl.kernel.x=1 true'
has err "where it stands" "on a step or with"

# ---- sysctls ---------------------------------------------------------------

sysctl=kernel.randomize_va_space
file=/proc/sys/kernel/randomize_va_space
before=$(cat $file 2>/dev/null)
run 4 "a sysctl that is not there" -q --vary sysctl.kernel.no_such=1,2 true
has out "it is told" "cannot read the sysctl kernel.no_such"
run 4 "a sysctl that cannot be set" -q \
	-e 'step x sysctl.kernel.ostype=x run true'
if [ -w "$file" ] && echo "$before" 2>/dev/null >$file; then
	other=$((before == 0))
	run 0 "a sysctl" --cpu-split=kernel -q -r 6 \
		--vary "sysctl.$sysctl=$before,$other" \
		-e "step x sh 'cat $file >>seen'"
	check "each side has its own" test "$(sort -u seen | wc -l)" = 2
	check "as often" test "$(grep -c "$before" seen)" = "$(grep -c "$other" seen)"
	check "it is put back" test "$(cat $file)" = "$before"
	rm seen
	run 0 "of one step of two" --cpu-split=kernel -q -r 6 \
		-e "step x sysctl.$sysctl=$other sh 'cat $file >>x'" \
		-e "step y sh 'cat $file >>y'" -e 'variant a nice=0' \
		-e 'variant b nice=1'
	check "this one" test "$(sort -u x)" = "$other"
	check "that one" test "$(sort -u y)" = "$before"
	check "and back" test "$(cat $file)" = "$before"
	run 1 "after a failure" --cpu-split=kernel -q -r 6 \
		-e "step x sysctl.$sysctl=$other run false"
	check "it is put back, too" test "$(cat $file)" = "$before"
	"$FORKLOAD" -q -b 20s -e "step x sysctl.$sysctl=$other run sleep 9" \
		>out 2>err &
	pid=$!
	while [ "$(cat $file)" = "$before" ] && kill -0 $pid; do
		sleep 0.02
	done
	kill -TERM $pid
	wait $pid
	check "after a signal" test "$(cat $file)" = "$before"
else
	skip "a sysctl is set and put back" "this user cannot write it"
fi

done_testing

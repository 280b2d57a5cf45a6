#!/bin/sh
# The four methods mean the same, and nothing else stands in the timed stretch.
. "$TOP/tests/tap.sh"

for method in fork vfork posix clone; do
	run 0 "$method runs" -F sh -r 1 -W 0 \
		-e "step x spawn=$method repeat 20 run @true"
	check "$method: 20 programs" test "$(value fl_x_n)" = 20

	run 0 "$method redirects" -r 1 -W 0 \
		-e "step x spawn=$method run sh -c 'read a; echo \$a; echo b >&2' <$TOP/COPYING >one 2>two"
	check "$method: input to output" grep -q GNU one
	check "$method: descriptor 2" grep -q b two

	run 0 "$method appends" -r 2 -W 0 --cpu-split=kernel \
		-e "step x spawn=$method run echo $method >>many"
	run 0 "$method pipes" -r 1 -W 0 \
		-e "step x spawn=$method run echo a b c | wc -w >words"
	check "$method: three words" test "$(tr -d ' ' <words)" = 3

	mkdir -p sub
	run 0 "$method has a folder" -r 1 -W 0 \
		-e "step x spawn=$method dir=sub run pwd >where"
	check "$method: the redirection is seen from there" \
		grep -q '/sub$' sub/where

	run 0 "$method has an environment" -r 1 -W 0 \
		-e "step x spawn=$method env.FRUIT=pear run sh -c 'test \$FRUIT = pear'"

	run 127 "$method: a program that is missing" -r 1 -W 0 \
		-e "step x spawn=$method run ./missing"
	: >noexec
	chmod 644 noexec
	run 126 "$method: one that is not executable" -r 1 -W 0 \
		-e "step x spawn=$method run ./noexec"
	printf 'echo hello\n' >nobang
	chmod 755 nobang
	run 126 "$method: a script without #!" -r 1 -W 0 \
		-e "step x spawn=$method run ./nobang"
	has err "$method: the reason" "begins with #!"

	run 0 "$method: default signals, no descriptor of ours" -r 1 -W 0 \
		-e "step x spawn=$method run $HELPERS/fds >fds"
	check "$method: only 0, 1 and 2" test "$(cat fds)" = \
		"0 2 blocked=0 ignored=0"
	run 1 "$method: status 3" -r 1 -W 0 \
		-e "step x spawn=$method run @exit 3"
	has err "$method: it is told" "exited with 3"
	run 0 "$method: status 3 expected" -r 1 -W 0 \
		-e "step x spawn=$method status=3 run @exit 3"
done
check "appended twice by each" test "$(wc -l <many)" -eq 8

for method in fork vfork clone; do
	run 0 "$method sets knobs" -r 1 -W 0 \
		-e "step x spawn=$method nice=5 nofile=99 run sh -c 'test \$(ulimit -n) = 99 && test \$(nice) = 5'"
	run 0 "$method without a program" -F sh -r 1 -W 0 \
		-e "step x spawn=$method repeat 5 fork"
	check "$method: five processes" test "$(value fl_n)" = 5
done
run 2 "posix cannot set a knob" -e 'step x spawn=posix nice=5 run @true'
has err "posix: it is told" "spawn=posix cannot set nice"
run 2 "posix cannot but exec" -e 'step x spawn=posix fork'

if grep -q __asan_init "$FORKLOAD"; then
	skip "system calls of the timed stretch" "AddressSanitizer adds its own"
elif command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	trace_of()
	{
		strace -f -o trace "$FORKLOAD" -q -r 1 -W 0 \
			--cpu-split=kernel \
			-e "step x spawn=$1 repeat 1000 run @true" >out 2>err
		# The runner is the process that waits for them.
		runner=$(awk '/wait4\(/ { n[$1]++ } END {
			for (p in n) if (n[p] > most) { most = n[p]; who = p }
			print who }' trace)
	}
	count()
	{
		trace_of "$1"
		# From the first spawn on to the last wait.
		awk -v runner="$runner" -v start="$2" '
			$1 != runner { next }
			/resumed>/ { next }
			/^[0-9]+ +[-+]/ { next }
			$0 ~ start { on = 1 }
			on { held++ }
			/wait4\([1-9]/ { total = held; waits++ }
			END { print total, waits }' trace
	}
	check "fork: two calls a program" test "$(count fork 'clone\\(')" = \
		"2000 1000"
	check "vfork: two calls a program" test "$(count vfork 'vfork\\(')" = \
		"2000 1000"
	check "clone: two calls a program" test "$(count clone 'clone\\(')" = \
		"2000 1000"
	# libc's own calls, whichever they are: each time the same.
	trace_of posix
	check "posix: the same calls for each program" test "$(awk \
		-v runner="$runner" '
			$1 != runner || /resumed>/ || /^[0-9]+ +[-+]/ { next }
			{ calls = calls " " substr($2, 1, index($2, "(")) }
			/wait4\([1-9]/ { if (n++) print calls; calls = "" }
		' trace | sort | uniq -c | awk '{ print $1 }')" = 999
else
	skip "system calls of the timed stretch" "strace cannot be used here"
fi

done_testing

#!/bin/sh
# Whose CPU time it is, and how it divides into user and system time.
. "$TOP/tests/tap.sh"

# share STEP: user time in percent of the CPU time of the last report.
share()
{
	echo $(($(value "fl_$1_user_us") * 100 /
		($(value "fl_$1_user_us") + $(value "fl_$1_sys_us"))))
}

run 2 "a source that there is not" --cpu-split=tick true
has err "the sources are told" "auto, pmu, sampled or kernel"

# ---- where nothing better than the kernel's is to be had

if [ "$(uname -m)" = x86_64 ]; then
	"$HELPERS/deny" 298 1 "$FORKLOAD" -r 2 \
		-e 'step x repeat 20 run @true' >out 2>err
	denied=$?
	check "no sampling allowed: done all the same" test "$denied" = 0
	check "no sampling allowed: marked" grep -q '^x .*~.*~' out
	has out "no sampling allowed: the reason" "does not let this user"
	"$HELPERS/deny" 298 1 "$FORKLOAD" --cpu-split=sampled -r 2 true \
		>out 2>err
	check "sampling is asked for and not allowed: 2" test $? = 2
	has err "asked for: the reason" "--cpu-split=sampled: the kernel"
else
	skip "no sampling allowed" "the system call's number is x86-64's"
fi

run 0 "the kernel's split is asked for" -r 2 --cpu-split=kernel \
	-e 'step x repeat 20 run @true'
check "the rounds are told" grep -q '2 rounds' out

# ---- sampling

if ! "$FORKLOAD" -q -r 1 --cpu-split=sampled true >/dev/null 2>&1; then
	skip "sampling" "this kernel or user has none"
	done_testing
fi

run 0 "system calls" -q -r 3 -F sh --cpu-split=sampled \
	-e 'step x repeat 200 run @work calls=20000'
check "their time is the system's: $(share x) % user" test "$(share x)" -le 35
run 0 "work in user mode" -q -r 3 -F sh --cpu-split=sampled \
	-e 'step x repeat 200 run @work cpu=1ms'
# A sanitizer's start is the kernel's work.
sanitized=
grep -q __asan_init "$FORKLOAD" && sanitized=1
user_at_least()
{
	if [ "$sanitized" ]; then
		skip "$1" "a sanitizer adds work of its own"
	else
		check "$1: $(share "$2") %" test "$(share "$2")" -ge "$3"
	fi
}
user_at_least "its time is the user's" x 75
cpu=$(($(value fl_x_user_us) + $(value fl_x_sys_us)))
check "user and sys are positive" test "$cpu" -gt 0

run 0 "several at once" -q -r 2 -F sh --cpu-split=sampled \
	-e 'step x repeat 40 jobs=4 run @work calls=20000' \
	-e 'step y repeat 40 jobs=4 run @work cpu=1ms'
check "several: system calls: $(share x) % user" test "$(share x)" -le 45
user_at_least "several: user mode" y 60

cat >many.sh <<'EOF'
#!/bin/sh
i=0
while [ $i -lt 40 ]; do "$1" 0; i=$((i + 1)); done
EOF
run 0 "a script of short programs" -r 2 -v --cpu-split=sampled \
	-e "step x run sh $PWD/many.sh $HELPERS/nothing"
has out "a script: the source is named" "user and sys by sampling"

# One long enough to write over what the sampler has not read yet.
cat >long.sh <<'EOF'
#!/bin/sh
i=0
while [ $i -lt 300 ]; do "$1" 0; i=$((i + 1)); done
j=0
while [ $j -lt 400000 ]; do j=$((j + 1)); done
EOF
run 0 "a long script" -r 1 -v --cpu-split=sampled \
	-e "step x run sh $PWD/long.sh $HELPERS/nothing"
has out "a long script: the source is named" "user and sys by sampling"
has_not out "a long script: no guess" "~"

if [ "$(id -u)" -eq 0 ] && command -v dash >/dev/null; then
	cp "$(command -v dash)" other
	chown 65534 other
	chmod 4755 other
	run 0 "a set-uid program" -r 2 --cpu-split=sampled \
		-e "step x repeat 10 run ./other -c 'i=0
while [ \$i -lt 20000 ]; do i=\$((i+1)); done'"
	check "a set-uid program: marked" grep -q '^x .*~.*~' out
	has out "a set-uid program: the reason" "cannot be followed"
else
	skip "a set-uid program" "takes root and dash"
fi

if grep -q __asan_init "$FORKLOAD"; then
	skip "the timed round does not sample" "AddressSanitizer adds calls"
elif command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	strace -f -o trace "$FORKLOAD" -q -r 1 \
		--cpu-split=sampled -e 'step x repeat 300 run @true' \
		>out 2>err
	# Every ring is unmapped, its event closed, before the timed round; and
	# in that there are the spawns and the waits only.
	runner=$(awk '/wait4\(/ { n[$1]++ } END {
		for (p in n) if (n[p] > most) { most = n[p]; who = p }
		print who }' trace)
	awk -v runner="$runner" '
		$1 != runner || /resumed>/ { next }
		{ sub(/^[0-9]+ +/, "") }
		!/^[-+]/ { sub(/\(.*/, ""); print }' trace >calls
	check "the runner samples" grep -q '^perf_event_open$' calls
	check "the runner has closed what samples" awk '
		/^perf_event_open/ { opened++ }
		/^munmap/ { closed = NR }
		/^ioctl/ { last = NR }
		END { exit !(opened && closed > last) }' calls
	check "the timed round: 300 spawns, 300 waits, nothing else" test \
		"$(awk '/^ioctl/ { calls = on = 0 }
			/^clone/ { on = 1 }
			on { calls++ }
			/^wait4/ { upto = calls }
			END { print upto }' calls)" = 600
else
	skip "the timed round does not sample" "strace cannot be used here"
fi

# ---- whose it is

run 0 "a grandchild that goes on" -r 1 -v -F table \
	-e "step x run $HELPERS/orphan 0.3 spin"
has out "orphan: it is named" "x: orphaned: 1 process outlived"
has out "orphan: by its name" "made it: orphan"
"$FORKLOAD" -q -r 1 -F sh -e "step x run $HELPERS/orphan 0.3 spin" >out 2>err
cpu=$(($(value fl_x_user_us) + $(value fl_x_sys_us)))
check "orphan: its CPU time is counted ($cpu us)" test "$cpu" -ge 250000

run 0 "a step that waits" -r 1 -e 'step x run sleep 0.1'
has out "waiting: it is told" "is no CPU time: it waited"

# ---- more of each step

run 0 "verbose and a histogram" -r 3 -v --histogram --cpu-split=kernel \
	-e 'step x repeat 50 run @true' -e 'step y run @true'
for text in 'CPU time, mean round: programs' 'a program: min' \
	'first repetition: mean' 'faults a program:' 'peak memory'; do
	has out "verbose: $text" "$text"
done
check "the histogram holds each program once" test "$(sed -n \
	'/^x:/,/^y:/s/.*|#* //p' out | awk '{ n += $1 } END { print n }')" = 150
check "and each step has one" test "$(sed -n '/^y:/,$s/.*|#* //p' out |
	awk '{ n += $1 } END { print n }')" = 3

done_testing

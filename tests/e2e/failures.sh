#!/bin/sh
# Whatever goes wrong: a clear message, the right status, nothing left behind.
. "$TOP/tests/tap.sh"

TOP_FORKLOAD=$FORKLOAD
own_folder

run 127 "a missing program" ./missing
has err "missing: the reason" \
	"cannot execute ./missing: No such file or directory"
run 127 "one that is not in PATH" no-such-program-here
has err "not in PATH: the reason" "not found in PATH"
: >plain
chmod 644 plain
run 126 "one that is not executable" ./plain
has err "not executable: the reason" "Permission denied"
mkdir folder
run 126 "a folder" ./folder
has err "a folder: the reason" "Is a directory"
printf '#!/no/such/interpreter\n' >script
chmod 755 script
run 126 "a script whose interpreter is missing" ./script
has err "interpreter: it is named" "/no/such/interpreter"
clean "exec failures"

run 1 "killed by a signal" -e "run sh -c 'kill -9 \$\$'"
has err "signal: it is named" "killed by signal 9"
run 1 "exits with 3" -e "step a repeat 5 run sh -c 'echo sorry >&2; exit 3'"
has err "status: it is told" "exited with 3, repetition 1 of 5"
has err "the tail of its standard error" "sorry"
has out "the step has no figure" "FAILED"
has_not out "and there is no sum" "real	"

cat >sometimes <<'END'
#!/bin/sh
n=$(cat count 2>/dev/null || echo 0)
echo $((n + 1)) >count
[ "$n" -lt 7 ]
END
chmod 755 sometimes
run 1 "a failure after some rounds" -r 9 -W 0 --cpu-split=kernel \
	-e 'step good run @true' -e 'step bad run ./sometimes'
has out "what was complete is reported" "7 rounds"
has err "the round is told" "round 8"
check "the good step has its figures" grep -q '^good  *1 ' out
rm -f count
run 1 "going on" -k -r 9 -W 0 -F sh --cpu-split=kernel \
	-e 'step bad run ./sometimes' -e 'step good run @true'
check "going on: all rounds" test "$(value fl_rounds)" = 9
check "going on: the bad one has no figure" test -z "$(value fl_bad_n)"

run 1 "1 MB on standard error" \
	-e "run sh -c 'head -c 1000000 /dev/zero | tr \"\\0\" x >&2; exit 1'"
check "1 MB: only the tail is shown" test "$(wc -c <err)" -lt 4000

run 124 "a child that never ends" -e 'step x timeout=200ms run sleep 60'
has err "never ends: it is told" "timed out after 200ms"
run 124 "the whole run never ends" -t 300ms sleep 60
has err "the whole: it is told" "timed out after 300ms"
run 124 "stuck before its exec" \
	-e "prepare 'rm -f fifo; mkfifo fifo'" \
	-e 'step x spawn=vfork timeout=200ms run cat <fifo'
clean "time-outs"
check "time-outs: no process is left" test "$(left)" = 0

run 0 "a grandchild that ends later" -r 1 -W 0 -v \
	-e "run $HELPERS/orphan 0.1"
has out "later: it is counted" "orphaned: 1 process outlived"
run 0 "a grandchild that outlives all" -r 1 -W 0 \
	-e "run $HELPERS/orphan 25"
has out "outlives: it is named" "it, 1 was killed: orphan"
check "outlives: no process is left" test "$(left)" = 0

# A shell gives background jobs an ignored SIGINT and SIGQUIT.
default=
env --default-signal=INT true 2>/dev/null && default='env --default-signal'
for sig in INT TERM HUP QUIT; do
	# shellcheck disable=SC2086 # none, or two words
	$default "$FORKLOAD" --cpu-split=kernel -b 20s -e 'step a run @true' \
		-e 'step b run sleep 0.05' >out 2>err &
	pid=$!
	sleep 1
	case $sig in INT) n=2 ;; TERM) n=15 ;; HUP) n=1 ;; QUIT) n=3 ;; esac
	case $sig-$default in
	INT- | QUIT-)
		kill -TERM "$pid"
		wait "$pid"
		skip "$sig" "it is ignored, and env cannot change that"
		continue
		;;
	esac
	kill -"$sig" "$pid"
	wait "$pid"
	status=$?
	check "$sig: status 128 + $n" test "$status" = $((128 + n))
	has err "$sig: it is told" "ended by signal $n"
	check "$sig: what is complete is reported" grep -q '^real' out
done
clean "signals"

"$FORKLOAD" --cpu-split=kernel -b 20s -e 'run sleep 9' >out 2>err &
pid=$!
sleep 0.5
kill -KILL "$pid"
wait "$pid" 2>/dev/null
sleep 0.5
check "the guard is killed: no process is left" test "$(left)" = 0
rm -rf tmp/forkload-*

"$FORKLOAD" --cpu-split=kernel -b 20s -r 100 -F sh -e 'step a run sleep 0.02' >out 2>err &
pid=$!
sleep 1
runner=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
if [ -n "$runner" ]; then
	# shellcheck disable=SC2086 # perhaps with a blank behind it
	kill -KILL $runner
	wait "$pid"
	check "the runner is killed: 125" test $? = 125
	has err "the runner: it is told" "the runner died: killed by signal 9"
	check "the runner: what is complete is reported" \
		test "$(value fl_rounds)" -gt 0
else
	kill "$pid"
	wait "$pid"
	skip "the runner is killed" "no list of children in /proc"
fi
clean "killed processes"

cat >server.wl <<'END'
serve server tcp
open 3 $server
step a repeat 10 run @client fd=3 send=8 recv=8
step b run sleep 0.02
END
"$FORKLOAD" --cpu-split=kernel -b 20s -f server.wl >out 2>err &
pid=$!
sleep 1
# The first child of the guard is the server.
# shellcheck disable=SC2046 # one word a process
set -- $(cat "/proc/$pid/task/$pid/children")
kill -KILL "$1"
wait "$pid"
check "a server that dies: status 1" test $? = 1
has err "the server: it is told" "the server 'server' died"
check "the server: what is complete is reported" grep -q '^real' out
clean "a server that dies"

(
	ulimit -n 16 2>/dev/null
	exec "$FORKLOAD" -r 1 -W 0 -e 'step x fds=100 run @true' >out 2>err
)
check "EMFILE: status 1" test $? = 1
has err "EMFILE: it is told" "Too many open files"
clean "EMFILE"

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	chmod 777 . tmp
	cp "$TOP_FORKLOAD" forkload
	# A user of its own number, so that the limit counts only these.
	setpriv --reuid 54321 --regid 54321 --clear-groups prlimit --nproc=3 \
		./forkload -r 1 -W 0 -e 'repeat 4 jobs=4 run sleep 0.2' \
		>out 2>err
	check "EAGAIN: status 1" test $? = 1
	has err "EAGAIN: it is told" "Resource temporarily unavailable"
else
	skip "EAGAIN" "only root can be another user"
fi
clean "EAGAIN"

if [ "$(id -u)" -eq 0 ] && mkdir small &&
	mount -t tmpfs -o size=64k none small 2>/dev/null; then
	TMPDIR=$PWD/small "$FORKLOAD" -r 1 -W 0 \
		-e 'tmpfile data 1m' -e 'step a run @readfile $data' \
		-e 'step b run @true' >out 2>err
	check "ENOSPC: the other step runs" test $? = 0
	has err "ENOSPC: it is told" "No space left on device"
	check "ENOSPC: no file is left" test -z "$(ls -A small)"
	umount small
	mount -t tmpfs -o noexec none small
	TMPDIR=$PWD/small "$FORKLOAD" -r 1 -w loopback >out 2>err
	check "TMPDIR without exec" test $? = 0
	umount small
else
	skip "ENOSPC" "nothing can be mounted here"
fi

# Each connection leaves its port in use for a minute; here there are six. The
# loopback device that all this happens on is one of its own.
cat >ports.wl <<'END'
serve s tcp
step good run @true
step ports repeat 20 run @client to=$s send=4 recv=4
END
if unshare -rn busybox ifconfig lo up 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -rn sh -c 'busybox ifconfig lo up
		echo 40000 40006 >/proc/sys/net/ipv4/ip_local_port_range
		exec "$1" -r 1 -W 0 -f ports.wl' sh "$FORKLOAD" >out 2>err
	check "no port is left: status 1" test $? = 1
	has err "no port is left: it is told" "Cannot assign requested address"
	has err "no port is left: the step is named" "ports"
else
	skip "no port is left" "no network namespace can be made here"
fi
clean "no port is left"

done_testing

#!/bin/sh
# However a run ends: with the right status, nothing left, nothing harmed that
# is not its own.
. "$TOP/tests/tap.sh"

sanitized=no
! grep -q __asan_init "$FORKLOAD" || sanitized=yes
own_folder

# leads PID: waits until that process leads a group of its own.
leads()
{
	tries=0
	until kill -0 -"$1" 2>/dev/null || [ "$tries" -gt 100 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

# A terminal's signal comes to all of the group.
if env --default-signal=INT true 2>/dev/null && command -v setsid >/dev/null
then
	wrong=0
	for i in 1 2 3 4 5 6 7 8; do
		env --default-signal setsid "$FORKLOAD" -q -b 20s \
			-e 'repeat 50 run @true' >out 2>err &
		pid=$!
		leads "$pid"
		sleep "0.3$i"
		kill -INT -"$pid"
		wait "$pid"
		[ $? -eq 130 ] || wrong=$((wrong + 1))
	done
	check "SIGINT to the group: always 130" test "$wrong" = 0

	setsid nohup "$FORKLOAD" -q -r 1 -W 0 -e 'run sleep 1' >out 2>err &
	pid=$!
	leads "$pid"
	sleep 0.4
	kill -HUP -"$pid"
	wait "$pid"
	check "SIGHUP to the group, under nohup: it goes on" test $? = 0
else
	skip "signals to the group" "no env --default-signal or setsid here"
fi
clean "groups"

for sig in USR1 ALRM XCPU; do
	"$FORKLOAD" -q -b 20s -e 'tmpfile d 4k' -e 'run sleep 0.01' \
		>out 2>err &
	pid=$!
	sleep 0.5
	kill -"$sig" "$pid"
	wait "$pid"
	check "$sig: 128 and its number" test $? -gt 128
	has err "$sig: it is told" "ended by signal"
done
clean "other signals"

# Set-up: a fifo that nobody opens, a file that never ends.
mkfifo fifo
run 0 "a fifo without another end" -r 1 -W 0 -e 'open 3 fifo' -e 'run @true'
run 124 "a large file against the clock" -t 300ms -e 'tmpfile d 500g' \
	-e 'run @readfile $d'
"$FORKLOAD" -e 'tmpfile d 500g' -e 'run @readfile $d' >out 2>err &
pid=$!
sleep 0.3
kill -TERM "$pid"
wait "$pid"
check "a signal during set-up" test $? = 143
clean "set-up"

# A program that has not come to its exec holds the runner's pipes.
"$FORKLOAD" -q -b 20s -e 'run cat <fifo' >out 2>err &
pid=$!
sleep 0.5
# shellcheck disable=SC2046 # one word a process
set -- $(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
if [ $# -gt 0 ]; then
	kill -KILL "$1"
	wait "$pid"
	check "the runner is killed beside it: 125" test $? = 125
else
	kill "$pid"
	wait "$pid"
	skip "the runner is killed beside it" "no list of children in /proc"
fi
clean "stuck"

# Children of whoever became forkload are not its own.
sh -c 'sleep 60 & echo $! >before; exec "$1" -q -r 1 -W 0 true' sh \
	"$FORKLOAD" >out 2>err
check "a child from before lives on" kill -0 "$(cat before)"
kill "$(cat before)"

# What is mounted in a scratch folder is not forkload's to remove.
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	mkdir precious
	: >precious/file
	cat >mounts.wl <<END
tmpdir d
prepare "mkdir '\$d/a b' && mount --bind $PWD/precious '\$d/a b'"
run mount --bind $PWD/precious \$d
END
	unshare -m "$FORKLOAD" -r 1 -W 0 -f mounts.wl >out 2>err
	check "two mounted folders: status 0" test $? = 0
	check "two mounted folders: they are kept" test -e precious/file
	clean "two mounted folders"

	# Without /proc what is in flight is known from the runner alone.
	if [ "$sanitized" = yes ]; then
		skip "without /proc" "LeakSanitizer needs it"
	else
		unshare -m sh -c 'umount -l /proc && exec "$1" -q -b 20s \
			-e "run sleep 30"' sh "$FORKLOAD" >out 2>err &
		pid=$!
		sleep 1
		kill -TERM "$pid"
		wait "$pid"
		check "without /proc: 143" test $? = 143
		clean "without /proc"
	fi
else
	skip "mounts" "nothing can be mounted here"
fi

# Few descriptors: forkload's own are not overwritten.
(
	ulimit -n 64
	exec "$FORKLOAD" -r 1 -W 0 -e 'open 3 /dev/zero' \
		-e 'run head -c 1' >out 2>err
)
check "a low limit of descriptors: status 1" test $? = 1
has err "a low limit: it is told" "the limit of descriptors is too low"

done_testing

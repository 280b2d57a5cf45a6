#!/bin/bash
# The script that forkload began with, made of real programs: 50 that talk
# over one open socket, 60 that read a small file. It prints the times of both
# stages and of the whole as time -p does. Needs no forkload, but a server that
# sends back what it gets: python3, socat or a busybox nc that knows -s. It is
# on 127.0.0.1 only. Exits 77 where it cannot run, 1 where a reply is wrong.
set -euo pipefail
export LC_ALL=C

readonly clients=50 parses=60 limit=20
readonly ball=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-
readonly posix=$'real %3R\nuser %3U\nsys %3S'
readonly needed=(dd wc cksum grep sort sed cut tr head tail od uniq nl)
file=
server=
programs=0

# One connection, then it ends; so it does when this script is killed.
readonly python='
import socket
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
print("listening on 127.0.0.1:%d" % listener.getsockname()[1], flush=True)
peer = listener.accept()[0]
peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while True:
    data = peer.recv(4096)
    if not data:
        break
    peer.sendall(data)
'

fail()
{
	echo "loopback.sh: $*" >&2
	exit 1
}

skip()
{
	echo "loopback.sh: skipped: $*" >&2
	exit 77
}

# A signal may have come before start_server could note the pid.
stop_server()
{
	server=${server:-${COPROC_PID:-}}
	[ -n "$server" ] || return 0
	kill "$server" 2>/dev/null || :
	wait "$server" 2>/dev/null || :
	server=
}

cleanup()
{
	trap '' HUP INT TERM
	stop_server
	[ -z "$file" ] || rm -f "$file"
}

# start_server COMMAND...: sets port. timeout ends it, and what it has started,
# when this script hangs: then the programs read the end of the file.
start_server()
{
	local line

	type -P "$1" >/dev/null || return 1
	coproc { exec timeout "$limit" "$@" 2>&1; }
	server=$COPROC_PID
	exec 4<&"${COPROC[0]}"
	while read -r -t 10 -u 4 line; do
		if [[ $line =~ listening\ on\ .*127\.0\.0\.1:([0-9]+) ]]; then
			port=${BASH_REMATCH[1]}
			return 0
		fi
	done
	stop_server
	return 1
}

# program NAME ARGUMENT...: never the shell's builtin or function.
program()
{
	programs=$((programs + 1))
	command "$@" || fail "$1 failed"
}

# 64 bytes go round: each program receives the reply to the request before it
# and sends it as the next request. They must be the same in the end, with
# nothing after them.
run_clients()
{
	local i back

	printf %s "$ball" >&3
	for ((i = 0; i < clients; i++)); do
		program dd bs=${#ball} count=1 iflag=fullblock status=none \
			<&3 >&3
	done
	IFS= read -r -N ${#ball} -t 10 -u 3 back || fail "a reply is missing"
	[ "$back" = "$ball" ] || fail "a reply is wrong"
	! read -r -t 0 -u 3 || fail "a reply is too long"
}

run_parses()
{
	local i

	for ((i = 0; i < parses; i += 12)); do
		program wc "$file"
		program cksum "$file"
		program grep -c 7 "$file"
		program sort -r "$file"
		program sed -n '/9$/p' "$file"
		program cut -c 1-8 "$file"
		program tr a-z A-Z <"$file"
		program head -n 5 "$file"
		program tail -n 5 "$file"
		program od -c "$file"
		program uniq -c "$file"
		program nl "$file"
	done >/dev/null
}

# stage NAME COUNT FUNCTION
stage()
{
	local TIMEFORMAT="$1: $2 programs"$'\n'"$posix"

	time "$3"
}

all()
{
	stage clients "$clients" run_clients
	stage parse "$parses" run_parses
}

hash timeout mktemp rm "${needed[@]}" 2>/dev/null ||
	skip "not all here: timeout mktemp rm ${needed[*]}"
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A signal must not come between the file and its name.
file=$(trap '' HUP INT TERM; mktemp "${TMPDIR:-/tmp}/loopback-XXXXXX") ||
	fail "cannot make a file in ${TMPDIR:-/tmp}"
for ((i = 0; i < 64; i++)); do
	printf '%03d %.59s\n' "$i" "$ball"
done >"$file"

start_server python3 -I -S -c "$python" ||
	start_server socat -d -d TCP4-LISTEN:0,bind=127.0.0.1,nodelay PIPE ||
	start_server busybox nc -n -v -l -p 0 -s 127.0.0.1 -e cat ||
	skip "no python3, socat or busybox nc -s that works"
exec 3<>"/dev/tcp/127.0.0.1/$port" ||
	skip "bash cannot connect to 127.0.0.1 port $port"

stage all $((clients + parses)) all
exec 3>&-
[ "$programs" -eq 110 ] || fail "$programs programs instead of 110"

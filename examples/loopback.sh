#!/usr/bin/env bash
# loopback.sh HOST PORT: a script of 110 short programs that share one open
# socket; workloads/loopback.wl replays it.
#
# A server at HOST PORT sends back what it gets. The script sends it 64 bytes;
# then each of 50 programs receives 64 bytes and sends them on, so that they
# go round and must be the same at the end. 60 more programs read a small
# file, this one, and work on it. loopback-side-by-side.sh gives it a server.
set -euo pipefail
export LC_ALL=C

readonly clients=50 parses=60 bytes=64
readonly file=${BASH_SOURCE[0]}
programs=0

die()
{
	echo "loopback.sh: $*" >&2
	exit 1
}

[[ $# -eq 2 ]] || { echo "usage: loopback.sh HOST PORT" >&2; exit 2; }
for name in dd wc cksum grep sort cut tail; do
	type -P "$name" >/dev/null || die "there is no program $name"
done

# program NAME ARGUMENT...: never the shell's builtin or function.
program()
{
	programs=$((programs + 1))
	command "$@" || die "$1 failed"
}

exec 3<>"/dev/tcp/$1/$2"
printf -v ball '%*s' "$bytes" ''
ball=${ball// /b}
printf %s "$ball" >&3

for ((i = 0; i < clients; i++)); do
	program dd bs="$bytes" count=1 status=none <&3 >&3
done

for ((i = 0; i < parses; i += 6)); do
	program wc "$file" >/dev/null
	program cksum "$file" >/dev/null
	program grep -c program "$file" >/dev/null
	program sort -o /dev/null "$file"
	program cut -c 1-8 "$file" >/dev/null
	program tail -n 5 "$file" >/dev/null
done

read -r -n "$bytes" -u 3 -t 10 back || die "the bytes did not come back"
exec 3>&-
[[ $back == "$ball" ]] || die "other bytes came back than were sent"
[[ $programs -eq $((clients + parses)) && $programs -eq 110 ]] ||
	die "$programs programs instead of 110"

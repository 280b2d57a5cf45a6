#!/usr/bin/env bash
# loopback-side-by-side.sh [FORKLOAD]: times loopback.sh, a script of real
# programs, and forkload's replay of it, workloads/loopback.wl.
#
# The script's server is written in what is there: python3, perl or socat. It
# listens on 127.0.0.1 alone and is ended with this script. Exits 77 where
# something is missing.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
forkload=${1:-$here/../build/forkload}
readonly times=5

python_server='
import socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
while True:
    peer = server.accept()[0]
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while data := peer.recv(4096):
        peer.sendall(data)
    peer.close()
'
# shellcheck disable=SC2016 # perl expands it
perl_server='
use IO::Socket::INET;
$| = 1;
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 8)
	or die;
print $server->sockport, "\n";
while (my $peer = $server->accept) {
	my $data;
	while (sysread $peer, $data, 4096) { syswrite $peer, $data }
}
'

missing()
{
	echo "loopback-side-by-side.sh: skipped: $*" >&2
	exit 77
}

# Says its port on standard output, then serves until it is ended.
server()
{
	case $1 in
	python3)
		exec python3 -c "$python_server"
		;;
	perl)
		exec perl -e "$perl_server"
		;;
	socat)
		exec socat -d -d TCP-LISTEN:0,bind=127.0.0.1,fork,nodelay PIPE \
			2> >(sed -un 's/.*listening on .*:\([0-9]*\)$/\1/p')
		;;
	esac
}

# The median of some times of the script: "REAL USER SYS", seconds.
time_script()
{
	local TIMEFORMAT='%R %U %S'

	bash "$here/loopback.sh" 127.0.0.1 "$port"
	for ((i = 0; i < times; i++)); do
		time bash "$here/loopback.sh" 127.0.0.1 "$port"
	done 2>&1 | sort -n | sed -n "$((times / 2 + 1))p"
}

[[ -x $forkload ]] || missing "no $forkload (make builds it)"
for language in python3 perl socat none; do
	type -P "$language" >/dev/null && break
done
[[ $language != none ]] || missing "none of python3, perl, socat is here"

exec {from_server}< <(server "$language")
pid=$!
trap 'kill "$pid" 2>/dev/null' EXIT
read -r -t 10 -u "$from_server" port || missing "the server did not start"

read -r real user sys < <(time_script)
echo "loopback.sh: 110 programs, bash's time, the median of $times times"
printf 'real    0m%ss\nuser    0m%ss\nsys     0m%ss\n\n' \
	"$real" "$user" "$sys"
"$forkload" -f "$here/../workloads/loopback.wl"
cat <<'END'

The script starts dd, wc, sort and the like: with shared libraries, which the
kernel maps and the program links anew each time. The replay starts as many
programs at the same places, with the same socket, from a process with a bash's
memory, but they are forkload's own applets. So the two differ by what the
programs are, not by how they are started.
END

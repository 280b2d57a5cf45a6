#!/bin/sh
# make bench-split: the split of CPU time into user and system time, against
# known truth.
#
# Programs spend a given share of their work in user mode and the rest in long
# system calls. The truth is what the kernel's tick says of a cgroup in which
# forkload runs them for long, for there the ticks are added up before they
# are used; its own error is printed. Beside it stand wait4's figure of the
# same rounds and forkload's own, by sampling, of a run of its own, with the
# uncertainty that it states. Needs root, for the cgroup.
#
#   split.sh BUILD     SECONDS_A_CELL=10 PLACES='free pinned busy'
set -u

O=$1
seconds=${SECONDS_A_CELL:-10}
places=${PLACES:-free pinned busy}
lengths=${LENGTHS:-100 300 1000 5000 50000}
tmp=$(mktemp -d) || exit 2
chmod 755 "$tmp"
group=
hog=

die()
{
	echo "bench-split: $*" >&2
	exit 2
}

clean()
{
	[ -z "$hog" ] || kill "$hog" 2>/dev/null
	if [ -n "$group" ]; then
		# This shell may be in it.
		echo $$ >"$(dirname "$group")/cgroup.procs"
		rmdir "$group"
	fi
	rm -rf "$tmp"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ "$(id -u)" -eq 0 ] || die "a cgroup takes root"
mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
[ -n "$mount" ] || die "there is no cgroup of version 2"
own=$(sed -n 's/^0:://p' /proc/self/cgroup)
group=$mount${own%/}/forkload-bench-$$
mkdir "$group" || die "cannot make a cgroup"
cp "$O/forkload" "$O/bench/share" "$tmp" || exit 2
chmod 755 "$tmp/forkload" "$tmp/share"
cd "$tmp" || exit 2

# shellcheck disable=SC2046 # two words
set -- $(./share)
passes_a_ms=$1
reads_a_ms=$2
tick=$(getconf CLK_TCK)
for config in "/boot/config-$(uname -r)" /proc/config.gz; do
	[ -r "$config" ] || continue
	hz=$(zcat -f "$config" | sed -n 's/^CONFIG_HZ=//p')
	[ -z "$hz" ] || tick=$hz
done

ticks_of()
{
	awk '$1 == "user_usec" { u = $2 } $1 == "system_usec" { s = $2 }
		END { print u, s }' "$group/cpu.stat"
}

# truth COMMAND...: runs it in the group, its output into kernel.out, and
# prints its user share and that one's standard error, in percent.
truth()
{
	before=$(ticks_of)
	# shellcheck disable=SC2016 # the inner shell expands it
	(sh -c 'echo $PPID' >"$group/cgroup.procs" && exec "$@") >kernel.out ||
		die "$* failed"
	echo "$before $(ticks_of)" | awk -v hz="$tick" '{
		u = $3 - $1; s = $4 - $2; p = u / (u + s)
		printf "%.2f %.2f\n", 100 * p,
		       100 * sqrt(p * (1 - p) / ((u + s) * hz / 1e6))
	}'
}

# told FILE: forkload's user share, its uncertainty, and what time(1) says.
told()
{
	sed -n 's/^  of it user ~*\([0-9.]*\) %\(, +-\([0-9.]*\) points\)*; by time(1) \([0-9.]*\) %/\1 \3 \4/p' "$1"
}

one_cell()
{
	us=$1
	share=$2
	shift 2
	words=$(awk -v us="$us" -v share="$share" -v p="$passes_a_ms" \
		-v r="$reads_a_ms" 'BEGIN { printf "%d %d", us * p * share / 1e5,
		us * r * (100 - share) / 1e5 + 0.5 }')
	count=$(awk -v us="$us" 'BEGIN {
		n = int(300000 / (us + 300)); print n < 6 ? 6 : n }')
	line="step x repeat $count run $tmp/share $words"
	true_share=$(truth ./forkload "$@" -q -v --cpu-split=kernel \
		-b "${seconds}s" -e "$line") || exit 2
	kernel=$(told kernel.out)
	for user in root other; do
		drop=
		[ $user = root ] ||
			drop='setpriv --reuid=65534 --regid=65534 --clear-groups'
		# shellcheck disable=SC2086 # words
		$drop ./forkload "$@" -q -v --cpu-split=sampled -r 3 \
			-e "$line" >sampled.out || exit 2
		echo "$us $share $user $true_share $kernel $(told sampled.out)"
	done | awk '{
		limit = $1 >= 1000 ? 3 : 7
		own = $(NF - 2); stated = $(NF - 1); wait4 = $6
		off = own - $4
		far = off < 0 ? -off : off
		ok = "ok"
		if (far > limit)
			ok = "OFF"
		if (far > stated + 2 * $5)
			ok = ok ", more than stated"
		printf "%6d us %4d %%  %-5s  %5.1f +-%.1f  %5.1f (%+5.1f)  " \
		       "%5.1f (%+5.1f) +-%-4s %s\n", $1, $2, $3, $4, $5,
		       wait4, wait4 - $4, own, off, stated, ok
	}'
}

table()
{
	for us in $lengths; do
		for share in 0 25 50 75 100; do
			one_cell "$us" "$share" "$@"
		done
	done
}

cat <<END
User share of CPU time in percent. work: microseconds a program, beside its
exec, and the share of it that is in user mode. truth: the ticks of a cgroup in
$seconds s. ok: within 3 points from 1000 us up, within 7 below.

  work    user  who    truth       wait4          forkload      says
END
for place in $places; do
	echo "$place:"
	case $place in
	free) table ;;
	pinned) table -c 1 ;;
	busy)
		./share 1000000000000 0 &
		hog=$!
		command -v taskset >/dev/null && taskset -cp 0 "$hog" >/dev/null
		table -c 1
		kill "$hog"
		hog=
		;;
	esac
done | tee table
awk '/ ok/ { ok++ } / OFF/ { off++ } /more than stated/ { more++ }
	END {
		printf "%d of %d cells within the limits, %d off by more than " \
		       "stated\n", ok, ok + off, more
		exit ok < 0.9 * (ok + off)
	}' table

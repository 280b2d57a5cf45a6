#!/bin/sh
# bench.sh O: what forkload adds to the loops that it times.
#
# Short blocks of forkload and of the bare loop (bare.c) alternate, pinned to
# one CPU, in an order drawn anew for each pair, so that what the machine does
# beside them meets both alike. Each side's figures come from its own clock.
# A judged ratio may be at most LIMIT, or for like=SHELL that far from 1 at
# most as ALIKE says; one that is not right is measured once more. Exits 1
# where it then still is not.
#
#   PAIRS=40 COUNT=300 LIMIT=1.03 ALIKE=0.15 CPU=the last one that may be used
# shellcheck disable=SC2317 # blocks are called by their names
set -u

O=${1:?usage: bench.sh O}
PAIRS=${PAIRS:-40}
COUNT=${COUNT:-300}
LIMIT=${LIMIT:-1.03}
ALIKE=${ALIKE:-0.15}
CPU=${CPU:-$(awk '/^Cpus_allowed_list/ {
		n = split($2, cpus, /[-,]/)
		print cpus[n]
	}' /proc/self/status)}

O=$(cd "$O" && pwd) || exit 2
program=$O/bench/nothing
bare=$O/bench/bare
now=$O/bench/now
failed=0
tmp=$(mktemp -d) || exit 2
guard=
loop=
# shellcheck disable=SC2086 # none, one or two
trap 'kill $guard $loop 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if command -v taskset >/dev/null; then
	taskset -cp "$CPU" $$ >/dev/null || exit 2
else
	echo "bench: no taskset: not pinned, the figures will scatter" >&2
fi

die()
{
	echo "bench: $*" >&2
	exit 2
}

# ---- one block: prints "REAL CPU", microseconds a program ------------------

# forkload_block KNOBS: from forkload's own report.
forkload_block()
{
	"$O/forkload" -q -F sh -r 1 -W 0 \
		-e "step x $1 repeat $COUNT run '$program'" >"$tmp/sh" ||
		die "forkload failed"
	awk -F= -v count="$COUNT" '
		{ value[$1] = $2 }
		END {
			n = value["fl_x_n"]
			if (n != count)
				exit 1
			print value["fl_x_real_us"] / n, \
			      (value["fl_x_user_us"] + value["fl_x_sys_us"]) / n
		}' "$tmp/sh" || die "forkload did not start $COUNT programs"
}

# bare_block METHOD [MAPPINGS KIB SHARED]
bare_block()
{
	method=$1
	shift
	"$bare" "$method" "$COUNT" "$program" "$@" >"$tmp/bare" ||
		die "bare failed"
	awk '{ print $2 / 1000 / $1, ($3 + $4) / $1 }' "$tmp/bare"
}

# shell_block SHELL...: a loop of the shell over the program; no CPU figure.
shell_block()
{
	# shellcheck disable=SC2016 # the shell that is measured expands it
	"$@" -c '"$1"; for i in $3; do "$2"; done; "$1"; :' \
		shell "$now" "$program" "$numbers" >"$tmp/shell" ||
		die "$1 failed"
	awk -v count="$COUNT" '
		NR == 1 { begin = $1 }
		NR == 2 { print ($1 - begin) / 1000 / (count + 1), 0 }
	' "$tmp/shell"
}

numbers=$(awk -v n="$COUNT" 'BEGIN { while (i < n) print ++i }')

# ---- two sides, alternating ------------------------------------------------

# pairs ONE OTHER: each a block's command. Prints the medians
# "REAL CPU REAL CPU RATIO RATIO": ONE's, OTHER's, and of OTHER to ONE.
pairs()
{
	: >"$tmp/one"
	: >"$tmp/other"
	order=$(awk -v n="$PAIRS" -v seed="$(date +%s)$$" 'BEGIN {
		srand(seed)
		while (i++ < n)
			print rand() < 0.5
	}')
	for first in $order; do
		# The words of a block's command have no blanks in them.
		# shellcheck disable=SC2086
		if [ "$first" = 1 ]; then
			$1 >>"$tmp/one" && $2 >>"$tmp/other"
		else
			$2 >>"$tmp/other" && $1 >>"$tmp/one"
		fi || return 1
	done
	paste -d ' ' "$tmp/one" "$tmp/other" | awk '
		function median(list, n,    i, j, key) {
			for (i = 2; i <= n; i++) {
				key = list[i]
				for (j = i - 1; j > 0 && list[j] > key; j--)
					list[j + 1] = list[j]
				list[j + 1] = key
			}
			if (n % 2)
				return list[(n + 1) / 2]
			return (list[n / 2] + list[n / 2 + 1]) / 2
		}
		{
			a[NR] = $1 + 0; b[NR] = $2 + 0
			c[NR] = $3 + 0; d[NR] = $4 + 0
			real[NR] = $3 / $1
			cpu[NR] = $2 > 0 && $4 > 0 ? $4 / $2 : 0
		}
		END {
			print median(a, NR), median(b, NR), median(c, NR), \
			      median(d, NR), median(real, NR), median(cpu, NR)
		}'
}

row()
{
	echo "$2" | awk -v label="$1" -v judged="$3" '
		function ratio(x) { return x > 0 ? sprintf("%.3f", x) : "-" }
		function us(x) { return x > 0 ? sprintf("%.1f", x) : "-" }
		{
			printf "%-30s %7s %7s %7s %7s %6s %6s %s\n", label, \
			       us($1), us($2), us($3), us($4), ratio($5), \
			       ratio($6), judged
		}'
}

within()
{
	echo "$1" |
		awk -v limit="$LIMIT" '{ exit !($5 <= limit && $6 <= limit) }'
}

# A shell's loop gives no CPU figure.
alike()
{
	echo "$1" | awk -v most="$ALIKE" '{ exit !($5 <= 1 + most &&
		$5 >= 1 - most) }'
}

# judged RULE LABEL ONE OTHER: the row is right by that rule, at the second
# attempt at the latest.
judged()
{
	rule=$1
	shift
	figures=$(pairs "$2" "$3") || exit 2
	if ! "$rule" "$figures"; then
		row "$1" "$figures" again
		figures=$(pairs "$2" "$3") || exit 2
	fi
	if "$rule" "$figures"; then
		row "$1" "$figures" ok
	else
		row "$1" "$figures" FAIL
		failed=1
	fi
}

printed()
{
	figures=$(pairs "$2" "$3") || exit 2
	row "$1" "$figures" ''
}

# ---- the memory of the two loops -------------------------------------------

# memory_of PID: "MAPPINGS KIB SHARED": the mappings that were written, what was
# written in them, and the shared mappings.
memory_of()
{
	awk '/^Anonymous:/ && $2 > 0 { n++; kib += $2 }
		$2 ~ /^rw-s/ { shared++ }
		END { print n + 0, kib + 0, shared + 0 }' "/proc/$1/smaps"
}

# child_of PID: the runner is the one child that forkload has all the time.
child_of()
{
	for stat in /proc/[0-9]*/stat; do
		sed 's/^\([0-9]*\) (.*) /\1 /' "$stat" 2>/dev/null
	done | awk -v parent="$1" '$3 == parent { print $1; exit }'
}

# more_than_bare: sets memory to the mappings, KiB and shared mappings that
# forkload's runner has and bare has not, read while both run.
more_than_bare()
{
	"$O/forkload" -q -F sh -r 1 -W 0 -b 30s \
		-e "step x repeat 100000 run '$program'" >/dev/null 2>&1 &
	guard=$!
	"$bare" fork 100000 "$program" >/dev/null 2>&1 &
	loop=$!
	sleep 3
	runner=$(child_of "$guard")
	[ -n "$runner" ] && memory_of "$runner" >"$tmp/theirs"
	memory_of "$loop" >"$tmp/ours"
	kill "$guard" "$loop"
	wait "$guard" "$loop" 2>/dev/null
	guard=
	loop=
	[ -s "$tmp/theirs" ] || return 1
	memory=$(paste -d ' ' "$tmp/theirs" "$tmp/ours" | awk '
		function more(x) { return x > 0 ? x : 0 }
		{ print more($1 - $4), more($2 - $5), more($3 - $6) }')
}

# ---- the table ---------------------------------------------------------------

[ -x "$O/forkload" ] || die "there is no $O/forkload"
more_than_bare || die "cannot see the runner's memory"

cat <<END
Microseconds a program without libc, on CPU $CPU: medians of $PAIRS pairs of
blocks of $COUNT. Each ratio, forkload to bare, is the median over the pairs;
judged ones may be $LIMIT at most. A fork pays for its parent's memory: bare is
given what the runner has more of, mappings + KiB written + shared mappings.

END
printf '%-30s %7s %7s %7s %7s %6s %6s\n' \
	'' bare cpu forkload cpu real cpu
for method in vfork clone posix; do
	judged within "$method" "bare_block $method" "forkload_block spawn=$method"
done
judged within "fork, bare with +$(echo "$memory" | tr ' ' +)" \
	"bare_block fork $memory" "forkload_block spawn=fork"
printed 'fork, the smallest loop' \
	'bare_block fork' 'forkload_block spawn=fork'

printf '%-30s %7s %7s %7s %7s %6s %6s\n' \
	'' shell '' forkload cpu real ''
for shell in bash dash busybox; do
	if ! command -v "$shell" >/dev/null; then
		echo "$shell: not here"
		continue
	fi
	words=$shell
	[ "$shell" = busybox ] && words='busybox sh'
	judged alike "$shell's loop, like=$shell" \
		"shell_block $words" "forkload_block like=$shell"
done

if command -v hyperfine >/dev/null; then
	hyperfine -N -w 20 -r "$COUNT" --export-csv "$tmp/csv" "$program" \
		>/dev/null 2>&1 &&
		awk -F, 'NR == 2 {
			printf "hyperfine -N, mean %d us\n", $2 * 1e6 + 0.5
		}' "$tmp/csv"
else
	echo 'hyperfine: not here'
fi
exit "$failed"

#!/bin/bash
# Real programs beside their replay: runs loopback.sh and forkload -w loopback
# in turn, a few times, and prints the medians of both and their ratio.
#
#   loopback-side-by-side.sh [TIMES]
set -euo pipefail
export LC_ALL=C

# The workload sets like=bash, so that both fork as a bash does. They differ in
# - the programs: most real ones are linked dynamically, to be mapped and
#   linked at each start, and do their own start-up; the applets are forkload
#   itself and do nothing but the work;
# - the shell: bash parses, expands and redirects as it goes, handles signals
#   and keeps a table of jobs, and all that is timed; forkload has everything
#   ready before its clock starts;
# - the work: dd gets the reply to the program before it, @client waits for
#   its own; sort, od and the like do more than @readfile;
# - the server: another program. Its CPU time is in no sum on either side.

forkload=${FORKLOAD:-forkload}
times=${1:-3}
here=$(dirname "${BASH_SOURCE[0]}")
declare -A script replay

[[ $times =~ ^[1-9][0-9]{0,2}$ ]] || {
	echo "usage: loopback-side-by-side.sh [TIMES]" >&2
	exit 2
}

# All microseconds, as "clients_real" and so on.
run_script()
{
	local out status=0 key value stage

	out=$(bash "$here/loopback.sh" 2>&1) || status=$?
	[ "$status" -eq 0 ] || {
		echo "$out" >&2
		exit "$status"
	}
	while read -r key value; do
		case $key in
		*:) stage=${key%:} ;;
		*) script[${stage}_$key]+=" $((10#${value/./} * 1000))" ;;
		esac
	done <<<"$out"
}

run_replay()
{
	local out stage key us

	out=$("$forkload" -q -b 500ms -F sh -w loopback)
	eval "$out"
	for key in real user sys; do
		for stage in clients_ parse_ ''; do
			us=fl_$stage${key}_us
			replay[${stage:-all_}$key]+=" ${!us}"
		done
	done
}

# median 'NUMBER...': the lower of the two in the middle
median()
{
	tr -s ' ' '\n' <<<"${1# }" | sort -n | sed -n "$(((times + 1) / 2))p"
}

# Whatever runs ends by itself: a signal waits for it.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

for ((i = 0; i < times; i++)); do
	run_script
	run_replay
done

echo "medians of $times, in ms     loopback.sh     forkload   ratio"
for stage in clients parse all; do
	for key in real user sys; do
		a=$(median "${script[${stage}_$key]}")
		b=$(median "${replay[${stage}_$key]}")
		awk -v stage="$stage" -v key="$key" -v a="$a" -v b="$b" 'BEGIN {
			printf "%-8s %-4s %25.1f %12.1f %7s\n", stage, key,
				a / 1000, b / 1000,
				(b > 0) ? sprintf("%.2f", a / b) : "-"
		}'
	done
done

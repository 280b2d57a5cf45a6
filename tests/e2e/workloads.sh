#!/bin/sh
# Every workload passes check, is printed as it is read, is built in, and runs.
. "$TOP/tests/tap.sh"

for file in "$TOP"/workloads/*.wl; do
	name=$(basename "$file" .wl)
	run 0 "$name: check" check -f "$file"
	mv out canonical.wl
	"$FORKLOAD" check -w "$name" >out 2>err
	check "$name: the same is built in" cmp -s out canonical.wl
	# One workload for each variant.
	rm -f part.*
	awk '/^# variant /{ n++; next } { print >("part." n + 0) }' canonical.wl
	for part in part.*; do
		sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$part" >one.wl
		run 0 "$name: $part: its canonical text" check -f one.wl
		check "$name: $part reads back the same" cmp -s out one.wl
	done
	"$FORKLOAD" -q -r 1 -W 0 -F sh --cpu-split=kernel -f "$file" >out 2>err
	status=$?
	case $status in
	0) check "$name: it runs" test "$(value fl_n)$(value fl_pairs)" -gt 0 ;;
	4) skip "$name: it runs" "$(head -n 1 err)" ;;
	*) fail "$name: it runs (exit status $status)" ;;
	esac
done

run 0 "list" list
for file in "$TOP"/workloads/*.wl; do
	name=$(basename "$file" .wl)
	check "list: $name and what it is for" \
		grep -q "^$name  *[a-z]" out
done

done_testing

#!/bin/sh
# Wrong workloads: each NAME.wl must give the very text of NAME.txt, exit
# status 2, nothing on standard output, and nothing must be run.
. "$TOP/tests/tap.sh"

cd "$TOP/tests/bad" || exit 1
log=$(mktemp "${TMPDIR:-/tmp}/forkload-bad-XXXXXX")
trap 'rm -f "$log" "$log.out"' EXIT

for case in *.wl; do
	name=${case%.wl}
	"$FORKLOAD" -q -r 1 -f "$case" >"$log.out" 2>"$log" </dev/null
	status=$?
	if [ "$status" -eq 2 ] && [ ! -s "$log.out" ] &&
		cmp -s "$log" "$name.txt"; then
		pass "$name"
	else
		fail "$name (exit status $status)"
		diff "$name.txt" "$log" | sed 's/^/# /'
	fi
done

done_testing

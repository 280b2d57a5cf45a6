#!/bin/sh
# Runs the tests of a build folder and counts them.
#
#   run.sh BUILD [unit|bad|e2e|regress]
#
# Unit programs are libcheck's; the others print TAP. A file of those that
# exits with 77 is skipped as a whole. The last line is "N passed, N failed,
# N skipped"; the exit status is 1 where a test failed, or none was run.
set -u

build=$1
only=${2:-all}
here=$(cd "$(dirname "$0")" && pwd)
FORKLOAD=$(cd "$build" && pwd)/forkload
HELPERS=$(cd "$build" && pwd)/helpers
TOP=$(dirname "$here")
export FORKLOAD HELPERS TOP

passed=0 failed=0 skipped=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/forkload-tests-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

wanted()
{
	[ "$only" = all ] || [ "$only" = "$1" ]
}

# libcheck's own line: "87%: Checks: 8, Failures: 1, Errors: 0"
run_unit()
{
	"$1" >"$scratch/log" 2>&1
	status=$?
	counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		"$scratch/log" | tail -n 1)
	# shellcheck disable=SC2086 # three numbers
	set -- "$1" ${counts:-0 0 1}
	bad=$(($3 + $4))
	[ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	good=$(($2 - $3 - $4))
	[ "$good" -ge 0 ] || good=0
	passed=$((passed + good))
	failed=$((failed + bad))
	printf '%-30s %s checks\n' "unit/$(basename "$1")" "$2"
	[ "$bad" -eq 0 ] || cat "$scratch/log"
}

# Lines "ok ..." and "not ok ...", "# SKIP" behind those that were left out,
# and a plan "1..N" that says how many there must be.
run_tap()
{
	name=$(basename "$(dirname "$1")")/$(basename "$1" .sh)
	mkdir -p "$scratch/work"
	(cd "$scratch/work" && exec sh "$1") >"$scratch/log" 2>&1
	status=$?
	rm -rf "$scratch/work"
	if [ "$status" -eq 77 ]; then
		skipped=$((skipped + 1))
		printf '%-30s skipped: %s\n' "$name" "$(tail -n 1 "$scratch/log")"
		return
	fi
	left=$(grep -c '^ok .*# SKIP' "$scratch/log")
	good=$(($(grep -c '^ok ' "$scratch/log") - left))
	bad=$(grep -c '^not ok ' "$scratch/log")
	planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$scratch/log" | tail -n 1)
	if [ "${planned:-none}" != $((good + bad + left)) ] ||
		{ [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; }; then
		echo "not ok: it ended early, with status $status" >>"$scratch/log"
		bad=$((bad + 1))
	fi
	passed=$((passed + good))
	failed=$((failed + bad))
	skipped=$((skipped + left))
	printf '%-30s %s tests\n' "$name" "$((good + bad))"
	grep '# SKIP' "$scratch/log"
	[ "$bad" -eq 0 ] || cat "$scratch/log"
}

if wanted unit; then
	for source in "$here"/unit/*.c; do
		run_unit "$build/unit/$(basename "$source" .c)"
	done
fi
for kind in bad e2e regress; do
	wanted "$kind" || continue
	for test in "$here/$kind"/*.sh; do
		[ -e "$test" ] && run_tap "$test"
	done
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

#!/bin/sh
# Every example runs as it is.
. "$TOP/tests/tap.sh"

command -v bash >/dev/null || {
	echo "no bash here"
	exit 77
}
PATH=$(dirname "$FORKLOAD"):$PATH
export PATH FORKLOAD
cd "$TOP" || exit 1

# example STATUS NAME [ARG]...: 77 is a skip.
example()
{
	want=$1
	name=$2
	shift 2
	bash "examples/$name" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	if [ "$status" -eq 77 ]; then
		skip "$name $*" "$(tail -n 1 "$scratch/err")"
	elif [ "$status" -eq "$want" ]; then
		pass "$name $*"
	else
		fail "$name $* (exit status $status)"
		sed 's/^/# /' "$scratch/out" "$scratch/err"
	fi
}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/forkload-examples-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

for script in examples/*.sh; do
	check "$script can be executed" test -x "$script"
done
example 0 embed.sh
example 0 bisect.sh
example 0 threshold.sh 60s
example 3 threshold.sh 1us
before=$(cat /proc/sys/kernel/randomize_va_space)
example 0 sysctl.sh kernel.randomize_va_space "$before"
check "the sysctl is as it was" test \
	"$(cat /proc/sys/kernel/randomize_va_space)" = "$before"
example 0 loopback-side-by-side.sh

done_testing

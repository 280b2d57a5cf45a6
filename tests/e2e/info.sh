#!/bin/sh
# info: the environment of a result, and what could disturb one.
. "$TOP/tests/tap.sh"

# fact NAME: what info says of it.
fact()
{
	awk -v name="$(printf '%-18s' "$1")" '$0 == "" { exit }
		substr($0, 1, 18) == name { print substr($0, 20) }' out
}

run 0 "info" info
for name in forkload linkage libc kernel 'boot id' 'command line' \
	architecture cpu cpus 'cpu limit' memory 'load average' HZ \
	clocksource governor randomize_va_space 'perf paranoid' 'huge pages' \
	seccomp vulnerabilities; do
	check "$name: something is told" test -n "$(fact "$name")"
done
check "forkload: its version" \
	test "forkload $(fact forkload)" = "$("$FORKLOAD" --version)"
check "HZ: a number or unknown" sh -c \
	'echo "$1" | grep -Eqx "[0-9]+(, from .*)?|unknown"' sh "$(fact HZ)"
if [ -r /proc/sys/kernel/random/boot_id ]; then
	check "boot id: the kernel's" test "$(fact 'boot id')" = \
		"$(cat /proc/sys/kernel/random/boot_id)"
fi

# What the file says: its type (3: position-independent) is in bytes 16, 17.
# shellcheck disable=SC2046 # two numbers
set -- $(od -An -tu1 -j16 -N2 "$FORKLOAD")
case $(fact linkage) in
*PIE) pie=3 ;;
*) pie=2 ;;
esac
check "linkage: PIE where it is" test $(($1 + $2)) = "$pie"
if command -v readelf >/dev/null 2>&1; then
	case $(fact linkage) in
	dynamic*) loaders=1 ;;
	*) loaders=0 ;;
	esac
	check "linkage: dynamic where it is" test \
		"$(readelf -lW "$FORKLOAD" | grep -c '^  INTERP')" = "$loaders"
else
	skip "linkage: dynamic where it is" "readelf is not here"
fi

check "noise: one heading, behind an empty line" test \
	"$(grep -A 1 -x '' out | grep -c '^noise  *what')" = 1
sed '1,/^$/d; /^$/,$d' out >noise
check "noise: some rows" test "$(wc -l <noise)" -gt 1
check "noise: within 80 columns, but for paths" sh -c \
	"! grep -v / noise | grep -q '.\{81\}'"
check "noise: names, then a column of text" sh -c \
	"! grep -Evq '^([a-z][a-z ]{17}| {18}) [^ ]' noise"
# Each thing is told of once: in a row, as quiet, or as not told.
awk '
	{ name = substr($0, 1, 18); sub(/ +$/, "", name) }
	name != "" { lists = name == "quiet" || name == "not told" }
	name != "" && name != "noise" && !lists { print name }
	lists { print substr($0, 20) }
' noise | sed 's/, */,/g' | tr ',' '\n' | grep . >told
printf '%s\n' boost 'cpu limit' governor 'other tasks' pressure smt steal swap \
	throttling tick 'virtual machine' | LC_ALL=C sort >want
check "noise: each thing is told of once" sh -c \
	'LC_ALL=C sort told | cmp -s - want'

# Without /proc and /sys, in a mount namespace of its own.
cat >bare <<'EOF'
mount -t tmpfs none /sys && mount -t tmpfs none /proc || exit 77
exec "$FORKLOAD" info
EOF
unshare -m sh bare >out 2>err
status=$?
if grep -q __asan_init "$FORKLOAD"; then
	skip "without /proc and /sys" "LeakSanitizer needs /proc"
elif [ "$status" -eq 77 ] || ! [ -s out ]; then
	skip "without /proc and /sys" "this user cannot mount"
else
	check "without /proc and /sys: no error" test "$status" = 0
	check "without: not a word on standard error" test ! -s err
	check "without: the kernel is known" \
		test "$(fact kernel)" != unknown
	for name in 'boot id' 'command line' cpu 'cpu limit' memory \
		'load average' clocksource governor randomize_va_space \
		'perf paranoid' 'huge pages' seccomp vulnerabilities; do
		check "without: $name" test "$(fact "$name")" = unknown
	done
	has out "without: no noise is told" \
		"not told           other tasks, pressure, cpu limit, steal,"
	has_not out "without: nothing is called quiet" "quiet  "
fi

done_testing

# tap: what every end-to-end test shares. A test sources it, calls the checks
# below, and ends with "done_testing". It runs in an empty folder of its own;
# $FORKLOAD is the program, $HELPERS the folder of small programs to run.
# shellcheck shell=sh

tests=0
failures=0
TAB=$(printf '\t')
export TAB

pass()
{
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

fail()
{
	tests=$((tests + 1))
	failures=$((failures + 1))
	echo "not ok $tests - $1"
	[ ! -f out ] || sed 's/^/# out: /' out
	[ ! -f err ] || sed 's/^/# err: /' err
}

# skip NAME REASON
skip()
{
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# check NAME COMMAND...: the command must succeed.
check()
{
	what=$1
	shift
	if "$@"; then
		pass "$what"
	else
		fail "$what"
	fi
}

# run STATUS NAME ARG...: forkload must exit with that status; its output is
# left in the files out and err.
run()
{
	status_wanted=$1
	what=$2
	shift 2
	"$FORKLOAD" "$@" >out 2>err </dev/null
	have=$?
	if [ "$have" -eq "$status_wanted" ]; then
		pass "$what"
	else
		fail "$what (exit status $have, not $status_wanted)"
	fi
}

# has FILE NAME TEXT: the file holds that text.
has()
{
	if grep -qF -e "$3" "$1"; then
		pass "$2"
	else
		fail "$2: '$3' is not in $1"
	fi
}

# has_not FILE NAME TEXT
has_not()
{
	if grep -qF -e "$3" "$1"; then
		fail "$2: '$3' is in $1"
	else
		pass "$2"
	fi
}

# value NAME: that variable of the format sh in out.
value()
{
	sed -n "s/^$1=//p" out
}

# own_folder: from here on forkload has its scratch folders in tmp, and it and
# all below it bear a mark in their environment, which this shell does not.
own_folder()
{
	mkdir tmp
	TMPDIR=$PWD/tmp
	export TMPDIR
	mark=FORKLOAD_TEST_MARK=$$
	printf '#!/bin/sh\nexec env %s %s "$@"\n' "$mark" "$FORKLOAD" >marked
	chmod 755 marked
	FORKLOAD=$PWD/marked
}

# left: how many processes bear the mark.
left()
{
	grep -lz "^$mark\$" /proc/[0-9]*/environ 2>/dev/null | wc -l
}

# clean NAME: nothing is left of what own_folder saw.
clean()
{
	check "$1: no process is left" test "$(left)" = 0
	check "$1: no file is left" test -z "$(ls -A tmp)"
}

done_testing()
{
	echo "1..$tests"
	[ "$failures" -eq 0 ]
	exit
}

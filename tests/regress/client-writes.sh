#!/bin/sh
# @client makes one write for each size, however large it is.
. "$TOP/tests/tap.sh"

# LeakSanitizer cannot work in a program that is traced.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

if ! strace -o trace true 2>err; then
	echo "strace does not work here"
	exit 77
fi

# writes SEND WANT: what the client's calls returned, in their order.
writes()
{
	# shellcheck disable=SC2016 # they are bash's
	strace -o trace -e trace=write,writev \
		bash -c 'exec -a @client "$0" "$@"' "$FORKLOAD" \
		fd=3 "send=$1" recv=0 3>got 2>err
	check "send=$1: it runs" test $? = 0
	have=$(sed -n 's/^writev*(3, .* = \([0-9]*\)$/\1/p' trace | tr '\n' ' ')
	check "send=$1: $have" test "$have" = "$2 "
}

writes 32k 32768
writes 64,32,8 '64 32 8'
writes 1m,3m,10 '1048576 3145728 10'

done_testing

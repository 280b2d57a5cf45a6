#!/bin/sh
# A client that waits for no reply has often closed its socket before the
# server looks whose it is: the kernel then names root, or nobody. Such a peer
# is no other user's.
. "$TOP/tests/tap.sh"

as_user=
if [ "$(id -u)" -eq 0 ]; then
	# Root would not notice, for its number is what the kernel names.
	as_user="setpriv --reuid 54321 --clear-groups"
	if ! TMPDIR=/tmp $as_user "$FORKLOAD" -q -r 1 -e 'run @true' \
		>out 2>err </dev/null; then
		echo "forkload cannot be run as another user here"
		exit 77
	fi
fi

# More at once than the server accepts.
# shellcheck disable=SC2016 # $s is forkload's
TMPDIR=/tmp $as_user "$FORKLOAD" -q -r 20 -W 0 \
	-e 'serve s tcp request=64 reply=1' \
	-e 'step a repeat 8 jobs=8 run @client to=$s send=64 recv=0 times=200' \
	>out 2>err </dev/null
check "clients that do not wait" test $? = 0
has out "the server was there" 'server, in no sum'
has_not out "none is taken for another user's" refused

done_testing

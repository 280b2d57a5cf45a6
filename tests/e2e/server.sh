#!/bin/sh
# Servers: kinds, checks, waiting, and whose CPU time it is.
. "$TOP/tests/tap.sh"

for kind in tcp tcp6 unix; do
	if [ "$kind" = tcp6 ] && ! "$FORKLOAD" -q -r 1 -e 'need ipv6' \
		-e 'run @true' >out 2>err; then
		skip "$kind" "no IPv6 here"
		continue
	fi
	# shellcheck disable=SC2016 # $s is forkload's
	run 0 "$kind: over one connection" -r 2 -F sh -e "serve s $kind" \
		-e 'open 5 $s' \
		-e 'step a repeat 5 run @client fd=5 send=10,20 recv=30 times=3'
	# shellcheck disable=SC2016
	run 0 "$kind: a connection each" -r 2 -F sh \
		-e "serve s $kind request=100 reply=100000" \
		-e 'step a repeat 5 run @client to=$s send=100 recv=100000 times=3'
done

run 2 "checked before anything is run" -e 'serve s tcp' \
	-e 'step c run @client to=$s send=1 recv=@'
# shellcheck disable=SC2016
run 124 "a reply that never comes" -r 1 -W 0 -e 'serve s tcp request=8' \
	-e 'step b timeout=200ms run @client to=$s send=4 recv=4'
run 1 "wrong bytes of a peer" -r 1 -W 0 -e 'tmpfile data 1k' \
	-e 'open 4 $data' -e 'step a run @client fd=4 send=1 recv=8'

# shellcheck disable=SC2016
run 0 "two small writes wait for each other's acknowledgement" -r 3 -W 0 \
	-e 'serve s tcp request=8 reply=8 nodelay=off' -e 'open 3 $s' \
	-e 'step a run @client fd=3 send=4,4 recv=8 times=5'
has out "the report tells that it waited" "of its time is no CPU time: it waited"
# shellcheck disable=SC2016
run 0 "a server that takes its time" -r 3 -W 0 -F sh \
	-e 'serve s tcp request=8 delay=20ms' \
	-e 'step a run @client to=$s send=8 recv=8 times=3'
check "three delays" test "$(value fl_a_real_us)" -ge 60000

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	# shellcheck disable=SC2016
	run 1 "another user gets no answer" -r 1 -W 0 -e 'serve s tcp request=1' \
		-e "step a run setpriv --reuid 54321 --clear-groups bash -c 'exec 3<>\$0; printf \"\\\\0\" >&3; head -c 1 <&3 | wc -c | grep -q 1' \$s"
else
	skip "another user gets no answer" "only root can be another user"
fi

done_testing

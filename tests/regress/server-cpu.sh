#!/bin/sh
# A server whose delayed reply does not fit into the socket waits until there
# is room; it does not ask for it over and over.
. "$TOP/tests/tap.sh"

# The client reads only after a second.
# shellcheck disable=SC2016 # $s is forkload's
run 0 "a reply larger than the socket takes, read whole" -r 1 -W 0 \
	-e 'serve s tcp request=1 reply=16m delay=1ms' \
	-e 'step a run bash -c "exec 3<>\$0; printf \"\\\\0\" >&3; sleep 1; test \$(head -c 16777216 <&3 | wc -c) = 16777216" $s'
# shellcheck disable=SC2016 # fields of awk
check "the server hardly ran meanwhile" awk '
	{ gsub(/[~s]/, "", $3); gsub(/[~s]/, "", $4); gsub(/[~s]/, "", $5) }
	$1 == "a" { real = $3 }
	/server, in no sum/ { found = 1; cpu = $4 + $5 }
	END { exit !(found && real >= 1 && cpu < real / 10) }' out

done_testing

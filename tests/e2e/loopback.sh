#!/bin/sh
# The main job: the loopback workload, in every surrounding.
. "$TOP/tests/tap.sh"

wl=$TOP/workloads/loopback.wl

time_lines()
{
	tail -n 3 "$1" | awk '
		NR == 1 && /^real\t[0-9]+m[0-9]+\.[0-9][0-9][0-9]s$/ { n++ }
		NR == 2 && /^user\t[0-9]+m[0-9]+\.[0-9][0-9][0-9]s$/ { n++ }
		NR == 3 && /^sys\t[0-9]+m[0-9]+\.[0-9][0-9][0-9]s$/ { n++ }
		END { exit n != 3 }'
}

run 0 "it runs" -r 2 -f "$wl"
check "it ends with the three lines of time" time_lines out
has out "110 programs a round" "110 programs a round"
has out "the server has a row of its own" "server"
check "nothing on standard error" test ! -s err

run 0 "execs are counted" -r 2 -F sh -f "$wl"
check "50 clients" test "$(value fl_clients_n)" = 50
check "60 parsers" test "$(value fl_parse_n)" = 60
check "110 in all" test "$(value fl_n)" = 110
check "status 0" test "$(value fl_status)" = 0
check "the sums agree" test \
	$(($(value fl_clients_real_us) + $(value fl_parse_real_us) - $(value fl_real_us))) -ge -1

run 0 "a variable is overridden" -r 1 -F sh -f "$wl" clients=3 parses=100
check "3 clients" test "$(value fl_clients_n)" = 3
run 3 "what is expected must hold" -r 1 -f "$wl" clients=3
has err "that is told" "expect execs >= 100 does not hold: there were 63"
run 2 "a variable that is not there" -f "$wl" clinets=3
has err "it is named" "clinets"

run 0 "the same, built in" -r 1 -w loopback
run 0 "the same, as a sole operand" "$wl" -r 1
"$FORKLOAD" -r 1 -F sh -f - <"$wl" >out 2>err
check "the same, from standard input" test "$(value fl_n)" = 110

HOME='' "$FORKLOAD" -r 1 -F sh -f "$wl" >out 2>err
check "with HOME empty" test "$(value fl_n)" = 110
env -u HOME "$FORKLOAD" -r 1 -F sh -f "$wl" >out 2>err
check "with HOME unset" test "$(value fl_n)" = 110
env -i "$FORKLOAD" -r 1 -F sh -f "$wl" >out 2>err
check "inside env -i" test "$(value fl_n)" = 110
"$FORKLOAD" -r 1 -F sh -f "$wl" >out 2>err <&-
check "with standard input closed" test "$(value fl_n)" = 110
"$FORKLOAD" -r 1 -F sh -f "$wl" >out 2>&- </dev/null
check "with standard error closed" test "$(value fl_n)" = 110
"$FORKLOAD" -r 1 -f "$wl" >&- 2>err
check "with standard output closed: 125" test $? = 125
has err "and told" "cannot write on standard output"
TMPDIR=/nonexistent "$FORKLOAD" -r 1 -F sh -f "$wl" >out 2>err
check "with TMPDIR that is not there" test "$(value fl_n)" = 110

mkdir mine
TMPDIR=$PWD/mine "$FORKLOAD" -r 1 -f "$wl" >out 2>err
check "nothing is left in TMPDIR" test -z "$(ls -A mine)"

done_testing

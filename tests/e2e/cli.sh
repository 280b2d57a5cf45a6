#!/bin/sh
# The command line: what a new user tries, wrong things included.
. "$TOP/tests/tap.sh"

run 2 "nothing at all"
has err "nothing: what to give" "nothing to run: give a command"
for word in help --help -h; do
	run 0 "$word" "$word"
	has out "$word: usage on standard output" "usage: forkload"
done
for topic in language applets knobs servers conditions formats exit; do
	run 0 "help $topic" help "$topic"
	check "help $topic: some lines" test "$(wc -l <out)" -gt 3
done
check "no line of help is wider than 80 columns" sh -c '
	for topic in "" language applets knobs servers conditions formats exit; do
		"$FORKLOAD" help $topic
	done | awk "length > 80 { print; bad = 1 } END { exit bad }"'
run 2 "help on nothing we know" help spoons
run 0 "version" --version
has out "version: a number" "forkload 0."
run 0 "info" info
has out "info: the kernel" "$(uname -r)"
run 2 "info takes no words" info now
run 2 "list takes no words" list now

run 2 "an unknown option" --spoon
run 2 "an unknown letter" -Q
run 2 "an option without its argument" -r
run 2 "rounds that are no number" -r many true
has err "rounds: what they are" "--rounds: 'many' is not a whole number above 0"
run 2 "rounds of 0" -r 0 true
run 2 "a budget without a unit" -b 5 true
run 2 "an unknown format" -F xml true
has err "format: which there are" "table, time, posix, bench or sh"
run 2 "a colour" --color=blue true
run 2 "CPUs in the wrong order" -c 3-1 true
run 2 "a file that is not there" -f none.wl
has err "file: the reason" "none.wl: No such file or directory"
run 2 "a folder as a file" -f .
run 2 "a workload that is not built in" -w lopback
has err "built in: did you mean" "did you mean 'loopback'?"
run 2 "a step that is not there" -w loopback -s nothing
run 2 "a word behind a workload" -w loopback true
run 2 "--fail-if of no step" --fail-if 'none.real>1s' true
run 2 "--fail-if without a number" --fail-if 'real>' true
run 127 "a command that looks like a workload" ./missing.wlx

run 0 "a command" -r 1 true
check "a command: a row of its name" grep -q '^true  *1 ' out
run 0 "a command with options of its own" -r 1 -- ls -l /
check "its own options: a row" grep -q '^ls  *1 ' out
run 0 "the same without --" -r 1 ls -l /
run 0 "a command named as one of ours" -r 1 -- sh -c 'true list'
run 0 "run as a word" run -r 1 true
run 0 "blanks and quotes in arguments" -r 1 -W 0 sh -c 'printf "%s\n" "$@" >args' \
	sh "it's" 'a b' 'c"d' '$e' '\f' '' '*' '>' '#'
printf '%s\n' "it's" 'a b' 'c"d' '$e' '\f' '' '*' '>' '#' >want
check "they arrive as they are" cmp -s args want
run 0 "a newline in an argument" -r 1 -W 0 sh -c 'printf "%s" "$1" >args' sh 'a
b'
check "the newline arrives" test "$(wc -l <args)" = 1
run 0 "an applet as a command" -r 1 @true
run 1 "an applet that fails" -r 1 @exit 9
printf '#!/bin/sh\nexit 0\n' >script.sh
chmod 755 script.sh
run 0 "a script" -r 1 ./script.sh

run 0 "time" -F time -r 1 true
check "time: an empty line, then three" test "$(wc -l <out)" = 4
run 0 "posix" -p -r 1 true
check "posix: three lines" grep -Eqx 'real [0-9]+\.[0-9][0-9]' out
check "posix: only three" test "$(wc -l <out)" = 3
run 0 "sh" -F sh -r 1 -e 'step a-b.c run @true' -e 'step d run @true'
check "sh: other characters become _" test "$(value fl_a_b_c_n)" = 1
check "sh: can be evaluated" sh -c '. ./out'
run 2 "sh: names that agree" -F sh -r 1 -e 'step a-b run @true' -e 'step a.b run @true'
has err "sh: which" "would both be fl_a_b"

run 0 "only one step" -r 1 -F sh -w loopback -s 'cl*'
check "one step: it alone" test "$(value fl_n)" = 50
run 3 "--fail-if holds" -q -r 1 --fail-if 'real>1ns' true
has err "--fail-if: it is told" "--fail-if real>1ns holds"
run 0 "--fail-if holds not" -q -r 1 --fail-if 'real>1m' true
run 5 "--fail-if cannot tell" -q -r 1 --cpu-split=kernel --fail-if 'user>1s' true

run 0 "a colour where it is asked for" check --color=always -e 'run true'
run 2 "errors in colour" --color=always -e 'rnu'
has err "colour: an escape" "$(printf '\033[1;31m')"
NO_COLOR=1 "$FORKLOAD" -e rnu >out 2>err
has_not err "NO_COLOR" "$(printf '\033')"
run 0 "progress where it is asked for" -r 3 --progress=lines sleep 0.5
has err "progress: a line" "round "
run 0 "progress only on a terminal" -r 3 true
check "no progress here" test ! -s err

run 0 "what programs write is not shown" -r 1 echo visible
has_not out "not on standard output" "visible"
check "nor on standard error" test ! -s err
run 0 "but where it is asked for" -r 1 -W 0 --show-output echo visible
has err "then on standard error" "visible"
run 0 "standard input is empty" -r 1 -W 0 sh -c 'test -z "$(cat)"'

run 0 "rounds" -F sh -r 7 true
check "rounds: seven" test "$(value fl_rounds)" = 7
run 0 "rounds of the workload" -F sh -e 'rounds 3' -e 'run @true'
check "rounds: three" test "$(value fl_rounds)" = 3
run 0 "a budget" -F sh -b 300ms true
check "budget: more rounds than one" test "$(value fl_rounds)" -gt 1
run 0 "at least five" -F sh -e 'budget 10ms' -e 'run sleep 0.02'
check "five rounds" test "$(value fl_rounds)" = 5
has err "and it is said" "5 rounds of"
run 0 "but not where the budget is typed" -F sh -b 10ms sleep 0.05
check "typed: one round" test "$(value fl_rounds)" = 1

run 2 "more rounds than can be kept" -r 1000000000 true
has err "more rounds: it is told" "at most 16777216 rounds; nothing was run"
check "more rounds: nothing is reported" test ! -s out

run 2 "a limit on a step that is left out" -r 1 -s a --fail-if 'b.real>1us' \
	-e 'step a run @true' -e 'step b run @true'
has err "left out: it is told" "no step that is run has such a name"
run 2 "--step twice" -r 1 -s a -s b -e 'step a run @true' -e 'step b run @true'
has err "--step twice: it is told" "--step is given twice"
run 1 "a CPU that is not there" -r 1 -c 4000 true
has err "no such CPU: it is told" "cannot run on CPU 4000"
printf '#!/bin/sh\r\necho hi\r\n' >dos
chmod 755 dos
run 126 "a script with a DOS editor's line ends" -r 1 ./dos
has err "line ends: it is told" "carriage returns"

done_testing

#!/bin/sh
# What the language does when it runs, and files of odd shapes.
. "$TOP/tests/tap.sh"

# shellcheck disable=SC2016 # the names are forkload's
run 0 "words" -r 1 -W 0 -e 'set a="x y" b=z' \
	-e 'run printf "%s\n" $a "$a$b" '"'"'$a'"'"' \$a ${c:-"d"} a\ b "" >words'
printf '%s\n' 'x y' 'x yz' '$a' '$a' '"d"' 'a b' '' >want
if ! cmp -s words want; then
	printf '%s\n' 'x y' 'x yz' '$a' '$a' 'd' 'a b' '' >want
fi
check "words: as a shell would, each one word" cmp -s words want

cat >here.wl <<'END'
set name=World
run cat <<TEXT >one
Hello $name, \$name
TEXT
run cat <<'TEXT' >two
Hello $name
	and a tab
TEXT
sh <<SCRIPT
echo "from sh: $name" >three
SCRIPT
sh bash 'echo "${BASH_VERSION:+bash}"' >four
END
run 0 "here-texts" -r 2 -f here.wl
check "here-text: expands" grep -qx 'Hello World, $name' one
check "here-text: quoted" grep -qx 'Hello $name' two
check "here-text: tab" grep -qx "${TAB}and a tab" two
check "here-text: a script" grep -qx 'from sh: World' three
check "another shell" grep -qx bash four

printf 'run true\r\nrepeat 2\r\n\trun true\r\nend\r\n' >crlf.wl
run 0 "lines that end in CR LF" -r 1 -F sh -f crlf.wl
check "CR LF: three programs" test "$(value fl_n)" = 3
printf 'run true' >last.wl
run 0 "no newline at the end" -r 1 -f last.wl
printf 'set größe=3\nstep wörter repeat $größe run echo größer\n' >utf8.wl
if "$FORKLOAD" -q -r 1 -f utf8.wl >out 2>err; then
	pass "UTF-8 names work"
else
	check "UTF-8 names: told with their place" grep -q '^utf8.wl:1:5: error' err
fi
run 0 "UTF-8 words" -r 1 -W 0 -e 'step wörter run echo größer >word'
check "UTF-8 words arrive" grep -qx größer word

printf 'run true\nrun a\0b\n' >nul.wl
run 2 "a NUL byte" -f nul.wl
has err "NUL: its place" "nul.wl:2:6: error:"

awk 'BEGIN { for (i = 0; i < 100000; i++) print "run true" }' >lines.wl
run 0 "100,000 lines" check -f lines.wl
check "100,000 lines: all are there" test "$(grep -c '^step' out)" = 100000

{
	printf 'run true '
	head -c 1000000 /dev/zero | tr '\0' x
	echo
} >word.wl
run 0 "a word of 1 MB" check -f word.wl
check "1 MB: all of it" test "$(wc -c <out)" -gt 1000000
run 126 "a word of 1 MB is too long for exec" -r 1 -f word.wl
has err "1 MB: that is told" "Argument list too long"

echo 'include endless.wl' >endless.wl
run 2 "endless include" -f endless.wl
has err "endless: its place" "endless.wl:1:"
printf 'include b.wl\ninclude b.wl\nrun true\n' >a.wl
echo 'set x=1' >b.wl
run 0 "included twice is no cycle" check -f a.wl
mkdir sub
echo 'include inner.wl' >sub/outer.wl
echo 'run echo inner >innermost' >sub/inner.wl
run 0 "include is relative to its file" -r 1 -f sub/outer.wl
check "the included line was run" grep -q inner innermost

cat >run.wl <<END
#!$FORKLOAD -f
set n=2
step x repeat \$n run @true
END
chmod 755 run.wl
./run.wl -F sh -r 1 >out 2>err
check "a workload that is executable" test "$(value fl_n)" = 2
./run.wl -F sh -r 1 n=5 >out 2>err
check "with a variable" test "$(value fl_n)" = 5

run 0 "prepare, and before each timing" -r 3 -W 1 --cpu-split=kernel \
	-e "prepare 'echo once >>once'" -e 'step x' -e "prepare 'echo each >>each'" \
	-e 'run @true' -e 'end'
check "prepare: once" test "$(wc -l <once)" -eq 1
check "prepare: four times, with the warm-up" test "$(wc -l <each)" -eq 4
run 1 "a prepare that fails" -e "prepare 'echo no >&2; exit 4'" -e 'run @true'
has err "prepare: it is told" "prepare: /bin/sh -c echo no >&2; exit 4: exited with 4"
has err "prepare: what it said" "no"

run 4 "what is needed" -e 'need program:no-such-program' -e 'run @true'
has err "need: it is told" "it needs program:no-such-program"
run 0 "what a step needs" -r 1 -F sh -e 'step a' -e 'need cpus>=100000' \
	-e 'run @true' -e 'end' -e 'step b run @true'
check "need: the other step ran" test "$(value fl_b_n)" = 1
check "need: the step did not" test -z "$(value fl_a_n)"
has err "need: the step is told" "step a is skipped: it needs cpus>=100000"

run 0 "jobs" -r 2 -W 0 -F sh -e 'step x repeat 10 jobs=3 run @true | @true'
check "jobs: twenty programs" test "$(value fl_n)" = 20
run 0 "behind" -r 2 -W 0 -F sh -e 'step x' -e 'repeat 5' -e 'run sleep 0 &' \
	-e 'end' -e 'wait' -e 'run @true &' -e 'end'
check "behind: six programs" test "$(value fl_n)" = 6
run 1 "one of many fails" -r 1 -W 0 -e 'repeat 10 jobs=3 run @exit 7'
has err "one of many: it is told" "exited with 7, repetition"
run 0 "SIGPIPE is right but in the last" -r 1 -W 0 -e 'run yes | head -n 1'
run 1 "a failure in a pipeline's midst" -r 1 -W 0 \
	-e 'run true | false | cat'
run 0 "any status" -r 1 -W 0 -e 'step x status=any run false | false'

run 3 "what is expected of forks" -r 1 -e 'step x repeat 3 fork' \
	-e 'expect forks = 4'
run 0 "forks and execs are told apart" -r 1 -e 'step x repeat 3 fork' \
	-e 'step y run @true' -e 'expect forks = 4' -e 'expect execs = 1' \
	-e 'expect failures = 0'

run 0 "a padded environment" -r 1 -W 0 \
	-e 'step x envpad=1000 run env >pad'
check "padded: 1,000 bytes" test "$(grep '^FORKLOAD_PAD' pad | wc -c)" = 1014
run 0 "a padded name" -r 1 -W 0 \
	-e "step x argpad=1000 run sh -c 'echo \${#0}' >len" \
	-e 'step y argpad=7 run @exit 0'
run 0 "wrapped" -r 1 -W 0 -e "step x wrap='nice -n 3' run nice >nice"
check "wrapped: by nice" grep -qx 3 nice
run 0 "wrapped applet" -r 1 -W 0 -F sh -e "step x wrap='nice -n 3' run @true"

run 0 "open descriptors are inherited" -r 1 -W 0 -e 'open 7 opened w' \
	-e "step x run sh -c 'echo seven >&7'"
check "opened: written" grep -q seven opened
run 0 "descriptors are closed" -r 1 -W 0 -e 'open 7 opened w' \
	-e "step x fds=50 run $HELPERS/fds >many" \
	-e "step y fds=50 close=loop run $HELPERS/fds >loop" \
	-e "step z fds=50 close=range run $HELPERS/fds >range"
check "fifty more" test "$(wc -w <many)" = $((3 + 50 + 2))
check "closed by a loop" grep -q '^0 2 7 b' loop
check "closed by close_range" grep -q '^0 2 7 b' range

done_testing

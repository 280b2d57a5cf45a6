#!/bin/sh
# Comparisons: variants, their knobs and variables, pairs, verdicts, exits.
. "$TOP/tests/tap.sh"

F=$FORKLOAD
# quick STATUS NAME ARG...: run, without the rounds that split CPU time
quick()
{
	wanted=$1
	about=$2
	shift 2
	run "$wanted" "$about" --cpu-split=kernel -q "$@"
}

# ---- what is compared ------------------------------------------------------

quick 0 "a variable: twenty times the programs" -r 9 --vary n=1,20 \
	-e "step x sh 'i=0; while [ \$i -lt '\$n' ]; do /bin/true; i=\$((i+1)); done'"
check "it is slower" sh -c "grep -Eq '^x +real .*SLOWER' out"
check "so is its CPU time" sh -c "grep -Eq '^ +cpu .*SLOWER' out"
has out "who against whom" "n=20 against n=1, 9 pairs"

quick 0 "the other way round" -r 9 --vary n=20,1 \
	-e "step x sh 'i=0; while [ \$i -lt '\$n' ]; do /bin/true; i=\$((i+1)); done'"
check "it is faster" sh -c "grep -Eq '^x +real .*FASTER' out"

cat >three.wl <<'E2'
variant one n=1
variant two n=2
variant three n=3
set n=0
step s run status=any @exit $n
step t repeat 2 run @true
E2
quick 0 "three variants" -r 7 -F sh -f three.wl
for v in one two three; do
	for s in s t round; do
		has out "$s with $v" "fl_${s}_${v}_real_us="
	done
done
has_not out "the first is against none" "fl_s_one_verdict"
has out "pairs" "fl_pairs=7"
quick 0 "two tables" -r 7 -f three.wl
check "each against the first" test "$(grep -c ' one  *t' out)" = 2

quick 0 "a product" -r 6 -F sh --vary nice=0,5 --vary spawn=fork,vfork \
	-e 'step x run @true'
check "four variants" test "$(grep -c _real_us out)" = 8

quick 0 "the file's variants are replaced" -r 6 -F sh \
	--vary nice=0,1 -f three.wl n=0
has out "by these" fl_s_nice_0_real_us
has_not out "not those" fl_s_two

# ---- what a block is -------------------------------------------------------

quick 0 "a repeat alone: by passes" -r 6 --vary nice=0,5 \
	-e 'step x repeat 1000000 run @true'
check "of about 10 ms" grep -Eq '^a block is [0-9]+ pass(es)?;' out
quick 0 "two steps: by rounds" -r 6 --vary nice=0,5 \
	-e 'step x repeat 2 run @true' -e 'step y run @true'
check "so many" grep -Eq '^a block is [0-9]+ rounds?;' out
quick 0 "something behind '&': by rounds" -r 6 --vary nice=0,5 \
	-e 'step x repeat 2 run @true &'
check "too" grep -Eq '^a block is [0-9]+ rounds?;' out

quick 0 "expect speaks of a round, though a block is passes" -r 6 \
	--vary nice=0,5 -e 'step x repeat 30 run @true' -e 'expect execs = 30'
quick 3 "and may not hold" -r 6 --vary nice=0,5 \
	-e 'step x repeat 30 run @true' -e 'expect execs = 31'

# ---- the order -------------------------------------------------------------

quick 0 "each pair is kept" -r 32 --seed 42 -a kept.txt \
	--vary nice=0,5 -e 'step x run sleep 0.01'
bits=$(sed -n '/nice=5/{n;s/.*position=\([01]\).*/\1/p;}' kept.txt | tr -d '\n')
# Where the drawn bit is 1 the second variant runs first.
check "in the order that the seed draws" \
	test "$bits" = "$(echo 10000101010011100001101100111111 | tr 01 10)"

# ---- exits -----------------------------------------------------------------

quick 3 "more than 50 % slower" \
	-r 9 --vary s=0.01,0.03 -e 'step x run sleep $s' --fail-if 'x.real>50%'
has err "it is told" "with s=0.03"
quick 0 "not 900 % slower" \
	-r 9 --vary s=0.01,0.03 -e 'step x run sleep $s' --fail-if 'real>900%'
quick 5 "one pair cannot tell" -r 1 --vary nice=0,1 \
	--fail-if 'real>1%' true
quick 2 "a percentage of nothing" --fail-if 'real>1%' true
quick 2 "a percentage of the split" --fail-if 'user>1%' \
	--vary nice=0,1 true
quick 3 "a figure of a variant" \
	-r 9 --vary s=0.01,0.03 -e 'step x run sleep $s' --fail-if 'real>25ms'
quick 0 "a figure that holds not" \
	-r 9 --vary s=0.01,0.03 -e 'step x run sleep $s' --fail-if 'real>25s'

quick 1 "bisect: bad" --bisect -r 9 --vary s=0.01,0.03 -e 'run sleep $s'
quick 0 "bisect: good" --bisect -r 9 --vary s=0.03,0.01 \
	-e 'run sleep $s'
quick 125 "bisect: one pair cannot tell" --bisect -r 1 \
	--vary nice=0,1 true
quick 125 "bisect: a failure" --bisect -r 9 --vary n=0,1 \
	-e 'run @exit $n'
quick 129 "bisect: wrong usage" --bisect true
quick 129 "bisect: a wrong option" --bisect --no-such true
quick 129 "bisect: a wrong workload" --bisect -e 'runn x'
quick 1 "bisect: by a threshold" --bisect --fail-if 'real>1us' -r 1 true

quick 125 "bisect: a variant that is skipped is not good" -m 60 --bisect \
	-r 9 --vary p=true,/bin/true,./none -e 'run $p'
quick 5 "nor does it pass a gate" -m 60 --fail-if 'real>900%' -r 9 \
	--vary p=true,/bin/true,./none -e 'run $p'
has err "it is told" "has no figure with p=./none"
quick 5 "nor does a step that is skipped" --fail-if 'b.real>1ns' -r 6 \
	--vary nice=0,1 -e 'step a run true' -e 'step b run ./none'
has err "that, too" "b has no figure"

# ---- wrong usage -----------------------------------------------------------

run 2 "vary: no value" --vary nice true
run 2 "vary: one value" --vary nice=1 true
has err "it is told" "nothing to compare"
run 2 "vary: no such name" --vary nise=0,1 true
has err "a guess" "did you mean 'nice'?"
run 2 "vary: twice the same" --vary nice=1,1 true
run 2 "vary and aa" --aa --vary nice=0,1 true
run 2 "a format with one place" -F time --vary nice=0,1 true
has err "it is told" "no place for several variants"
run 2 "a margin" -m none --vary nice=0,1 true

# ---- what fails ------------------------------------------------------------

quick 127 "a program that is not there" --vary p=true,./none \
	-e 'run $p'
has err "which" "./none"
quick 0 "one of three is not there" -r 6 -e 'variant a p=true' \
	-e 'variant b p=./none' -e 'variant c p=true' -e 'run $p'
has out "it is skipped, with the reason" "SKIPPED  b: "
cat >flaky <<'E2'
#!/bin/sh
echo x >>count
n=$(wc -l <count)
[ "$n" != 9 ]
E2
chmod 755 flaky
quick 1 "one failure among many" -r 9 -W 1 --vary k=1,2 \
	-e 'step x run ./flaky $k'
has out "its pair is dropped, and told" "1 pair was dropped: step x/"
has out "the others count" "9 pairs in"
quick 1 "failures only" -r 9 --vary n=0,3 -e 'step x run @exit $n'
has err "told" "exited with 3"

quick 1 "a step that fails in one variant" -k -r 6 --vary n=0,3 \
	-e 'step x run @exit $n' -e 'step y run @true'
has out "is told" "x            FAILED  @exit 3: exited with 3"
check "the other is compared" grep -q '^y  *real' out
check "and the failed one has no figure" sh -c '! grep -q "^x  *real" out'
quick 1 "none is left to compare" -k -r 6 --vary n=0,3 -e 'run @exit $n'

# ---- setup and undo --------------------------------------------------------

cat >around.wl <<'E2'
variant a setup='echo a >>log' undo='echo undo-a >>log'
variant b setup='echo b >>log' undo='echo undo-b >>log'
step x run sleep 0.01
E2
quick 0 "commands around each block" -r 3 -W 1 -f around.wl
check "each is undone before the next" awk '
	NR % 2 { was = $1; next } $1 != "undo-" was { exit 1 }' log
check "as often for both" test "$(grep -c '^a$' log)" = "$(grep -c '^b$' log)"
rm -f log
cat >half.wl <<'E2'
variant a setup='echo a >>log; exit 7' undo='echo undo-a >>log'
variant b
run @true
E2
quick 1 "a setup that fails" -r 3 -f half.wl
has err "it is told" "variant a: setup: "
check "it is undone all the same" test "$(cat log)" = "a
undo-a"
rm -f log
cat >long.wl <<'E2'
variant a setup='echo a >>log' undo='echo undo-a >>log'
variant b setup='echo b >>log' undo='echo undo-b >>log'
step x run sleep 30
E2
"$F" -q -f long.wl >out 2>err &
pid=$!
while [ ! -s log ] && kill -0 $pid; do sleep 0.05; done
sleep 0.2
kill -TERM $pid
wait $pid
check "a signal: its status" test $? = 143
check "a signal: what was set up is undone" test "$(cat log)" = "a
undo-a"

rm -f log
printf "variant a setup='true' undo='sleep 1; echo undone >>log'\n%s\n" \
	"variant b
run sleep 30" >twice.wl
if command -v setsid >/dev/null; then
	env --default-signal setsid "$F" -q -f twice.wl >out 2>err &
	pid=$!
	sleep 1
	kill -INT -"$pid"
	sleep 0.4
	kill -INT -"$pid"
	wait "$pid"
	check "a second Ctrl-C does not end the undo" test "$(cat log)" = undone
else
	skip "a second Ctrl-C does not end the undo" "setsid is not there"
fi
printf "variant a setup='exit 4' undo='exit 3'\nvariant b\nrun true\n" >bad.wl
quick 1 "an undo that fails" -f bad.wl
has err "it is told, also with -q" "its undo failed"
own_folder
F=$FORKLOAD
printf "variant a undo='sleep 47 & exit 0'\nvariant b\nrun sleep 30\n" >left.wl
"$F" -q -f left.wl >out 2>err &
pid=$!
sleep 1
kill -TERM "$pid"
wait "$pid"
clean "what an undo left running"

# ---- samples ---------------------------------------------------------------

quick 0 "samples are appended" -r 2 -a kept2.txt --boot here \
	--vary nice=0,5 -w loopback
quick 0 "and again" -r 3 -a kept2.txt -w loopback
check "a head a run" test "$(grep -c '^# forkload: ' kept2.txt)" = 2
check "an end a run" test "$(grep -c '^# end: ' kept2.txt)" = 2
has kept2.txt "the boot's name" "# boot: here"
has kept2.txt "the step and the variant" "BenchmarkLoopback/parse/nice=5 "
# The published format: a name, a count, then pairs of a number and a unit.
check "each line is of the published format" awk '
	/^#/ { next }
	$1 !~ /^Benchmark[A-Z][^ \t]*$/ || $2 !~ /^[0-9]+$/ || NF % 2 { exit 1 }
	{ for (i = 3; i < NF; i += 2)
		if ($i !~ /^[0-9]+(\.[0-9]+)?$/ || $(i + 1) ~ /^[0-9]/) exit 1
	  if ($1 ~ /-[0-9]+$/) exit 1 }' kept2.txt
quick 0 "names that the format cannot hold" -r 1 -a odd.txt \
	--vary e=1,2 -e "step 'a b%c-9' status=any run @exit \$e"
check "are encoded" grep -q '^BenchmarkLines/a%20b%25c%2D9/e=1 ' odd.txt
quick 0 "rounds that do not fill a block" -r 1 -a few.txt true
check "are a block all the same" grep -q '^BenchmarkTrue/true 1 ' few.txt
run 2 "a file that cannot be had" -a /nowhere/x true
has err "it is told, and nothing is run" "nothing was run"
quick 0 "to the console" -r 2 -a - true
check "behind the report, between marks" sh -c "
	sed -n '/^real/,\$p' out | grep -q -- '----- forkload results begin'"
quick 0 "as a report" -r 2 -F bench true
check "with an end" sh -c "tail -1 out | grep -q '^# end: why=rounds'"

# ---- the same with itself --------------------------------------------------

quick 0 "aa" -r 9 --aa -e 'repeat 10 run @true'
has out "what can be told" "the smallest difference that can be told here"
has out "against itself" "B against A, 9 pairs"

done_testing

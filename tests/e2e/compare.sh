#!/bin/sh
# compare: results that were kept, console logs, and lists out of mails.
. "$TOP/tests/tap.sh"

# results FILE BOOT KERNEL NS...: one run, of so many blocks.
hash=9f8e7d6c environment=1000 step=clients started=
results()
{
	into=$1 of_boot=$2 kernel=$3
	shift 3
	head_of_run >>"$into"
	blocks "$@" >>"$into"
}

head_of_run()
{
	printf '# forkload: 0.1\n# kernel: %s\n# boot: %s\n' "$kernel" "$of_boot"
	printf '# workload: loopback %s\n# seed: %s\n' "$hash" "$of_boot"
	printf '# load average: %s\n# clock quantum: 1 ns\n' "$of_boot"
	printf '# environment bytes: %s\n' "$environment"
	[ -z "$started" ] || printf '# started: %s\n' "$started"
}

blocks()
{
	pair=0
	for ns; do
		pair=$((pair + 1))
		printf 'BenchmarkLoopback/%s 50 %s ns/op %s user-ns/op %s sys-ns/op\n' \
			"$step" "$ns" $((ns / 10)) $((ns / 2))
		printf '# block: pair=%s position=0 start=%s total=%s min=1 failures=0\n' \
			"$pair" "${pair}000" $((ns * 50))
	done
	printf '# end: why=width pairs=%s looks=1 elapsed=5\n' "$pair"
}

# lines FILE LINE...
lines()
{
	into=$1
	shift
	printf '%s\n' "$@" >"$into"
}

# flat: what was written, as one line.
flat()
{
	tr '\n' ' ' <out | tr -s ' ' >flat
}

wide()
{
	awk 'length > 80 { bad = 1 } / $/ { bad = 1 } END { exit bad }' out
}

# ---- lists -------------------------------------------------------------------

lines old 'host.0:Simple syscall: 0.3734 microseconds' \
	'host.1:Simple syscall: 0.3734 microseconds'
lines new '> host.4:Simple syscall: 0.3801 microseconds' \
	'> host.5:Simple syscall: 0.3804 microseconds'
run 0 "a list against a list" compare old new
flat
has flat "one boot a side: the reason in full" "Simple syscall NO VERDICT \
0.3734 -> 0.3802 us, +1.8 % between these two boots (2 runs each, none \
overlap); whether the kernel or the boot: unknown; take at least 4 boots a \
side, alternated"
check "a list: 80 columns, no blank at the end" wide
lines some 'Simple syscall: 0.3734 microseconds' 'Simple syscall: 0.3803 microseconds'
run 0 "runs that overlap" compare new some
has out "overlap: it is told" "they overlap"

lines old 'COUNT|35861159|1|lps' 'COUNT|35545501|1|lps' 'COUNT|35664495|1|lps'
lines new 'COUNT|36552771|1|lps' 'COUNT|36491247|1|lps' 'COUNT|36504746|1|lps'
run 0 "counts" compare old new
flat
has flat "counts: more is better" "35664495 -> 36504746 lps (higher is better), +2.4 %"

lines old 'Simple read: 1.1413 microseconds' 'Simple stat: 5.5255 microseconds' \
	'File /tmp/XXX write bandwidth: 25636 KB/sec' 'Protection fault: 0.7714 microseconds'
lines new 'Simple read: 1.1355 microseconds' 'Simple stat: 5.5497 microseconds' \
	'File /tmp/XXX write bandwidth: 25911 KB/sec' 'Pipe latency: 24.2050 microseconds'
run 0 "a list of several" compare old new
check "several: a line each" test "$(grep -c ' NO VERDICT [0-9]' out)" = 3
check "several: the reason once" test "$(grep -c 'whether the kernel or the boot' out)" = 1
has out "several: what only the first has" "only in old: Protection fault"
has out "several: what only the second has" "only in new: Pipe latency"
check "several: 80 columns" wide
lines other 'Select on 10 fd'"'"'s: 2 microseconds'
run 4 "nothing in common" compare old other
has err "nothing in common: whose" "old and other have no series in common"
"$FORKLOAD" compare old - <new >out 2>err
check "standard input" grep -q '^B: -, 1 boot' out

# ---- boots -------------------------------------------------------------------

# The medians of boots: 100000 101200 99500 100900 and 103100 102400 104000
# 103600.
results four.a 1 6.12.0 100000 99000 100500
results four.a 2 6.12.0 101200
results four.a 3 6.12.0 99500
results four.a 4 6.12.0 100900
results four.b 5 6.13.0 103100
results four.b 6 6.13.0 102400 102399 102401
results four.b 7 6.13.0 104000
results four.b 8 6.13.0 103600
run 0 "four boots a side" compare four.a four.b
flat
has flat "four boots: the verdict" "clients real SLOWER +2.8 % (95 %: +1.2..+4.5), 4 boots each"
has flat "four boots: CPU time too" "clients cpu SLOWER +2.8 %"
has flat "four boots: of which" "of which user +"
has out "four boots: what they are" "A: four.a, 4 boots, 4 runs"
has out "another kernel: it is told" "kernel: 6.12.0 -> 6.13.0"
has out "another kernel: two builds" \
	"two builds are compared; code layout alone can shift results"
has_not out "what differs in each run is no difference" "seed:"
has_not out "nor is the load" "load"
check "four boots: nothing else is said" test ! -s err
check "four boots: 80 columns" wide
run 0 "the other way round" compare four.b four.a
has out "the other way round: faster" "FASTER     -2.8 %"
run 0 "a folder of files" compare four.a .
run 0 "each boot's value" compare -v four.a four.b
has out "each boot's value: the first side's" "A: 100.0 101.2 99.5 100.9 us"

# Of more verdicts each must be surer: 4 boots a side cannot be.
run 0 "two against the first" compare four.a four.b four.b
check "two: a report each" test "$(grep -c '^A: four.a' out)" = 2
check "two: no verdict by four boots" test "$(grep -c 'NO VERDICT' out)" = 4

results three.a 1 6.12.0 100000
results three.a 2 6.12.0 101200
results three.a 3 6.12.0 99500
run 0 "three boots against four" compare three.a four.b
flat
has flat "three boots: no verdict, but a plan" "3 and 4 boots are too few: about"
has flat "three boots: alternated" "alternated A B B A"

mkdir folder
results folder/2 3 6.12.0 99500
results folder/1 1 6.12.0 100000
results folder/1 2 6.12.0 101200
results folder/3 4 6.12.0 100900
run 0 "the same in a folder" compare folder four.b
has out "folder: four boots" "A: folder, 4 boots, 4 runs"
has out "folder: the same verdict" "SLOWER     +2.8 % (95 %: +1.2..+4.5)"
run 0 "several runs of a boot are one boot" compare three.a three.a four.b
check "several: each against the first" test "$(grep -c '^A: three.a' out)" = 2

for boot in 1 2 3 4 5 6; do
	results same.a "a$boot" 6.12.0 10000$boot
	results same.b "b$boot" 6.12.0 10001$boot
	results near.b "c$boot" 6.12.0 10050$boot
	results wild.b "d$boot" 6.12.0 $((82000 + boot * 6000))
done
run 0 "boots that are the same" compare same.a same.b
has out "the same" "SAME       any difference is below 1 %"
has_not out "one kernel: no word of builds" "builds"
run 0 "a small difference" compare same.a near.b
has out "small" "SLOWER     by less than 1 %: +0.5 %"
run 0 "a margin" compare -m 0.1 same.a near.b
has_not out "margin: it is not small any more" "by less"
run 0 "boots that scatter" compare same.a wild.b
flat
has flat "scatter: undecided, with a plan" "boots a side would find 1 %"

# ---- what differs ------------------------------------------------------------

hash=11112222
for boot in 1 2 3 4; do
	step=clients
	results text.b $boot 6.12.0 100000
	step=parse
	results text.b $boot 6.12.0 100000
done
hash=9f8e7d6c step=clients
run 0 "another workload's text" compare four.a text.b
has out "text: it is told" "workload: loopback 9f8e7d6c -> loopback 11112222"
has out "text: what only one has" "only in text.b: loopback parse"
environment=3000
for boot in 1 2 3 4; do
	results long.b x$boot 6.12.0 100000
done
environment=1000
run 0 "a longer environment" compare four.a long.b
flat
has flat "environment: it is told" "differ in length: longer ones cost time by themselves"

# ---- one boot ----------------------------------------------------------------

n=0
for side in a b b a a b b a; do
	n=$((n + 1))
	started=$n
	results turn.$side same 6.12.0 "10${n}000"
	[ $side = a ] || started=$((n + 20))
	results row.$side same 6.12.0 "10${n}000"
	started=
	results untold.$side same 6.12.0 "10${n}000"
done
run 0 "runs of one boot, in turns" compare turn.a turn.b
flat
has flat "in turns: a verdict" "4 runs each"
has_not out "in turns: it is one" "NO VERDICT"
for kind in row untold; do
	run 0 "runs of one boot: $kind" compare $kind.a $kind.b
	has out "$kind: no verdict" "NO VERDICT"
	flat
	has flat "$kind: why" "the sides' runs did not alternate"
done

# ---- damage ------------------------------------------------------------------

sed 's/^# end: .*//' four.b >cut.b
run 0 "files without their ends" compare four.a cut.b
has err "without ends: it is told" "cut.b: run 4 was cut short: its end is missing"
has out "without ends: the same verdict" "+2.8 % (95 %: +1.2..+4.5)"
size=$(wc -c <four.b)
head -c $((size - 90)) four.b >cut.b
run 0 "a file that was cut" compare four.a cut.b
has err "cut: it is told" "run 4 was cut short"

# sum TEXT: its check value, FNV-1a.
sum()
{
	rest=$1 h=2166136261
	while [ -n "$rest" ]; do
		char=${rest%"${rest#?}"}
		rest=${rest#?}
		h=$(((h ^ $(printf '%d' "'$char")) * 16777619 & 4294967295))
	done
	printf '%08x' "$h"
}

check "the check value of a known text" test "$(sum foobar)" = bf9cf968

# console FILE: what is read, as a log of a console has it.
console()
{
	printf 'U-Boot 2024.01\r\n# forkload -a - -w loopback\r\n'
	printf '[    1.0] ----- forkload results begin -----\r\r\n'
	while IFS= read -r line; do
		printf '[    1.1] %s ~%s\r\r\n' "$line" "$(sum "$line")"
		printf '[    1.2] random: crng init done\r\n'
	done
	printf '[    1.3] ----- forkload results end -----\r\r\n# reboot\r\n'
}

for boot in 1 2 3 4; do
	: >run
	results run "$boot" 6.12.0 $((100000 + boot))
	console <run >>log.a
	: >run
	results run "b$boot" 6.12.0 $((104000 + boot)) 1$((104000 + boot))
	console <run >>log.b
done
run 0 "the logs of a console" compare log.a log.a
has out "console: four boots" "A: log.a, 4 boots, 4 runs"
check "console: nothing is damaged" test ! -s err
# Of the second boots the second block: a digit, and a message in its middle.
sed 's/ 1104001 ns/ 1104007 ns/; s/\( 11040\)\(02 ns\)/\1[ 2.0] usb 1-1: new\
\2/' log.b >damaged.b
run 0 "a damaged log" compare log.a damaged.b
has err "damaged: it is counted" "damaged.b: 2 damaged lines were left out"
has out "damaged: all boots are there" "B: damaged.b, 4 boots, 4 runs"

# ---- limits ------------------------------------------------------------------

run 3 "--fail-if: beyond" compare --fail-if 'real>1%' four.a four.b
has err "--fail-if: it is told" "--fail-if real>1% holds: clients real: +1.09..+4.62 %"
run 5 "--fail-if: cannot tell" compare --fail-if 'real>2%' four.a four.b
run 0 "--fail-if: within" compare --fail-if 'real>5%' four.a four.b
run 3 "--fail-if of CPU time and a step" compare --fail-if 'cl*.cpu>=1%' four.a four.b
run 0 "--fail-if: faster is not slower" compare --fail-if 'real>0%' four.b four.a
run 5 "--fail-if: no verdict" compare --fail-if 'real>1%' three.a four.b
run 2 "--fail-if of no such step" compare --fail-if 'none.real>1%' four.a four.b
run 2 "--fail-if of a time" compare --fail-if 'real>1ms' four.a four.b
run 2 "--fail-if of user" compare --fail-if 'user>1%' four.a four.b

# ---- bisect ------------------------------------------------------------------

for ns in 100000 99000 101500 102600 103300 110000; do
	results new.$ns n 6.12.9 $ns
done
run 0 "bisect: as good" compare --bisect four.a four.b new.100000
run 0 "bisect: better than good" compare --bisect four.a four.b new.99000
run 125 "bisect: between" compare --bisect four.a four.b new.101500
run 1 "bisect: as bad" compare --bisect four.a four.b new.103300
run 1 "bisect: worse than bad" compare --bisect four.a four.b new.110000
run 125 "bisect: good and bad are the same" compare --bisect same.a same.b new.100000
run 125 "bisect: one boot each" compare --bisect new.99000 new.110000 new.100000
run 125 "bisect: a new one that is not there" compare --bisect four.a four.b none
run 129 "bisect: no good one" compare --bisect none four.b new.100000
run 129 "bisect: no bad one" compare --bisect four.a none new.100000
run 129 "bisect: two operands" compare --bisect four.a four.b
run 129 "bisect: an unknown option" compare --bisect --spoon four.a four.b new.100000
run 129 "bisect and a limit" compare --bisect --fail-if 'real>1%' four.a four.b new.100000

# ---- wrong usage -------------------------------------------------------------

run 0 "help" compare --help
has out "help: usage" "usage: forkload compare"
check "help: 80 columns" wide
run 2 "one operand" compare four.a
run 2 "no operand" compare
run 2 "an unknown option" compare --spoon four.a four.b
has err "unknown: which" "no option '--spoon'"
run 2 "a margin that is none" compare -m x four.a four.b
run 2 "a margin of 0" compare -m 0 four.a four.b
run 2 "a file that is not there" compare none four.a
has err "not there: which, and why" "none: No such file or directory"
: >empty
run 2 "an empty file" compare four.a empty
has err "empty: which" "empty holds no results"
mkdir void
run 2 "an empty folder" compare void four.a
has err "empty folder: which" "void holds no results"

done_testing

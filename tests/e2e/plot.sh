#!/bin/sh
# Results as pictures: SVG, and the same in characters with -v.
. "$TOP/tests/tap.sh"

"$FORKLOAD" --cpu-split=kernel -q -r 8 -a two.txt --vary n=0,50 -e 'set n=1' \
	-e "step 'a<b & c' repeat 10 run @work calls=\$n" >out 2>err
"$FORKLOAD" --cpu-split=kernel -q -r 5 -a steps.txt -w loopback >out 2>err

run 0 "two variants" plot two.txt
cp out one.svg
has out "a document" '<svg xmlns="http://www.w3.org/2000/svg"'
has out "the step, escaped" 'lines / a&lt;b &amp; c: two.txt'
has out "a variant" '>n=50<'
has out "the pairs" 'n=50 against n=0: '
has out "so many" '8 pairs in the order they ran'
check "a mark for each pair" test "$(grep -c 'class="point"' out)" = 8
check "a mark for each block" test "$(grep -c 'class="block"' out)" = 16
check "its end" test "$(tail -n 1 out)" = '</svg>'
check "no number that is none" sh -c '! grep -qi "nan\|inf\b" out'
check "nothing else is said" test ! -s err
if command -v python3 >/dev/null; then
	check "well-formed" python3 -c \
		'import xml.dom.minidom; xml.dom.minidom.parse("out")'
else
	skip "well-formed" "python3 reads XML, and is not here"
fi
run 0 "again" plot two.txt
check "the same to the byte" cmp -s out one.svg

run 0 "several files" plot two.txt steps.txt
has out "the first" 'a&lt;b'
has out "a step of the second" 'loopback / parse: steps.txt'
has out "another" 'loopback / clients: steps.txt'

head -c "$(($(wc -c <two.txt) - 700))" two.txt >cut.txt
run 0 "a file that was cut short" plot cut.txt
check "that is told" test -s err

run 2 "no file" plot
run 2 "a file that is not there" plot none.txt
has err "which" "none.txt"
echo "nothing" >empty.txt
run 2 "a file without samples" plot empty.txt
has err "that is told" "empty.txt"

run 0 "in characters" --cpu-split=kernel -v -r 8 --vary nice=0,1 true
has out "the blocks" "    blocks "
has out "the pairs" "pairs 1 to 8 in the order they ran"

done_testing

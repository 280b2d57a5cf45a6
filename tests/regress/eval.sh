#!/bin/sh
# The lines of several -e are one text: a block, a heredoc and a joined line
# may span them, and a complaint's place counts them.
. "$TOP/tests/tap.sh"

run 0 "a block" -r 1 -W 0 -F sh -e 'step x' -e 'run @true' -e 'run @true' -e end
check "a block: two programs" test "$(value fl_x_n)" = 2

run 0 "a heredoc" -r 1 -W 0 -e 'run cat <<END >seen' -e 'one' -e 'two' -e END
printf 'one\ntwo\n' >want
check "a heredoc: both lines" cmp -s seen want

run 0 "a joined line" -r 1 -W 0 -F sh -e 'step x '\\ -e 'run @true'
check "a joined line: one program" test "$(value fl_x_n)" = 1

run 2 "a complaint" -e 'run @true' -e 'run @tru'
has err "a complaint: its line" "-e:2:5: error: no applet named '@tru'"

run 0 "a file between them parts them" check -e 'step x run @true' \
	-w pipeline -e 'step y run @true'
check "the steps stand in their order" test \
	"$(sed -n 's/^step \([^ ]*\).*/\1/p' out | sed -n '1p;$p' | tr '\n' ' ')" = \
	"x y "

done_testing

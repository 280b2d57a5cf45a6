#!/bin/sh
# A program behind its '&' may end while several others run at once: it is
# neither an orphan nor one of these.
. "$TOP/tests/tap.sh"

run 0 "it ends between them" -r 2 -W 0 -F sh -e 'step x' \
	-e 'run sleep 0.01 &' -e 'repeat 10 jobs=2 run sleep 0.02' -e end
check "it ends between them: eleven" test "$(value fl_x_n)" = 11
run 0 "it ends after them" -r 2 -W 0 -F sh -e 'step x' \
	-e 'run sleep 0.3 &' -e 'repeat 4 jobs=2 run @true' -e end
check "it ends after them: five" test "$(value fl_x_n)" = 5
run 1 "it fails" -r 1 -W 0 -e 'step x' -e 'run @exit 3 &' \
	-e 'repeat 10 jobs=2 run sleep 0.02' -e end
has err "it fails: it is told" "@exit 3: exited with 3"

done_testing

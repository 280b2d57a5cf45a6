#!/bin/sh
# What a step's prepare leaves running is ended before the clock starts: its
# CPU time is not the step's.
. "$TOP/tests/tap.sh"

cat >spin.wl <<'END'
step x
	prepare '(while :; do :; done) &'
	run @true
end
END
run 0 "a spinning process is left behind" -r 1 -W 0 -F sh -f spin.wl
cpu=$(($(value fl_x_user_us) + $(value fl_x_sys_us)))
check "its CPU time is not the step's" test "$cpu" -lt \
	$((100 * $(value fl_x_real_us)))
run 0 "the report" -r 1 -W 0 -f spin.wl
has out "it is named" "outlived the program that made it"

run 1 "a prepare that leaves one behind and fails" -k -r 1 -W 0 \
	-e 'step bad' -e "prepare 'sleep 60 & exit 1'" -e 'run @true' -e end \
	-e 'step good run @true'
has_not out "it is no other step's" "good: 1 process"
check "the good step has its figures" grep -q '^good  *1 ' out

done_testing

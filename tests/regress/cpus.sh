#!/bin/sh
# CPUs that are not here do not count as taken, whatever their number.
. "$TOP/tests/tap.sh"

for cpus in 0,1023 0,1024 0,2000 0,4095; do
	if [ -e "/sys/devices/system/cpu/cpu${cpus#0,}" ]; then
		skip "cpu=$cpus" "this machine has them"
		continue
	fi
	run 4 "cpu=$cpus" -r 1 -W 0 -e "step a cpu=$cpus run @true"
	has out "cpu=$cpus is told" "did not take effect: cpu=$cpus"
done
run 2 "cpu=0,4096" -r 1 -W 0 -e 'step a cpu=0,4096 run @true'

done_testing

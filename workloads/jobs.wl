#!/usr/bin/forkload -f
# jobs.wl: the same programs one after the other, two and four at once
set n=40 work=1ms

step one    repeat $n         run @work cpu=$work
step two    repeat $n jobs=2  run @work cpu=$work
step four   repeat $n jobs=4  run @work cpu=$work
step behind
	run @work cpu=$work &
	run @work cpu=$work &
	wait
	run @true
end

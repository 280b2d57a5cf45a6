#!/usr/bin/forkload -f
# nx.wl: programs whose data may be executed (where the kernel still knows that)
set program=true

variant on   nx=on
variant off  nx=off

step program  repeat 50 run $program

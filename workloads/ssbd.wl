#!/usr/bin/forkload -f
# ssbd.wl: what it costs to keep loads from passing stores
variant off  ssbd=off
variant on   ssbd=on

step memory  repeat 20 run @work cpu=2ms touch=1m
step calls   repeat 20 run @work calls=5000

#!/usr/bin/forkload -f
# aslr.wl: the founding script's programs, with and without randomised addresses
#
# As root the single randomisations are told apart: that of brk alone, and the
# number of bits that mmap has (the fewest differ by architecture; where this
# number is too small for the kernel, that variant is skipped).
set clients=50 parses=60 bytes=64 program=true
tmpfile data 4k
serve server tcp
open 3 $server
with like=bash

variant on        aslr=on
variant off       aslr=off
variant brk-off   sysctl.kernel.randomize_va_space=1
variant few-bits  sysctl.vm.mmap_rnd_bits=28

step clients  repeat $clients run @client fd=3 send=$bytes recv=$bytes
step parse    repeat $parses  run @readfile $data
step program  repeat 20       run $program

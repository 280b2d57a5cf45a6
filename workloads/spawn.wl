#!/usr/bin/forkload -f
# spawn.wl: fork against vfork and posix_spawn, in a parent with much memory
set memory=512m
need memory>=1g
with ballast=$memory

variant fork   spawn=fork
variant vfork  spawn=vfork
variant posix  spawn=posix

step program  repeat 20 run @true

#!/usr/bin/forkload -f
# bigparent.wl: what making a process costs a parent with much dirty memory
set memory=512m n=50
need memory>=1g

step fork-small   spawn=fork   repeat $n run @true
step vfork-small  spawn=vfork  repeat $n run @true
with ballast=$memory
step fork-big     spawn=fork   repeat 10 run @true
step vfork-big    spawn=vfork  repeat $n run @true
step posix-big    spawn=posix  repeat $n run @true
step clone-big    spawn=clone  repeat $n run @true

#!/usr/bin/forkload -f
# seccomp.wl: what a filter costs system calls: none, by number, by argument
set calls=20000

variant none      seccomp=none
variant allow     seccomp=allow
variant allow-20  seccomp=allow:20

step calls  repeat 50 run @work calls=$calls

#!/usr/bin/forkload -f
# loopback.wl: a script of 110 short programs that share one open socket
set clients=50 parses=60 bytes=64
tmpfile data 4k                     # a file in the scratch folder -> $data
serve server tcp                    # in its own process, free port -> $server
open 3 $server                      # as bash's exec 3<>/dev/tcp/...
with like=bash                      # the runner forks as a bash does

step clients  repeat $clients run @client fd=3 send=$bytes recv=$bytes
step parse    repeat $parses  run @readfile $data

expect execs >= 100

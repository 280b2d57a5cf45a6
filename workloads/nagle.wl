#!/usr/bin/forkload -f
# nagle.wl: a request in one write or in two, the second of which waits
#
# On a connection that is kept open: for the first packets of a new one the
# kernel answers at once.
set writes=64
serve server tcp request=64 reply=64
open 3 $server

variant one  writes=64
variant two  writes=32,32

step request  run @client fd=3 send=$writes recv=64 times=3

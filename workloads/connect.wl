#!/usr/bin/forkload -f
# connect.wl: requests over one kept connection, and a connection for each
set requests=200 bytes=64
serve server tcp request=$bytes reply=$bytes
open 3 $server

step kept  run @client fd=3       send=$bytes recv=$bytes times=$requests
step each  run @client to=$server send=$bytes recv=$bytes times=$requests

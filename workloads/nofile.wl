#!/usr/bin/forkload -f
# nofile.wl: closing all descriptors before exec, one by one or by close_range
set limit=1024
with nofile=$limit

variant none   close=none
variant loop   close=loop
variant range  close=range

step program  repeat 100 run @true

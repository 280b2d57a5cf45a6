include no-such-file.wl
run true

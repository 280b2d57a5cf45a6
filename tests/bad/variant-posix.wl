with nice=5
variant a spawn=fork
variant b spawn=posix
run @true

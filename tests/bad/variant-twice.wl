variant a nice=0
variant a nice=5
run @true

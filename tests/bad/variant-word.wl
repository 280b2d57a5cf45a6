variant a nice=0 fast
variant b nice=5
run @true

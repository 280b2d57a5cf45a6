variant a nice=0
variant b nice=lots
run @true

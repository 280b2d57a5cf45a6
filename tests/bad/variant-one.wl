variant only nice=5
run @true

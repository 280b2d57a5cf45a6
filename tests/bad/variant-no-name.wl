variant
variant b nice=5
run @true

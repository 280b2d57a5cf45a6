open 3
run true

wait
run true

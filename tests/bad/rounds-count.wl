rounds 0
run true

rounds 2
rounds 3
run true

need rot
run true

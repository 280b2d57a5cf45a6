prepare
run true

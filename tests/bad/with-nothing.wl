with
run true

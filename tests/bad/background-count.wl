background -1
run true

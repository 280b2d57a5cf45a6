serve s
run true

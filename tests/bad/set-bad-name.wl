set 3x=1
run true

need root>=1
run true

expect exec >= 1
run true

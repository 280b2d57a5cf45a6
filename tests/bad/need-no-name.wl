need program
run true

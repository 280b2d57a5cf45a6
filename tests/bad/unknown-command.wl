rnu true
run true

set clients
run true

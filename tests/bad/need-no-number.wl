need cpus
run true

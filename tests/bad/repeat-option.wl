repeat 3 job=2 run true

repeat 0 run true

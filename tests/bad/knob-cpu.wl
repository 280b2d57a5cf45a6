step x cpu=3-1 run true

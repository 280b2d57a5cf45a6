repeat 3 jobs=0 run true

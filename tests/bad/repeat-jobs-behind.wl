repeat 3 jobs=2 run true &

step x nice=1 nice=2 run true

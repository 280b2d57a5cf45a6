step x nice=20 run true

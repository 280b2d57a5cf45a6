step x status=300 run true

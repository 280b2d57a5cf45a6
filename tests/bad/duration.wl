step x timeout=5 run true

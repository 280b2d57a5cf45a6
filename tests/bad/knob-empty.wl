step x nice= run true

step x nic=5 run true

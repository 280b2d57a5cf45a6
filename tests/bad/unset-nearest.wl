set clients=3
repeat $client run true

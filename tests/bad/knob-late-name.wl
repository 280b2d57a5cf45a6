tmpfile data 1k
step x nice=$data run true

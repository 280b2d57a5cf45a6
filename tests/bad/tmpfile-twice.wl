tmpfile data 1k
tmpfile data 1k
run true

set data=1
tmpfile data 1k
run true

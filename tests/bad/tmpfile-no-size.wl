tmpfile data
run true

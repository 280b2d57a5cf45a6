open 100 /dev/null
run true

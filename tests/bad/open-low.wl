open 2 /dev/null
run true

open 3 /dev/null x
run true

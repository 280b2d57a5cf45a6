open 3 /dev/null
run @client fd=3 sned=4 recv=4

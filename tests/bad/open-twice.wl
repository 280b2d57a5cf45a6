open 3 /dev/null
open 3 /dev/null
run true

variant a nise=0
variant b nise=5
run @true

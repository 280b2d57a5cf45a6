variant a n=1
variant b
run status=any @exit $n

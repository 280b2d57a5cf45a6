set n=1
variant a n=1 n=2
variant b n=2 undo='true' undo='false'
run @exit $n

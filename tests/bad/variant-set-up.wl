set size=4k
tmpfile data $size
variant small size=4k
variant big size=64k
run @readfile $data

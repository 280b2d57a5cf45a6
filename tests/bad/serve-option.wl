serve s tcp relpy=4
run true

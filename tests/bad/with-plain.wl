with nice
run true

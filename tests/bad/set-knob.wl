set nice=3
run true

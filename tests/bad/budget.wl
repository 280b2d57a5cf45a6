budget soon
run true

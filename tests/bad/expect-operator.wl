expect execs => 1
run true

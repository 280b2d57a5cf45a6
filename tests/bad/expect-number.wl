expect execs >= many
run true

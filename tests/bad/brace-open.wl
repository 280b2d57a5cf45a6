set a=1
run echo ${a

rnu a
run @tru
step x nic=1 run true
run echo *

set $a=1 b=2
run echo $b

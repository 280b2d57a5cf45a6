serve s udp
run true

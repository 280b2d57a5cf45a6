run @client fd=3 to=/dev/tcp/127.0.0.1/80 send=4 recv=4

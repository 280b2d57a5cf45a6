run @client fd=x send=4 recv=4

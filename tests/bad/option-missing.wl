run @client fd=3 send=4

run @client send=4 recv=4

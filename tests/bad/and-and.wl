run true && true

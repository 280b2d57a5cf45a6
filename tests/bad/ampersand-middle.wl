run true & true

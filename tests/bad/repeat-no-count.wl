repeat run true

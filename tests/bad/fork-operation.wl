fork getpid

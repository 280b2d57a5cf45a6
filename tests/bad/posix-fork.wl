step x spawn=posix fork

run | cat

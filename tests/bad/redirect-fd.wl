run echo a >&x

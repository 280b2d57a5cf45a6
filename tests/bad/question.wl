run echo a?

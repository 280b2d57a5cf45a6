run echo a ; true

run echo a &>file

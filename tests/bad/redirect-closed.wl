run echo a >&7

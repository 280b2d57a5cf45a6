run echo a |

run echo [ab]

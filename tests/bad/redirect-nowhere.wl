run echo a >

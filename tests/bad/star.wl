run echo *.c

run echo $(date)

run echo `date`

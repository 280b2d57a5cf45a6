run echo ${-x}

run echo 'abc

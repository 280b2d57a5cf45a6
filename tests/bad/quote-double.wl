run echo "abc

run echo \
  a \
  $nothing

run echo $nothing

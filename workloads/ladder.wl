#!/usr/bin/forkload -f
# ladder.wl: what a shell's assignment, $(builtin) and $(program) cost
set n=200 shell=/bin/sh

step start    sh $shell ':'
step assign   sh $shell "i=0; while [ \$i -lt $n ]; do x=word; i=\$((i + 1)); done"
step builtin  sh $shell "i=0; while [ \$i -lt $n ]; do x=\$(echo word); i=\$((i + 1)); done"
step program  sh $shell "i=0; while [ \$i -lt $n ]; do x=\$(/bin/echo word); i=\$((i + 1)); done"

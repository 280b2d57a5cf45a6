#!/usr/bin/forkload -f
# env.wl: what a long environment and a long argument cost a short program
variant plain      envpad=0
variant env-2k     envpad=2k
variant env-64k    envpad=64k
variant argument   argpad=64k

step program  repeat 100 run @true

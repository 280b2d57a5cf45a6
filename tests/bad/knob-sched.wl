step x sched=fifo run true

variant a envpad=0
variant b envpad=1k
fork

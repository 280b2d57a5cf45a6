#!/usr/bin/forkload -f
# pipeline.wl: the pipelines that scripts are made of, over one small file
set n=20
tmpfile text 64k

step two    repeat $n run cat $text | wc -l
step three  repeat $n run cat $text | sort | head -n 3
step here
	repeat $n
		run tr a-z A-Z <<TEXT | wc -c
some words from the workload itself
TEXT
	end
end

step a argpad=1k env.X=1
	repeat 3 fork
end
step b envpad=1k
	fork
	run true
end
with env.Y=2
step c fork
step d run true

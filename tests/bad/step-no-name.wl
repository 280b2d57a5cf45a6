step
	run true
end

step a
	run true

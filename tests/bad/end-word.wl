step a
	run true
end a

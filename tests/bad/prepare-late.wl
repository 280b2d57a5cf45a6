step a
	run true
	prepare 'true'
end

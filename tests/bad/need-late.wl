step a
	run true
	need root
end

step a
	step b run true
end

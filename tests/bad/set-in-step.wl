step a
	set b=1
	run true
end

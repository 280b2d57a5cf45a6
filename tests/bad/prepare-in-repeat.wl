step a
	repeat 2
		prepare 'true'
		run true
	end
end

step a
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	repeat 2
	run true
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
	end
end

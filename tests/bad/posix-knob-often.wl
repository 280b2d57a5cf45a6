step x spawn=posix nice=5
	run true
	run false
end

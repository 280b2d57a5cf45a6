step a
end
run true

step a run true
end

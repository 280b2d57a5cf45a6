step a run true
step a run true

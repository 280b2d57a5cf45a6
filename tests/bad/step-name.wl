step a/b run true

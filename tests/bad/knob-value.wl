step x spawn=spoon run true

run ballast=1m true

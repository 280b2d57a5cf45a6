run FRUIT=pear true

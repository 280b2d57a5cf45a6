set näme=1
run	echo "größe" $größe @x $nix

#!/bin/sh
# make bench-aa: forty comparisons of a thing with itself: at most five may say
# SLOWER or FASTER.
#
#   aa.sh BUILD     RUNS=40 BUDGET=5s
set -u

F=$1/forkload
runs=${RUNS:-40}
budget=${BUDGET:-5s}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
wrong=0
i=0
while [ "$i" -lt "$runs" ]; do
	case $((i % 4)) in
	0) name='@true' line='repeat 100 run @true' ;;
	1) name='true' line='repeat 100 run true' ;;
	2) name='@work' line='repeat 20 run @work cpu=1ms calls=1000' ;;
	3) name='sh' line="repeat 20 sh ':'" ;;
	esac
	"$F" -q -F sh --aa -b "$budget" --seed "$((1000 + i))" \
		-e "step x $line" >"$tmp/out" || exit 2
	verdict=$(sed -n 's/^fl_x_B_verdict=//p' "$tmp/out")
	change=$(sed -n 's/^fl_x_B_change_ppm=//p' "$tmp/out")
	low=$(sed -n 's/^fl_x_B_low_ppm=//p' "$tmp/out")
	high=$(sed -n 's/^fl_x_B_high_ppm=//p' "$tmp/out")
	case $verdict in
	SLOWER | FASTER) wrong=$((wrong + 1)) ;;
	esac
	echo "$name $verdict $change $low $high" | awk '{
		printf "%-8s %-10s %+.2f %% (%+.2f..%+.2f)\n", $1, $2,
			$3 / 1e4, $4 / 1e4, $5 / 1e4 }'
	i=$((i + 1))
done
echo "$wrong of $runs said SLOWER or FASTER"
[ "$wrong" -le $((runs / 8)) ]

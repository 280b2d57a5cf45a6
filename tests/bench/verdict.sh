#!/bin/sh
# make bench-verdict: is a child that does 1 % more work found, and is one that
# does not left alone? Beside forkload, in the same time, hyperfine with the
# runs of one command after those of the other, its means compared by Welch's
# t test at 5 %, as scripts around such tools do.
#
#   verdict.sh BUILD     RUNS=20 SECONDS_EACH=5
set -u

O=$(cd "$1" && pwd)
runs=${RUNS:-20}
seconds=${SECONDS_EACH:-5}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
cp "$O/bench/share" "$O/forkload" . || exit 2

# shellcheck disable=SC2046 # two words
set -- $(./share)
passes=$1

# A program of about a millisecond, and what 1 % of all of it is in passes.
./forkload -q -F sh -b 3s --cpu-split=kernel \
	-e "step x repeat 100 run ./share $passes 0" >out || exit 2
us=$(($(sed -n 's/^fl_x_real_us=//p' out) / 100))
more=$((passes + passes * us / 1000 / 100))
echo "a program takes $us us; 1 % of that is $((more - passes)) of its" \
	"$passes passes"

# by_forkload PASSES SEED: SLOWER, FASTER or another word
by_forkload()
{
	./forkload -q -F sh -b "${seconds}s" --seed "$2" --cpu-split=kernel \
		--vary "n=$passes,$1" -e 'step x repeat 100 run ./share $n 0' \
		>out || exit 2
	sed -n 's/^fl_x_n_[0-9]*_verdict=//p' out
}

# by_hyperfine PASSES: likewise
by_hyperfine()
{
	n=$((seconds * 1000000 / us / 2))
	hyperfine -N --warmup 3 --runs "$n" --export-csv csv \
		"./share $passes 0" "./share $1 0" >/dev/null 2>&1 || exit 2
	awk -F, -v n="$n" 'NR == 2 { a = $2; s = $3 } NR == 3 { b = $2; t = $3 }
		END { d = 1.96 * sqrt((s * s + t * t) / n)
		word = "neither"
		if (b - a > d) word = "SLOWER"
		if (a - b > d) word = "FASTER"
		print word }' csv
}

with=forkload
command -v hyperfine >/dev/null && with="forkload hyperfine"
for tool in $with; do
	eval "${tool}_found=0 ${tool}_false=0"
done
i=0
while [ "$i" -lt "$runs" ]; do
	for tool in $with; do
		if [ "$tool" = forkload ]; then
			slow=$(by_forkload "$more" "$i")
			same=$(by_forkload $((passes + 1)) "$i")
		else
			slow=$(by_hyperfine "$more")
			same=$(by_hyperfine $((passes + 1)))
		fi
		[ "$slow" != SLOWER ] ||
			eval "${tool}_found=\$((${tool}_found + 1))"
		case $same in
		SLOWER | FASTER) eval "${tool}_false=\$((${tool}_false + 1))" ;;
		esac
		echo "$tool: 1 % more is $slow, the same is $same"
	done
	i=$((i + 1))
done
for tool in $with; do
	eval "echo \"$tool: found \$${tool}_found of $runs," \
		"false alarms \$${tool}_false of $runs\""
done
# shellcheck disable=SC2154 # by eval
[ "$forkload_found" -ge $((runs * 19 / 20)) ]

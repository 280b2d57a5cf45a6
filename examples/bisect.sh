#!/bin/sh
# bisect.sh: git bisect finds the commit that made a program slower.
#
# Makes a small repository in a temporary folder: twelve commits of a C
# program, one of which makes it do more work than it should. Each commit that
# git asks about is built, and compared with the good build: more than 25 %
# slower is bad, and what "forkload --bisect" exits with is what "git bisect
# run" wants. Prints the commit that was found, and exits with 0 where it is
# the right one.
set -eu

FORKLOAD=${FORKLOAD:-forkload}
CC=${CC:-cc}
if ! command -v "$CC" >/dev/null || ! command -v git >/dev/null; then
	echo "bisect.sh: needs git and a C compiler" >&2
	exit 77
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/forkload-bisect-XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# Nobody's own settings.
export HOME="$dir" GIT_CONFIG_NOSYSTEM=1
git init -q repository
cd repository
git config user.name forkload
git config user.email forkload@localhost

# commit NUMBER PASSES: the program as it is in that commit.
commit()
{
	cat >program.c <<END
/* version $1 */
int
main(void)
{
	volatile unsigned sum = 0;

	for (unsigned i = 0; i < $2; i++)
		sum += i;
	return 0;
}
END
	git add program.c
	git commit -qm "change $1"
}

slow=8
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	if [ "$n" -lt $slow ]; then
		commit "$n" 500000
	else
		commit "$n" 1500000
	fi
done
culprit=$(git rev-parse "HEAD~$((12 - slow))")
first=$(git rev-list --max-parents=0 HEAD)

git checkout -q "$first"
"$CC" -o "$dir/good" program.c

cat >"$dir/judge" <<END
#!/bin/sh
# One commit: 125 where it cannot be built, else what forkload says.
$CC -o "$dir/next" program.c || exit 125
exec "$FORKLOAD" --bisect --fail-if 'real>25%' -q -b 1s \\
	--vary program="$dir/good,$dir/next" -e 'repeat 50 run \$program'
END
chmod 755 "$dir/judge"

git bisect start -q >/dev/null
git bisect bad master >/dev/null 2>&1 || git bisect bad main >/dev/null
git bisect good "$first" >/dev/null
git bisect run "$dir/judge"

found=$(git rev-parse refs/bisect/bad)
echo
echo "found: $(git log -1 --format=%s "$found")"
[ "$found" = "$culprit" ]

#!/bin/sh
# make lint: the layers, the shape of the code, the scripts, the manual.
set -u

cd "$(dirname "$0")/.." || exit 1
bad=0

complain()
{
	echo "lint: $*"
	bad=1
}

# ---- layers: a file includes its own folder's headers and those named here

layers='base:
sys:base
stats:base
lang:base
op:base sys
applet:base sys op
step:base sys stats op lang
lab:base sys stats lang step
report:base stats lab
record:base sys lang
cmd:base sys stats lang op applet step lab report record'

for file in src/*/*.[ch]; do
	folder=$(basename "$(dirname "$file")")
	if ! allowed=$(echo "$layers" | grep "^$folder:"); then
		complain "$file: the folder $folder is in no layer"
		continue
	fi
	allowed=" $folder ${allowed#*:} "
	sed -n 's|^#include "\([^"]*\)".*|\1|p' "$file" | while read -r header; do
		case $header in
		*/*) other=${header%%/*} ;;
		*) other=$folder ;;
		esac
		case $allowed in
		*" $other "*) ;;
		*) echo "lint: $file includes $header, which its layer may not" ;;
		esac
	done
done >"${TMPDIR:-/tmp}/forkload-lint.$$"
if [ -s "${TMPDIR:-/tmp}/forkload-lint.$$" ]; then
	cat "${TMPDIR:-/tmp}/forkload-lint.$$"
	bad=1
fi
rm -f "${TMPDIR:-/tmp}/forkload-lint.$$"

# ---- shape

for file in src/*/*.[ch] src/main.c tests/*/*.[ch]; do
	[ -e "$file" ] || continue
	lines=$(wc -l <"$file")
	[ "$lines" -le 500 ] || complain "$file has $lines lines"
	expand "$file" | awk -v file="$file" 'length($0) > 80 {
		printf "lint: %s:%d has %d columns\n", file, NR, length($0)
		found = 1
	} END { exit found }' || bad=1
	if grep -n '[[:blank:]]$' "$file"; then
		complain "$file has blanks at a line's end"
	fi
	# A function begins at "{" and ends at "}" in the first column.
	awk -v file="$file" '/^\{/ { start = NR } /^\}/ && start {
		if (NR - start > 81) {
			printf "lint: %s:%d: a function of %d lines\n",
				file, start, NR - start - 1
			found = 1
		}
		start = 0
	} END { exit found }' "$file" || bad=1
	case $file in
	*.h)
		grep -q '^#ifndef FORKLOAD_' "$file" ||
			complain "$file has no include guard"
		;;
	esac
done

# Below cmd/ nobody ends the program; a child leaves with _exit.
if grep -nE '(^|[^_[:alnum:]])(exit|abort) ?\(' src/base/*.c src/sys/*.c \
	src/stats/*.c src/lang/*.c src/step/*.c src/lab/*.c src/report/*.c \
	src/applet/*.c; then
	complain "only cmd/ and main may end the program"
fi

# ---- what a layer must not know

# shellcheck disable=SC2013 # they are words
for word in $(sed -n 's/^	{ "\([a-z]*\)", applet_.*/\1/p' src/applet/table.c); do
	if grep -n "\"@*$word\"" src/lang/*.c; then
		complain "src/lang names the applet $word"
	fi
done

# ---- scripts and manual

if command -v shellcheck >/dev/null 2>&1; then
	shellcheck -x tests/*.sh tests/*/*.sh examples/*.sh workloads/*.sh \
		.ci/run || bad=1
else
	echo "lint: shellcheck is not here: scripts are not checked"
fi
if command -v mandoc >/dev/null 2>&1; then
	mandoc -Tlint -Wwarning src/man/forkload.[15] || bad=1
else
	echo "lint: mandoc is not here: the manual is not checked"
fi

[ "$bad" -eq 0 ] && echo "lint: nothing to say"
exit "$bad"

#!/bin/sh
# Installs libcheck and pkg-config where they are missing, by whichever package
# tool is here; with sudo where we are not root.
set -u

cc=${1:-cc}

have_check()
{
	command -v pkg-config >/dev/null 2>&1 || return 1
	# shellcheck disable=SC2046 # the flags are several words
	printf '#include <check.h>\nint main(void) { return 0; }\n' |
		"$cc" -x c - -o /dev/null $(pkg-config --cflags --libs check) \
			>/dev/null 2>&1
}

have_check && exit 0

sudo=
if [ "$(id -u)" -ne 0 ]; then
	sudo=sudo
	command -v sudo >/dev/null 2>&1 || {
		echo "deps: libcheck is missing, and there is no sudo" >&2
		exit 1
	}
fi

if command -v apt-get >/dev/null 2>&1; then
	export DEBIAN_FRONTEND=noninteractive
	$sudo apt-get update -q
	$sudo apt-get install -qy check pkg-config
elif command -v dnf >/dev/null 2>&1; then
	$sudo dnf install -qy check-devel pkgconf-pkg-config
elif command -v apk >/dev/null 2>&1; then
	$sudo apk add check-dev pkgconf linux-headers
elif command -v pacman >/dev/null 2>&1; then
	$sudo pacman -S --noconfirm --needed check pkgconf
else
	echo "deps: no apt-get, dnf, apk or pacman here; install libcheck" >&2
	exit 1
fi

have_check || {
	echo "deps: libcheck still cannot be used with $cc" >&2
	exit 1
}

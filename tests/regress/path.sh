#!/bin/sh
# A folder in PATH that may not be searched hides nothing, and a program that
# is in no other is not found: a shell says 127, not 126.
. "$TOP/tests/tap.sh"

mkdir shut open
printf '#!/bin/sh\n' >open/tool
chmod 755 . open open/tool
chmod 0 shut
cp "$FORKLOAD" forkload
if [ "$(id -u)" -eq 0 ]; then
	command -v setpriv >/dev/null || {
		echo "root may search every folder"
		exit 77
	}
	chmod 755 "$(dirname "$PWD")"
	chmod 777 .
	set -- setpriv --reuid 54321 --regid 54321 --clear-groups
fi
here=$PWD
as_user()
{
	PATH=$here/shut:$here/open:/usr/bin:/bin "$@" >out 2>err </dev/null
}

as_user "$@" ./forkload -r 1 -W 0 tool
check "it is found behind the folder" test $? = 0
as_user "$@" ./forkload -r 1 -W 0 no-such-program-here
check "not found is 127" test $? = 127
has err "not found: the reason" "not found in PATH"
chmod 755 shut

done_testing

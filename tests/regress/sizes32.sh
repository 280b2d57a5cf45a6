#!/bin/sh
# Where size_t has 32 bits, @work touch= of more than that is refused, not cut.
# The applet alone is built for such a machine.
. "$TOP/tests/tap.sh"

cat >work.c <<'END'
#include "applet/applet.h"

int
main(int argc, char **argv)
{
	return applet_work(argc, argv);
}
END

# build COMPILER...: is there a program of 32 bits that runs here?
build()
{
	"$@" -std=c11 -O2 -static -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
		-D_TIME_BITS=64 -I"$TOP/src" -o work work.c \
		"$TOP/src/applet/work.c" "$TOP/src/applet/option.c" \
		"$TOP/src/sys/work.c" "$TOP"/src/base/*.c 2>err
}

if build "${CC:-cc}" -m32; then
	on=
elif build powerpc-linux-gnu-gcc && command -v qemu-ppc-static >/dev/null; then
	on=qemu-ppc-static
else
	echo "no program of 32 bits can be built and run here"
	exit 77
fi

# touches SIZE STATUS
touches()
{
	$on ./work "touch=$1" >out 2>err
	check "touch=$1: status $2" test $? = "$2"
}

touches 64k 0
for size in 4g 4100m 8589934591g; do
	touches "$size" 1
	has err "touch=$size: why" "@work: cannot get memory: "
done

done_testing

#!/bin/sh
# What is right, and what is a guess.
. "$TOP/tests/tap.sh"

# An end by a signal is no exit status.
run 1 "any status, but a signal" -r 1 -W 0 \
	-e "run status=any sh -c 'kill -9 \$\$'"
has err "signal: it is told" "killed by signal 9"

# A script of short programs is one program to its parent, and a long one.
cat >short.sh <<'END'
#!/bin/sh
i=0
while [ $i -lt 300 ]; do /bin/true; i=$((i + 1)); done
END
chmod +x short.sh
run 0 "a long script of short programs" -r 1 --cpu-split=kernel ./short.sh
check "its user and sys are marked as a guess" grep -q '^short.*~.*~' out
run 5 "and cannot be judged" -r 1 --cpu-split=kernel \
	--fail-if 'user>1us' ./short.sh
run 3 "but their sum can" -r 1 -W 0 --fail-if 'cpu>1us' ./short.sh

# The server's CPU time does not hide that another step waits.
cat >beside.wl <<'END'
serve s tcp
open 3 $s
step busy  run @client fd=3 send=64 recv=64 times=3000
step idle  run sleep 0.03
END
run 0 "a step that waits beside one that does not" -r 3 -W 0 -f beside.wl
check "it is told of the one" grep -q '^idle: [0-9]* % .* it waited' out

# A descriptor that is closed already may be closed.
for method in fork vfork posix clone; do
	run 0 "$method: closing what is closed" -r 1 -W 0 \
		-e "step x spawn=$method run @true 9>&-"
done

# The words of one program are not told of another.
run 0 "a prepare that writes" -r 1 -W 0 \
	-e "prepare 'echo junk >&2'" -e 'step a run @true' \
	-e 'step b nofile=100000000 run @true'
has_not err "are not another's" junk
run 1 "a prepare that says much and fails" -r 1 -W 0 \
	-e "prepare 'seq 1000 >&2; echo the end >&2; exit 1'" -e 'run @true'
has err "its last words are told" "the end"

done_testing

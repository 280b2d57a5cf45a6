#!/usr/bin/forkload -f
# loader.wl: a program with 60 shared libraries against one with a single one
need program:cc
set many=60 n=1
tmpdir libs
prepare "cd $libs && i=1 && while [ \$i -le $many ]; do
	echo \"int own\$i(int n) { return n + \$i; }\" >l\$i.c &&
	cc -shared -fPIC -o lib\$i.so l\$i.c || exit
	i=\$((i + 1))
done
make_program() {
	{
		i=1
		while [ \$i -le \$1 ]; do echo \"int own\$i(int n);\"; i=\$((i + 1)); done
		echo 'int main(void) { int n = 0;'
		i=1
		while [ \$i -le \$1 ]; do echo \"n = own\$i(n);\"; i=\$((i + 1)); done
		echo 'return n < 0; }'
	} >with\$1.c
	names=; i=1
	while [ \$i -le \$1 ]; do names=\"\$names -l:lib\$i.so\"; i=\$((i + 1)); done
	cc -o with\$1 with\$1.c -L. \$names -Wl,-rpath,$libs
}
make_program 1 && make_program $many"

variant one   n=1
variant many  n=$many

step load  repeat 20 run $libs/with$n

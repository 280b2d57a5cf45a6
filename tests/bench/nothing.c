/*
 * nothing: the smallest program there is, for a benchmark to start: no libc,
 * one system call. What it costs is what starting a program costs.
 */

#if defined(__x86_64__) && !defined(__ILP32__)
#define EXIT "mov $60, %eax; xor %edi, %edi; syscall"
#elif defined(__i386__)
#define EXIT "mov $1, %eax; xor %ebx, %ebx; int $0x80"
#elif defined(__aarch64__)
#define EXIT "mov x8, #93; mov x0, #0; svc #0"
#elif defined(__arm__)
#define EXIT "mov r7, #1; mov r0, #0; svc #0"
#elif defined(__powerpc__)
#define EXIT "li 0, 1; li 3, 0; sc"
#elif defined(__riscv)
#define EXIT "li a7, 93; li a0, 0; ecall"
#elif defined(__mips__) && _MIPS_SIM == _ABIO32
#define EXIT "li $2, 4001; li $4, 0; syscall"
#elif defined(__mips__) && _MIPS_SIM == _ABIN32
#define EXIT "li $2, 6058; li $4, 0; syscall"
#elif defined(__mips__)
#define EXIT "li $2, 5058; li $4, 0; syscall"
#else
#error "nothing.c does not know how a program leaves on this machine"
#endif

_Noreturn void _start(void);

_Noreturn void
_start(void)
{
	__asm__ volatile(EXIT);
	__builtin_unreachable();
}

/*
 * fds: prints the numbers of all open descriptors below 1,000, but the one
 * it writes on, and what it was given: its signal mask and ignored signals.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

int
main(void)
{
	sigset_t mask;
	int ignored = 0, blocked = 0;

	for (int fd = 0; fd < 1000; fd++)
		if (fd != 1 && fcntl(fd, F_GETFD) >= 0)
			printf("%d ", fd);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int sig = 1; sig < 32; sig++) {
		struct sigaction action;

		blocked += sigismember(&mask, sig) == 1;
		if (sigaction(sig, NULL, &action) == 0)
			ignored += action.sa_handler == SIG_IGN;
	}
	printf("blocked=%d ignored=%d\n", blocked, ignored);
	return 0;
}

#include "mitigation.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/units.h"

#define IS_ON(value) ((value)->n == 0)

/* ---- personality ------------------------------------------------------- */

#define QUERY 0xffffffffUL

static int
flag_set(unsigned long flag, bool on)
{
	int now = personality(QUERY);
	unsigned long want;

	if (now < 0)
		return -1;
	want = on ? (unsigned)now | flag : (unsigned)now & ~flag;
	/* All bits set would be a question, not a wish. */
	if (want == QUERY) {
		errno = EINVAL;
		return -1;
	}
	if (want == (unsigned)now)
		return 0;
	return personality(want) < 0 ? -1 : 0;
}

static bool
flag_is(unsigned long flag, bool on)
{
	int now = personality(QUERY);

	return now >= 0 && !((unsigned)now & flag) == !on;
}

int
aslr_apply(const struct value *value)
{
	return flag_set(ADDR_NO_RANDOMIZE, !IS_ON(value));
}

bool
aslr_took(const struct value *value)
{
	return flag_is(ADDR_NO_RANDOMIZE, !IS_ON(value));
}

int
nx_apply(const struct value *value)
{
	return flag_set(READ_IMPLIES_EXEC, !IS_ON(value));
}

bool
nx_took(const struct value *value)
{
	return flag_is(READ_IMPLIES_EXEC, !IS_ON(value));
}

/* ---- prctl ------------------------------------------------------------- */

/* Since 4.17; the numbers are the kernel's, the same everywhere. */
#ifndef PR_SET_SPECULATION_CTRL
#define PR_GET_SPECULATION_CTRL 52
#define PR_SET_SPECULATION_CTRL 53
#define PR_SPEC_STORE_BYPASS    0
#define PR_SPEC_ENABLE          (1UL << 1)
#define PR_SPEC_DISABLE         (1UL << 2)
#endif

int
ssbd_apply(const struct value *value)
{
	return prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS,
	             IS_ON(value) ? PR_SPEC_DISABLE : PR_SPEC_ENABLE, 0, 0);
}

bool
ssbd_took(const struct value *value)
{
	int now = prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0);
	int want = IS_ON(value) ? PR_SPEC_DISABLE : PR_SPEC_ENABLE;

	return now >= 0 && (now & want);
}

int
thp_apply(const struct value *value)
{
	return prctl(PR_SET_THP_DISABLE, !IS_ON(value), 0, 0, 0);
}

bool
thp_took(const struct value *value)
{
	return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == !IS_ON(value);
}

/* ---- seccomp ----------------------------------------------------------- */

#ifndef SECCOMP_SET_MODE_FILTER
#define SECCOMP_SET_MODE_FILTER 1
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

int
seccomp_read(const char *text, struct value *out, struct errmsg *why)
{
	if (strcmp(text, "none") == 0) {
		out->n = -1;
		return 0;
	}
	if (strcmp(text, "allow") == 0) {
		out->n = 0;
		return 0;
	}
	if (strncmp(text, "allow:", 6) == 0 &&
	    parse_int(text + 6, &out->n) == 0 && out->n >= 1 &&
	    out->n <= SECCOMP_MOST)
		return 0;
	return errmsg_set(why, "'%s' is not one of none, allow, allow:N with N "
	                  "from 1 to %d", text, SECCOMP_MOST);
}

/*
 * The first argument's low half is compared with a number that it need not
 * have: either way the next instruction is the next one.
 */
static unsigned short
fill(struct sock_filter *code, int64_t compares)
{
	unsigned short n = 0;

	if (compares)
		code[n++] = (struct sock_filter)BPF_STMT(
			BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, args));
	for (int64_t i = 0; i < compares; i++)
		code[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)i, 0, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
	                                         SECCOMP_RET_ALLOW);
	return n;
}

int
seccomp_apply(const struct value *value)
{
	struct sock_filter code[SECCOMP_MOST + 2];
	struct sock_fprog program = { .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	if (value->n < 0)
		return 0;
	program.len = fill(code, value->n);
#ifdef SYS_seccomp
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	            SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0)
		return 0;
	/* Before 4.17 there was no such flag, and nothing to keep. */
	if (errno == EINVAL &&
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
		return 0;
	if (errno != ENOSYS)
		return -1;
#endif
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* "none" adds none: one that forkload was started under stays. */
bool
seccomp_took(const struct value *value)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
	       (value->n < 0 ||
	        prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER);
}

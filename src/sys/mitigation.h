/*
 * mitigation: what the kernel does for safety, on or off for one child.
 *
 * Each pair is for a row of sys/knob.c: apply() in the child between fork and
 * exec, async-signal-safe, 0 or -1 with errno; took() in the exec'd child.
 */
#ifndef FORKLOAD_SYS_MITIGATION_H
#define FORKLOAD_SYS_MITIGATION_H

#include "base/rows.h"

/* Choices are "on|off": n is 0 or 1. */

/* Randomised addresses: personality(2), ADDR_NO_RANDOMIZE. */
int aslr_apply(const struct value *value);
bool aslr_took(const struct value *value);

/*
 * No execution of data: personality(2), READ_IMPLIES_EXEC. An exec clears that
 * flag where it means nothing to the program, as on x86-64.
 */
int nx_apply(const struct value *value);
bool nx_took(const struct value *value);

/*
 * Speculative store bypass disabled: prctl(2), PR_SET_SPECULATION_CTRL. ENXIO,
 * ENODEV and EPERM tell that this CPU or kernel has no such switch.
 */
int ssbd_apply(const struct value *value);
bool ssbd_took(const struct value *value);

/*
 * Huge pages: prctl(2), PR_SET_THP_DISABLE. That is the memory's property: a
 * child that shares the runner's until it execs would change the runner.
 */
int thp_apply(const struct value *value);
bool thp_took(const struct value *value);

/*
 * "none", "allow" or "allow:N" (n -1, 0, N): a filter that allows all, by the
 * call's number alone, so that the kernel decides by its bitmap (since 5.11);
 * or one that compares an argument N times first, so that it really runs.
 * With no_new_privs, also for "none", and without the change of speculation
 * that a filter brought with it before 5.16.
 */
#define SECCOMP_MOST 1000
int seccomp_read(const char *text, struct value *out, struct errmsg *why);
int seccomp_apply(const struct value *value);
bool seccomp_took(const struct value *value);

#endif

/*
 * sysctls: those that steps want, set by the guard before these are run, and
 * put back at the end, whatever happens.
 */
#include "internal.h"

#include <string.h>

#include "sys/sysctl.h"

struct lab_sysctl {
	const char *name;
	char original[SYSCTL_ROOM];
	const char *now;         /* its value as this run has set it */
};

static struct lab_sysctl *
find(const struct lab *lab, const char *name)
{
	for (size_t i = 0; i < lab->nsysctls; i++)
		if (strcmp(lab->sysctls[i].name, name) == 0)
			return &lab->sysctls[i];
	return NULL;
}

static void
put_back(void *state)
{
	struct lab *lab = state;
	struct errmsg why;

	for (size_t i = 0; i < lab->nsysctls; i++) {
		struct lab_sysctl *sysctl = &lab->sysctls[i];
		char is[SYSCTL_ROOM];

		if (sysctl->now == sysctl->original)
			continue;
		/* One that could not be set is as it was. */
		if ((sysctl_get(sysctl->name, is, sizeof(is), &why) < 0 ||
		     !sysctl_same(is, sysctl->original)) &&
		    sysctl_set(sysctl->name, sysctl->original, &why) < 0)
			lab_left_undone(lab, why.text);
		sysctl->now = sysctl->original;
	}
}

/* Can it be had? Tried now, and put back. */
static int
try(struct lab *lab, const struct system_setting *want, struct errmsg *why)
{
	struct lab_sysctl *sysctl = find(lab, want->name);

	if (!sysctl) {
		char original[SYSCTL_ROOM];

		if (sysctl_get(want->name, original, sizeof(original), why) < 0)
			return -1;
		sysctl = arena_push(lab->arena, &lab->sysctls, &lab->nsysctls,
		                    sizeof(*lab->sysctls));
		sysctl->name = want->name;
		memcpy(sysctl->original, original, sizeof(original));
		/* The array may have moved, and these with it. */
		for (size_t i = 0; i < lab->nsysctls; i++)
			lab->sysctls[i].now = lab->sysctls[i].original;
	}
	/* What was half done is to be undone. */
	sysctl->now = want->value;
	if (sysctl_set(want->name, want->value, why) < 0) {
		put_back(lab);
		return -1;
	}
	put_back(lab);
	return 0;
}

int
lab_sysctls_try(struct lab *lab)
{
	bool any = false;
	struct errmsg why;

	for (size_t i = 0; i < lab->njobs; i++)
		any |= lab->jobs[i].nsystem > 0;
	if (any && guard_undo(&lab->guard, put_back, lab) < 0)
		return lab_trouble(lab, 125, "too many things to undo");
	for (size_t i = 0; i < lab->njobs; i++) {
		struct job *job = &lab->jobs[i];

		for (size_t s = 0; s < job->nsystem && !job->skip; s++)
			if (try(lab, &job->system[s], &why) < 0)
				job->skip = arena_printf(lab->arena, "%s",
				                         why.text);
	}
	return 0;
}

static const char *
wanted(const struct job *job, const struct lab_sysctl *sysctl)
{
	for (size_t i = 0; i < job->nsystem; i++)
		if (strcmp(job->system[i].name, sysctl->name) == 0)
			return job->system[i].value;
	return sysctl->original;
}

int
lab_sysctls_set(struct lab *lab, const struct job *job)
{
	struct errmsg why;

	for (size_t i = 0; i < lab->nsysctls; i++) {
		struct lab_sysctl *sysctl = &lab->sysctls[i];
		const char *want = wanted(job, sysctl);

		if (sysctl_same(want, sysctl->now))
			continue;
		sysctl->now = want;
		if (sysctl_set(sysctl->name, want, &why) < 0)
			return lab_trouble(lab, 1, "%s", why.text);
	}
	return 0;
}

bool
lab_same_machine(const struct lab *lab, const struct job *one,
                 const struct job *other)
{
	for (size_t i = 0; i < lab->nsysctls; i++)
		if (!sysctl_same(wanted(one, &lab->sysctls[i]),
		                 wanted(other, &lab->sysctls[i])))
			return false;
	return true;
}

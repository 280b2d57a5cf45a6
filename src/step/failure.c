#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"

#define STATUS_FAILED      1
#define STATUS_TIMED_OUT   124
#define STATUS_NO_EXEC     126
#define STATUS_NOT_THERE   127

/* A program that is there and yet cannot be exec'd has a cause to tell. */
static const char *
exec_cause(const struct program *program, int error)
{
	if (error == ENOENT && access(program->spawn.path, F_OK) == 0)
		return " (the file is there: what is missing is its "
		       "interpreter or loader)";
	if (error == ENOEXEC)
		return " (neither a program for this machine nor a script "
		       "that begins with #!)";
	return "";
}

static void
file_text(const struct failure *failure, char *text, size_t room)
{
	const struct spawn *spawn = &failure->program->spawn;
	const char *reason = strerror(failure->slot.error);
	const struct file_action *action;

	if (!spawn->nactions) {
		snprintf(text, room, "%s: cannot connect its pipe: %s",
		         failure->program->label, reason);
		return;
	}
	action = &spawn->actions[failure->slot.index];
	if (action->kind == FILE_OPEN)
		snprintf(text, room, "%s: cannot open %s: %s",
		         failure->program->label, action->path, reason);
	else
		snprintf(text, room, "%s: cannot redirect descriptor %d: %s",
		         failure->program->label, action->fd, reason);
}

static void
stuck_text(const struct failure *failure, char *text, size_t room)
{
	const struct program *program = failure->program;
	const char *reason = strerror(failure->slot.error);
	const struct spawn_knob *knob;

	switch (failure->slot.stage) {
	case STAGE_PROCESS:
		snprintf(text, room, "%s: cannot make a process: %s",
		         program->label, reason);
		break;
	case STAGE_DIR:
		snprintf(text, room, "%s: cannot enter %s: %s",
		         program->label, program->spawn.dir, reason);
		break;
	case STAGE_FILE:
		file_text(failure, text, room);
		break;
	case STAGE_KNOB:
		knob = &program->spawn.knobs[failure->slot.index];
		snprintf(text, room, "%s: cannot set %s=%s: %s",
		         program->label, knob->knob->name, knob->value.text,
		         reason);
		break;
	case STAGE_CLOSE:
		snprintf(text, room, "%s: cannot close descriptors: %s",
		         program->label, reason);
		break;
	default:
		snprintf(text, room, "cannot execute %s: %s%s",
		         program->spawn.path, reason,
		         exec_cause(program, failure->slot.error));
	}
}

static void
ended_text(const struct failure *failure, char *text, size_t room)
{
	const char *label = failure->program->label;
	int status = failure->status;
	int64_t cpu = (failure->usage.user_us + failure->usage.sys_us) *
	              NS_PER_US;
	char limit[32], used[32];

	if (failure->timed_out)
		snprintf(text, room, "%s: timed out after %s, having used %s "
		         "of CPU time", label,
		         format_duration(failure->slot.timeout_ns, limit,
		                         sizeof(limit)),
		         show_duration(cpu, used, sizeof(used)));
	else if (WIFSIGNALED(status))
		snprintf(text, room, "%s: killed by signal %d (%s)%s", label,
		         WTERMSIG(status), strsignal(WTERMSIG(status)),
		         WCOREDUMP(status) ? ", core dumped" : "");
	else if (failure->program->status)
		snprintf(text, room, "%s: exited with %d instead of %d",
		         label, WEXITSTATUS(status), failure->program->status);
	else
		snprintf(text, room, "%s: exited with %d", label,
		         WEXITSTATUS(status));
}

void
failure_text(const struct failure *failure, char *text, size_t room)
{
	size_t len;

	if (failure->slot.stage != STAGE_DONE && !failure->timed_out)
		stuck_text(failure, text, room);
	else
		ended_text(failure, text, room);
	len = strlen(text);
	if (failure->of > 1)
		snprintf(text + len, room - len, ", repetition %lld of %lld",
		         (long long)failure->repetition,
		         (long long)failure->of);
}

int
failure_status(const struct failure *failure)
{
	if (failure->timed_out)
		return STATUS_TIMED_OUT;
	if (failure->slot.stage != STAGE_EXEC)
		return STATUS_FAILED;
	if (failure->slot.error == ENOENT &&
	    access(failure->program->spawn.path, F_OK) < 0)
		return STATUS_NOT_THERE;
	return STATUS_NO_EXEC;
}

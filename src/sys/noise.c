#include "noise.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "sys/host.h"

#define CPU_FOLDER "/sys/devices/system/cpu"
#define TEXT_ROOM  ((size_t)256 << 10)

#define LOOKS      20
#define PAUSE_NS   (5 * NS_PER_MS)

/* What is below these disturbs nobody. */
#define LOAD_LEAST     0.5       /* tasks, over the last minute */
#define STEAL_LEAST    0.05      /* per cent of all CPU time since boot */
#define PRESSURE_LEAST 1.0       /* per cent of the last 10 s */

/* The first line of /proc/stat, in ticks. */
struct ticks {
	unsigned long long steal, total;         /* total 0: not told */
};

struct view {
	struct arena *arena;
	const char *root;
	char *text;              /* of the file that was read last */
	int *cpus;
	size_t ncpus;
	/* What was seen while it watched: */
	char load[16];           /* empty: not told */
	int looks, busy;
	long most;               /* other tasks in one look */
	struct ticks before, after;
};

enum finding { DISTURBS, QUIET, NOT_TOLD };

struct probe {
	const char *name;
	enum finding (*look)(struct view *view, struct noise_row *row);
};

/* ---- files ------------------------------------------------------------- */

/* A file's text, until the next file is read; NULL: it cannot be read. */
static const char *
text_of(struct view *view, const char *path)
{
	return read_text(arena_printf(view->arena, "%s%s", view->root, path),
	                 view->text, TEXT_ROOM) < 0 ? NULL : view->text;
}

static const char *
text_of_cpu(struct view *view, size_t i, const char *name)
{
	return text_of(view, arena_printf(view->arena, CPU_FOLDER "/cpu%d/%s",
	                                  view->cpus[i], name));
}

static bool
is_number(const char *text, long long *number)
{
	char *end;

	if (!text)
		return false;
	*number = strtoll(text, &end, 10);
	return end != text;
}

/* What stands behind the key that begins a line, or NULL. */
static const char *
behind(const char *text, const char *key)
{
	while (text && !str_starts(text, key)) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text ? text + strlen(key) : NULL;
}

static const char *
line_copy(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strcspn(text, "\n"));
}

static void
find_cpus(struct view *view)
{
	DIR *dir = opendir(arena_printf(view->arena, "%s" CPU_FOLDER,
	                                view->root));
	struct dirent *entry;
	long long cpu;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (str_starts(entry->d_name, "cpu") &&
		    is_number(entry->d_name + 3, &cpu))
			*(int *)arena_push(view->arena, &view->cpus,
			                   &view->ncpus, sizeof(int)) =
				(int)cpu;
	closedir(dir);
}

static enum finding disturbs(struct arena *arena, struct noise_row *row,
                             const char *advice, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static enum finding
disturbs(struct arena *arena, struct noise_row *row, const char *advice,
         const char *format, ...)
{
	char found[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(found, sizeof(found), format, args);
	va_end(args);
	row->found = arena_copy(arena, found, strlen(found));
	row->advice = advice;
	return DISTURBS;
}

/* ---- who else works ---------------------------------------------------- */

/* running counts the one that looks, which is forkload. */
static void
count(struct view *view, long long running)
{
	long others = running > 1 ? (long)running - 1 : 0;

	view->looks++;
	view->busy += others > 0;
	view->most = others > view->most ? others : view->most;
}

static void
look_at_tasks(struct view *view)
{
	const char *text = text_of(view, "/proc/loadavg");
	long running;

	if (text && sscanf(text, "%15s %*s %*s %ld/", view->load,
	                   &running) == 2)
		count(view, running);
}

static struct ticks
look_at_ticks(struct view *view)
{
	const char *text = text_of(view, "/proc/stat");
	const char *at = behind(text, "cpu ");
	struct ticks ticks = { 0 };
	long long running;

	if (is_number(behind(text, "procs_running "), &running))
		count(view, running);
	/* user nice system idle iowait irq softirq steal; then parts of user */
	for (int i = 0; at && i < 8; i++) {
		char *end;

		ticks.steal = strtoull(at, &end, 10);
		if (end == at)
			return (struct ticks){ 0 };
		ticks.total += ticks.steal;
		at = end;
	}
	return ticks;
}

static void
pause_shortly(void)
{
	clock_sleep(PAUSE_NS);
}

static void
watch(struct view *view, void (*pause)(void))
{
	view->before = look_at_ticks(view);
	for (int i = 0; i < LOOKS; i++) {
		look_at_tasks(view);
		if (view->looks == 0)
			return;
		pause();
	}
	view->after = look_at_ticks(view);
}

static enum finding
other_tasks(struct view *view, struct noise_row *row)
{
	const char *load = view->load[0] ? view->load : "unknown";

	if (view->looks == 0)
		return NOT_TOLD;
	if (view->busy > 0)
		return disturbs(view->arena, row, "stop them, or keep them off "
			"the CPU that -c pins to", "ready to run in %d of %d "
			"looks, at most %ld at once; load average %s",
			view->busy, view->looks, view->most, load);
	if (strtod(load, NULL) < LOAD_LEAST)
		return QUIET;
	return disturbs(view->arena, row, "wait until it has fallen", "load "
		"average %s, though none was ready to run in %d looks", load,
		view->looks);
}

static enum finding
pressure(struct view *view, struct noise_row *row)
{
	static const char *const kinds[] = { "cpu", "memory", "io" };
	struct strbuf list = { .arena = view->arena };
	bool told = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *at = behind(text_of(view, arena_printf(view->arena,
			"/proc/pressure/%s", kinds[i])), "some avg10=");
		double share = at ? strtod(at, NULL) : 0;

		told |= at != NULL;
		if (share >= PRESSURE_LEAST)
			strbuf_printf(&list, "%s%s %.0f %%",
			              list.len ? ", " : "", kinds[i], share);
	}
	if (list.len == 0)
		return told ? QUIET : NOT_TOLD;
	return disturbs(view->arena, row, "stop what competes", "tasks had "
		"to wait: %s of the last 10 s", list.text);
}

static enum finding
cpu_limit(struct view *view, struct noise_row *row)
{
	struct host_limit limit;

	if (host_limit(view->arena, view->root, &limit) < 0)
		return NOT_TOLD;
	if (!limit.folder)
		return QUIET;
	return disturbs(view->arena, row, arena_printf(view->arena, "run "
		"outside of it, or as root write %s into %s/%s",
		limit.unified ? "max" : "-1", limit.folder,
		limit.unified ? "cpu.max" : "cpu.cfs_quota_us"),
		"at most %.2f CPUs, by the cgroup %s; times throttled: %lld",
		limit.cpus, limit.folder, limit.throttled);
}

static enum finding
steal(struct view *view, struct noise_row *row)
{
	struct ticks was = view->before, is = view->after;
	unsigned long long now;
	double share;

	if (was.total == 0 || is.total == 0)
		return NOT_TOLD;
	/* Some kernels let it go back a little. */
	now = is.steal > was.steal ? is.steal - was.steal : 0;
	share = 100.0 * (double)is.steal / (double)is.total;
	if (now == 0 && share < STEAL_LEAST)
		return QUIET;
	return disturbs(view->arena, row, "measure at a quieter time, or on a "
		"machine of its own", "the host gave the CPUs to others: "
		"%.1f %% of the time since boot; ticks just now: %llu", share,
		now);
}

/* An x86 CPU has a flag for it; others have a node of the device tree. */
static enum finding
virtual_machine(struct view *view, struct noise_row *row)
{
	const char *flags = behind(text_of(view, "/proc/cpuinfo"), "flags\t");
	bool told = flags != NULL;

	if (!(flags && strstr(line_copy(view->arena, flags), " hypervisor")) &&
	    !text_of(view, "/sys/hypervisor/type") &&
	    !text_of(view, "/proc/device-tree/hypervisor/compatible"))
		return told ? QUIET : NOT_TOLD;
	return disturbs(view->arena, row, "repeat at another time before you "
		"believe a small difference", "this is a guest: what else its "
		"host does is felt here");
}

/* ---- the CPUs ---------------------------------------------------------- */

/* 0: not told. */
static long long
mhz(struct view *view, size_t i, const char *name)
{
	long long khz;

	return is_number(text_of_cpu(view, i, name), &khz) ? khz / 1000 : 0;
}

/* One that may take a single frequency only moves nothing. */
static enum finding
governor(struct view *view, struct noise_row *row)
{
	long long least = 0, most = 0;
	const char *other = NULL;
	size_t told = 0, others = 0;

	for (size_t i = 0; i < view->ncpus; i++) {
		long long min = mhz(view, i, "cpufreq/scaling_min_freq");
		long long max = mhz(view, i, "cpufreq/scaling_max_freq");
		const char *text = text_of_cpu(view, i,
		                               "cpufreq/scaling_governor");

		told += text != NULL;
		if (!text || strcmp(text, "performance") == 0 ||
		    (min == max && max > 0))
			continue;
		others++;
		other = line_copy(view->arena, text);
		if (min > 0 && (least == 0 || min < least))
			least = min;
		most = max > most ? max : most;
	}
	if (others == 0)
		return told ? QUIET : NOT_TOLD;
	return disturbs(view->arena, row, "as root, write performance into "
		CPU_FOLDER "/cpu*/cpufreq/scaling_governor", "%s moves the "
		"clock of %zu of %zu CPUs, from %lld to %lld MHz", other,
		others, told, least, most);
}

static enum finding
boost(struct view *view, struct noise_row *row)
{
	static const struct { const char *path; int on; } files[] = {
		{ CPU_FOLDER "/intel_pstate/no_turbo", 0 },
		{ CPU_FOLDER "/cpufreq/boost", 1 },
	};
	enum finding finding = NOT_TOLD;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		long long value;

		if (!is_number(text_of(view, files[i].path), &value))
			continue;
		if (value == files[i].on)
			return disturbs(view->arena, row,
				arena_printf(view->arena, "as root, write %d "
				"into %s", !files[i].on, files[i].path),
				"on: the clock depends on heat, and on how "
				"many cores work");
		finding = QUIET;
	}
	return finding;
}

static enum finding
throttling(struct view *view, struct noise_row *row)
{
	static const char *const files[] = {
		"thermal_throttle/core_throttle_count",
		"thermal_throttle/package_throttle_count",
	};
	long long times, most = -1;

	for (size_t i = 0; i < 2 * view->ncpus; i++)
		if (is_number(text_of_cpu(view, i / 2, files[i % 2]), &times))
			most = times > most ? times : most;
	if (most <= 0)
		return most < 0 ? NOT_TOLD : QUIET;
	return disturbs(view->arena, row, "cool it or lower its clock; look "
		"here again after a run", "heat slowed down a CPU; times "
		"since boot, at most: %lld", most);
}

static enum finding
smt(struct view *view, struct noise_row *row)
{
	long long active;

	if (!is_number(text_of(view, CPU_FOLDER "/smt/active"), &active))
		return NOT_TOLD;
	if (active == 0)
		return QUIET;
	return disturbs(view->arena, row, "pin with -c and keep the core's "
		"other CPU idle, or as root write off into " CPU_FOLDER
		"/smt/control", "on: CPUs that share a core slow each other "
		"down");
}

/* A list of CPUs, or NULL; an empty one may read "(null)". */
static const char *
cpu_list(struct view *view, const char *path, bool *told)
{
	const char *text = text_of(view, path);

	*told |= text != NULL;
	return text && *text >= '0' && *text <= '9' ?
	       line_copy(view->arena, text) : NULL;
}

static enum finding
tick(struct view *view, struct noise_row *row)
{
	bool told = false;
	const char *apart = cpu_list(view, CPU_FOLDER "/isolated", &told);
	const char *free_of = cpu_list(view, CPU_FOLDER "/nohz_full", &told);

	if (!told)
		return NOT_TOLD;
	if (!apart && !free_of)
		return disturbs(view->arena, row, "little to gain: boot with "
			"isolcpus=LIST nohz_full=LIST, then -c LIST",
			"interrupts every CPU; none is isolated");
	return disturbs(view->arena, row, arena_printf(view->arena, "pin to "
		"them: -c %s", free_of ? free_of : apart), "CPUs without a "
		"tick (nohz_full): %s; isolated: %s",
		free_of ? free_of : "none", apart ? apart : "none");
}

static enum finding
swap(struct view *view, struct noise_row *row)
{
	const char *text = text_of(view, "/proc/meminfo");
	long long total, left;

	if (!is_number(behind(text, "SwapTotal:"), &total) ||
	    !is_number(behind(text, "SwapFree:"), &left))
		return NOT_TOLD;
	if (total <= left)
		return QUIET;
	return disturbs(view->arena, row, "where memory suffices, as root: "
		"swapoff -a", "%lld of %lld MiB are in use: pages may have to "
		"be read back", (total - left + 1023) / 1024, total / 1024);
}

/* ---- the table --------------------------------------------------------- */

static const struct probe probes[] = {
	{ "other tasks", other_tasks },
	{ "pressure", pressure },
	{ "cpu limit", cpu_limit },
	{ "steal", steal },
	{ "virtual machine", virtual_machine },
	{ "governor", governor },
	{ "boost", boost },
	{ "throttling", throttling },
	{ "smt", smt },
	{ "tick", tick },
	{ "swap", swap },
};

static void
add(struct arena *arena, struct noise_row **rows, size_t *n,
    struct noise_row row)
{
	*(struct noise_row *)arena_push(arena, rows, n, sizeof(row)) = row;
}

size_t
noise_describe(struct arena *arena, const char *root, void (*pause)(void),
               struct noise_row **rows)
{
	struct view view = { .arena = arena, .root = root };
	struct strbuf quiet = { .arena = arena }, not_told = quiet;
	size_t n = 0;

	*rows = NULL;
	view.text = arena_alloc(arena, TEXT_ROOM);
	find_cpus(&view);
	watch(&view, pause ? pause : pause_shortly);
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
		struct noise_row row = { .name = probes[i].name };
		enum finding finding = probes[i].look(&view, &row);
		struct strbuf *list = finding == QUIET ? &quiet : &not_told;

		if (finding == DISTURBS)
			add(arena, rows, &n, row);
		else
			strbuf_printf(list, "%s%s", list->len ? ", " : "",
			              row.name);
	}
	if (quiet.len)
		add(arena, rows, &n, (struct noise_row){
			.name = "quiet", .found = quiet.text });
	if (not_told.len)
		add(arena, rows, &n, (struct noise_row){
			.name = "not told", .found = not_told.text });
	return n;
}

#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/random.h"

#define LINE_BYTES 64
#define TREE_FDS   16            /* that the removal may have open */

void
scratch_open(struct scratch *scratch, bool (*given_up)(void *state),
             void *state)
{
	const char *const folders[] = { getenv("TMPDIR"), "/tmp" };

	scratch->texts = 0;
	scratch->given_up = given_up;
	scratch->state = state;
	for (size_t i = 0; i < 2; i++) {
		const char *folder = folders[i];
		char absolute[4096];

		/* Programs may start elsewhere: the path must be absolute. */
		if (!folder || !*folder || !realpath(folder, absolute))
			continue;
		if ((size_t)snprintf(scratch->dir, sizeof(scratch->dir),
		                     "%.4000s/forkload-XXXXXX", absolute) <
		    sizeof(scratch->dir) && mkdtemp(scratch->dir))
			return;
	}
	scratch->dir[0] = '\0';
}

/* ---- content ----------------------------------------------------------- */

struct text {
	uint64_t random;
	int letters;             /* left in this word */
	int column;
};

static char
next_char(struct text *text)
{
	uint64_t n = random_next(&text->random);

	if (text->letters == 0) {
		text->letters = 1 + (int)(n % 9);
		if (text->column >= LINE_BYTES) {
			text->column = 0;
			return '\n';
		}
		text->column++;
		return ' ';
	}
	text->letters--;
	text->column++;
	return (char)('a' + n % 26);
}

static int
write_words(const struct scratch *scratch, int fd, int64_t size,
            uint64_t seed)
{
	struct text text = { seed, 5, 0 };
	char buffer[65536];

	while (size > 0) {
		size_t len = size < (int64_t)sizeof(buffer) ? (size_t)size :
		             sizeof(buffer);

		for (size_t i = 0; i < len; i++)
			buffer[i] = next_char(&text);
		if (scratch->given_up && scratch->given_up(scratch->state)) {
			errno = ECANCELED;
			return -1;
		}
		if (write_all(fd, buffer, len) < 0)
			return -1;
		size -= (int64_t)len;
	}
	return 0;
}

/* ---- files ------------------------------------------------------------- */

/*
 * A new file, in the folder or in memory; *path as children see it. One in
 * memory is read through this process's descriptor, which must stay open.
 */
static int
create(struct scratch *scratch, struct arena *arena, const char *name,
       const char **path, struct errmsg *why)
{
	int fd;

	if (scratch->dir[0]) {
		*path = arena_printf(arena, "%s/%s", scratch->dir, name);
		fd = open_file(*path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	} else {
		fd = fd_keep(memfd_create(name, MFD_CLOEXEC));
		*path = arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(),
		                     fd);
	}
	if (fd < 0)
		return errmsg_errno(why, "cannot make the file %s", name);
	return fd;
}

static int
finish(struct scratch *scratch, int fd, int result, const char *name,
       const char *path, struct errmsg *why)
{
	int error = errno;

	if (scratch->dir[0] && close(fd) < 0 && result == 0) {
		error = errno;
		result = -1;
	}
	if (result == 0)
		return 0;
	if (scratch->dir[0])
		unlink(path);
	else
		close(fd);
	errno = error;
	return errmsg_errno(why, "cannot write the file %s", name);
}

int
scratch_file(struct scratch *scratch, struct arena *arena, const char *name,
             int64_t size, uint64_t seed, const char **path,
             struct errmsg *why)
{
	int fd = create(scratch, arena, name, path, why);

	if (fd < 0)
		return -1;
	return finish(scratch, fd, write_words(scratch, fd, size, seed),
	              name, *path, why);
}

int
scratch_text(struct scratch *scratch, struct arena *arena, const char *text,
             size_t len, const char **path, struct errmsg *why)
{
	/* No name of the language has a dot, so none is taken. */
	const char *name = arena_printf(arena, "here.%d", scratch->texts++);
	int fd = create(scratch, arena, name, path, why);

	if (fd < 0)
		return -1;
	return finish(scratch, fd, write_all(fd, text, len), name, *path, why);
}

int
scratch_dir(struct scratch *scratch, struct arena *arena, const char *name,
            const char **path, struct errmsg *why)
{
	if (!scratch->dir[0])
		return errmsg_set(why, "cannot make the folder %s: neither "
		                  "TMPDIR nor /tmp can be written", name);
	*path = arena_printf(arena, "%s/%s", scratch->dir, name);
	if (mkdir(*path, 0700) < 0)
		return errmsg_errno(why, "cannot make the folder %s", name);
	return 0;
}

int
scratch_unlinked(struct scratch *scratch, struct errmsg *why)
{
	char path[4200];
	int fd;

	if (!scratch->dir[0]) {
		fd = memfd_create("errors", MFD_CLOEXEC);
		if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) < 0) {
			close(fd);
			fd = -1;
		}
	} else {
		snprintf(path, sizeof(path), "%s/errors.0", scratch->dir);
		fd = open_file(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND,
		               0600);
		if (fd >= 0)
			unlink(path);
	}
	if (fd < 0)
		return errmsg_errno(why, "cannot make a file for the "
		                    "programs' standard error");
	return fd;
}

/* ---- the end ----------------------------------------------------------- */

static int
open_up(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (type == FTW_DNR || (type == FTW_D && (st->st_mode & 0700) != 0700))
		chmod(path, 0700);
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type == FTW_DP || type == FTW_DNR)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

/* A path of mountinfo, whose blanks and the like are octal numbers. */
static void
unescape(char *path)
{
	char *to = path;

	for (const char *at = path; *at; at++)
		if (at[0] == '\\' && at[1] && at[2] && at[3]) {
			*to++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 +
			               (at[3] - '0'));
			at += 3;
		} else {
			*to++ = *at;
		}
	*to = '\0';
}

/*
 * The last thing that is mounted in the folder, whose files are not ours to
 * remove: 0 with its path, or -1 where there is nothing.
 */
static int
find_mount(const char *dir, char *found, size_t room)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0, len = strlen(dir);
	int result = -1;

	while (file && getline(&line, &size, file) >= 0) {
		char path[8192];

		/* ID, parent, device, root, mount point */
		if (sscanf(line, "%*s %*s %*s %*s %8191s", path) != 1)
			continue;
		unescape(path);
		if (strncmp(path, dir, len) != 0 || path[len] != '/')
			continue;
		snprintf(found, room, "%s", path);
		result = 0;
	}
	free(line);
	if (file)
		fclose(file);
	return result;
}

int
scratch_close(struct scratch *scratch, struct errmsg *why)
{
	char mount[8192];
	int result = 0;

	if (!scratch->dir[0])
		return 0;
	while (find_mount(scratch->dir, mount, sizeof(mount)) == 0)
		if (umount2(mount, MNT_DETACH | UMOUNT_NOFOLLOW) < 0)
			return errmsg_errno(why, "cannot unmount %s", mount);
	/* A folder that a program made unreadable is opened first; what lies */
	/* within it is then seen in the next turn. */
	for (int turn = 0; turn < 8 && access(scratch->dir, F_OK) == 0;
	     turn++) {
		nftw(scratch->dir, open_up, TREE_FDS, FTW_PHYS | FTW_MOUNT);
		nftw(scratch->dir, remove_one, TREE_FDS,
		     FTW_PHYS | FTW_MOUNT | FTW_DEPTH);
	}
	if (rmdir(scratch->dir) < 0 && errno != ENOENT)
		result = errmsg_errno(why, "cannot remove %s", scratch->dir);
	scratch->dir[0] = '\0';
	return result;
}

#include "parse_internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_CHAINED 16          /* files that include one another */
#define LARGEST_FILE (INT64_C(1) << 40)

static struct setup *
new_setup(struct parser *p, enum setup_kind kind)
{
	struct plan *plan = p->plan;
	struct setup *setup = arena_push(p->arena, &plan->setups,
	                                 &plan->nsetups, sizeof(*setup));

	setup->kind = kind;
	return setup;
}

static int
too_late(struct parser *p, const char *name)
{
	p_point(p, p->command);
	return p_wrong(p, NULL, "'%s' stands before a step's first timed "
	               "command", name);
}

/* ---- set --------------------------------------------------------------- */

/* The variant's or the command line's value for a variable, or NULL. */
static const char *
overriding(struct parser *p, const char *name)
{
	const struct parse_input *input = p->input;
	const char *value = NULL;

	for (size_t i = 0; i < input->nassignments; i++)
		if (strcmp(input->assignments[i].name, name) == 0) {
			value = input->assignments[i].value;
			p->assigned[i] = true;
		}
	if (variant_value(p, name))
		value = variant_value(p, name);
	return value;
}

static int
set_one(struct parser *p)
{
	const char *name = token_key(p), *key;
	const char *value = overriding(p, name);
	struct symbol *symbol = names_find(&p->names, name, strlen(name));
	struct word *word;

	if (strpbrk(name, ".-"))
		return p_wrong(p, "letters, digits and _",
		               "'%s' is not a name", name);
	if (knob_find(p->vocabulary->knobs, name, &key))
		return p_wrong(p, NULL, "'%s' is a knob: no variable may bear "
		               "its name", name);
	if (symbol && !symbol->value)
		return p_wrong(p, NULL, "the name '%s' is taken", name);
	word = arena_alloc(p->arena, sizeof(*word));
	*word = value ? word_of(p, value, p->token.word.place) :
	        token_value(p);
	if (!symbol)
		symbol = names_add(&p->names, name, strlen(name));
	symbol->value = word;
	return 0;
}

int
p_set(struct parser *p)
{
	int result = 0;

	if (at_line_end(p))
		return p_wants(p, "NAME=VALUE");
	/* What stands behind a wrong one is set all the same, to be known. */
	for (; !at_line_end(p); p_next(p)) {
		if (!is_assignment(&p->token))
			result = p_wrong(p, NULL, "this is not NAME=VALUE");
		else if (set_one(p) < 0)
			result = -1;
	}
	return result;
}

/* ---- include ----------------------------------------------------------- */

static const char *
beside(struct parser *p, const char *path)
{
	const char *includer = p->file->source->name;
	const char *slash = strrchr(includer, '/');

	if (*path == '/' || !slash)
		return path;
	return arena_printf(p->arena, "%.*s/%s", (int)(slash - includer),
	                    includer, path);
}

/* "a.wl -> b.wl -> a.wl" */
static const char *
chain(struct parser *p, const struct file *file, const struct file *last,
      const char *path)
{
	for (; file != last; file = file->includer)
		path = arena_printf(p->arena, "%s -> %s", file->source->name,
		                    path);
	return path;
}

static int
check_chain(struct parser *p, const char *path)
{
	unsigned files = 0;
	struct stat about;
	bool known = stat(path, &about) == 0;

	for (const struct file *file = p->file; file; file = file->includer) {
		if (known && file->known &&
		    file->device == (uint64_t)about.st_dev &&
		    file->inode == (uint64_t)about.st_ino)
			return p_wrong(p, NULL, "a file includes itself: %s",
			               chain(p, p->file, file->includer,
			                     path));
		files++;
	}
	if (files > MOST_CHAINED)
		return p_wrong(p, NULL, "more than %d files include one "
		               "another", MOST_CHAINED);
	if (p->nincludes == MOST_INCLUDES)
		return p_wrong(p, NULL, "more than %d files are included",
		               MOST_INCLUDES);
	p->nincludes++;
	return 0;
}

int
p_include(struct parser *p)
{
	struct source *source = arena_alloc(p->arena, sizeof(*source));
	const char *path = p_look(p, "a file");
	struct errmsg why;

	if (!path)
		return -1;
	path = beside(p, path);
	if (check_chain(p, path) < 0)
		return -1;
	if (source_read(p->arena, path, source, &why) < 0) {
		p->broken = true;
		return p_wrong(p, NULL, "%s", why.text);
	}
	p_next(p);
	if (at_line_end(p))
		p_file(p, source);
	return 0;
}

/* ---- need -------------------------------------------------------------- */

static const struct condition *
find_condition(struct parser *p, const char *name)
{
	const struct condition *row = p->vocabulary->conditions;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	return row->name ? row : NULL;
}

/* The comparison that text begins with, or NULL. */
static const char *
comparison_at(const char *text)
{
	static const char *const all[] = { ">=", "<=", "!=", "<", ">", "=" };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (str_starts(text, all[i]))
			return all[i];
	return NULL;
}

/* "cpus>=2": rest is what stands behind the name. */
static int
read_compared(struct parser *p, const char *rest, struct condition_use *use)
{
	const struct condition *row = use->condition;
	struct value value;
	struct errmsg why;

	use->compare = comparison_at(rest);
	if (!use->compare || *use->compare == '!')
		return p_wrong(p, NULL, "'%s' is compared: %s>=%s", row->name,
		               row->name, value_shape(&row->value));
	rest += strlen(use->compare);
	if (!*rest)
		return p_wrong(p, "without blanks between",
		               "%s%s lacks its value", row->name,
		               use->compare);
	if (value_read(&row->value, rest, &value, &why) < 0)
		return p_wrong(p, NULL, "%s", why.text);
	use->value = value.n;
	return 0;
}

static int
read_condition(struct parser *p, const char *text, struct condition_use *use)
{
	size_t len = strcspn(text, "<>=!:");
	const char *name = arena_copy(p->arena, text, len);
	const char *rest = text + len;
	const struct condition *row = find_condition(p, name);

	use->condition = row;
	use->text = text;
	if (!row)
		return p_wrong(p, table_hint(p, p->vocabulary->conditions,
		                             sizeof(*row), name),
		               "no condition named '%s'", name);
	if (row->shape == CONDITION_COMPARES)
		return read_compared(p, rest, use);
	if (row->shape == CONDITION_NAMES) {
		if (*rest != ':' || !rest[1])
			return p_wrong(p, NULL, "'%s' wants a name: %s:%s",
			               name, name, value_shape(&row->value));
		use->argument = rest + 1;
		return 0;
	}
	if (*rest)
		return p_wrong(p, NULL, "'%s' takes nothing behind it", name);
	return 0;
}

int
p_need(struct parser *p)
{
	struct condition_use *list = NULL;
	struct condition_use **uses = p->step ? &p->step->needs : &list;
	size_t count = 0;
	size_t *n = p->step ? &p->step->nneeds : &count;
	struct setup *setup;

	if (p->step && p->step->nbody)
		return too_late(p, "need");
	do {
		struct condition_use use = { 0 };
		const char *text = p_look(p, "a condition");

		if (!text || read_condition(p, text, &use) < 0)
			return -1;
		p_next(p);
		*(struct condition_use *)arena_push(p->arena, uses, n,
		                                    sizeof(use)) = use;
	} while (!at_line_end(p));
	if (p->step)
		return 0;
	setup = new_setup(p, SETUP_NEED);
	setup->need.list = list;
	setup->need.count = count;
	return 0;
}

/* ---- tmpfile, tmpdir, serve -------------------------------------------- */

static struct resource *
new_resource(struct parser *p, enum resource_kind kind)
{
	struct plan *plan = p->plan;
	struct resource *resource;
	struct symbol *symbol;

	if (p_new_name(p, &symbol) < 0)
		return NULL;
	symbol->number = plan->nresources;
	new_setup(p, SETUP_RESOURCE)->resource = plan->nresources;
	resource = arena_push(p->arena, &plan->resources, &plan->nresources,
	                      sizeof(*resource));
	resource->kind = kind;
	resource->name = symbol->name;
	resource->place = symbol->place;
	return resource;
}

int
p_tmpfile(struct parser *p)
{
	static const struct param size = {
		.kind = VALUE_SIZE, .max = LARGEST_FILE,
	};
	static const struct param options[] = {
		{ .name = "seed", .kind = VALUE_INT }, { 0 }
	};
	struct resource *resource = new_resource(p, RESOURCE_FILE);
	struct value bytes, seed = { 0 };

	if (!resource || p_value(p, &size, "a size", &bytes) < 0 ||
	    p_options(p, "tmpfile", options, &seed) < 0)
		return -1;
	resource->size = bytes.n;
	resource->seed = (uint64_t)seed.n;
	return 0;
}

int
p_tmpdir(struct parser *p)
{
	return new_resource(p, RESOURCE_DIR) ? 0 : -1;
}

static const struct server_kind *
server_at(struct parser *p)
{
	const struct server_kind *kind = p->vocabulary->servers;
	const char *text = p_look(p, "a kind of server");

	while (text && kind->name && strcmp(kind->name, text) != 0)
		kind++;
	if (text && kind->name) {
		p_next(p);
		return kind;
	}
	if (text)
		p_wrong(p, table_hint(p, p->vocabulary->servers, sizeof(*kind),
		                      text),
		        "no kind of server named '%s'", text);
	return NULL;
}

int
p_serve(struct parser *p)
{
	const struct param *params = p->vocabulary->server_params;
	struct resource *resource = new_resource(p, RESOURCE_SERVER);
	size_t count = 0;

	if (!resource)
		return -1;
	resource->server = server_at(p);
	while (params && params[count].name)
		count++;
	resource->options = arena_array(p->arena, count,
	                                sizeof(struct value));
	if (!resource->server)
		return -1;
	return p_options(p, "serve", params, resource->options);
}

/* ---- open, background, prepare ----------------------------------------- */

static enum redir_kind
default_mode(const struct word *target)
{
	const char *text = word_text(target);

	return !text || str_starts(text, "/dev/tcp/") ? REDIR_INOUT : REDIR_IN;
}

static int
open_number(struct parser *p, int *fd)
{
	static const struct param param = {
		.kind = VALUE_INT, .max = MOST_FDS - 1,
	};
	struct value number;

	if (p_read(p, &param, "a descriptor's number", &number) < 0)
		return -1;
	*fd = (int)number.n;
	if (*fd <= 2)
		return p_wrong(p, "from 3 on", "descriptors 0, 1 and 2 are not "
		               "the workload's");
	if (p->opened[*fd])
		return p_wrong(p, NULL, "descriptor %d is open already", *fd);
	p->opened[*fd] = true;
	p_next(p);
	return 0;
}

int
p_open(struct parser *p)
{
	static const enum redir_kind modes[] = {
		REDIR_IN, REDIR_OUT, REDIR_APPEND, REDIR_INOUT,
	};
	static const struct param param = {
		.kind = VALUE_CHOICE, .choices = "r|w|a|rw",
	};
	struct open_fd open = { .place = p->command };
	struct value mode;

	if (open_number(p, &open.fd) < 0 ||
	    p_wants(p, "a path or an address") < 0)
		return -1;
	open.target = p->token.word;
	open.mode = default_mode(&open.target);
	if (!open.target.npieces)
		return p_wrong(p, NULL, "the path is empty");
	p_next(p);
	if (p->token.kind == TOKEN_WORD) {
		if (p_value(p, &param, "a mode", &mode) < 0)
			return -1;
		open.mode = modes[mode.n];
	}
	new_setup(p, SETUP_OPEN)->open = open;
	return 0;
}

int
p_background(struct parser *p)
{
	static const struct param param = {
		.kind = VALUE_INT, .min = 1, .max = 100000,
	};
	struct value number;

	if (p_value(p, &param, "a number of processes", &number) < 0)
		return -1;
	new_setup(p, SETUP_BACKGROUND)->background = number.n;
	return 0;
}

int
p_prepare(struct parser *p)
{
	struct script script = { .place = p->command };

	if (p->step && p->step->nbody)
		return too_late(p, "prepare");
	if (p_wants(p, "a script") < 0)
		return -1;
	script.text = p->token.word;
	p_next(p);
	if (p->token.kind == TOKEN_WORD) {
		script.shell = script.text;
		if (p_wants(p, "a script") < 0)
			return -1;
		script.text = p->token.word;
		p_next(p);
	}
	if (!at_line_end(p))
		return p_wrong(p, "quote the script",
		               "prepare takes a shell and a script");
	if (p->step)
		*(struct script *)arena_push(p->arena, &p->step->prepares,
		                             &p->step->nprepares,
		                             sizeof(script)) = script;
	else
		new_setup(p, SETUP_PREPARE)->prepare = script;
	return 0;
}

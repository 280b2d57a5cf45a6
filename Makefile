# forkload: GNU make, a C11 compiler, nothing else.
#
#   make                 builds $(O)/forkload
#   make run             builds it and runs the loopback workload
#   make deps check      installs libcheck where it is missing, passes all tests
#   make lint bench bench-split bench-aa bench-verdict install dist size clean
#
#   O=dir  CC=...  CROSS_COMPILE=powerpc-linux-gnu-  STATIC=0|1  V=1
#   SAN=address,undefined  CFLAGS=... LDFLAGS=... (added to, never replaced)

O ?= build
PREFIX ?= /usr/local
DESTDIR ?=
SAN ?=
V ?= 0

ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif

VERSION := 0.1

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
own_cflags := -std=c11 -O2 -g -fno-pie -ffunction-sections -fdata-sections \
	$(WARNINGS) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Isrc
own_ldflags := -Wl,--gc-sections

ifneq ($(SAN),)
own_cflags += -fsanitize=$(SAN) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
own_ldflags += -fsanitize=$(SAN)
STATIC ?= 0
endif

# One static file, wherever the compiler can link one: it starts faster and
# its forks are cheaper than those of a program with shared libraries.
ifndef STATIC
STATIC := $(shell printf 'int main(void){return 0;}' | \
	$(CC) -x c -static -o /dev/null - 2>/dev/null && echo 1 || echo 0)
endif
static_0 := -no-pie
static_1 := -static

# musl-gcc does not look where the distribution keeps the kernel's headers.
own_cflags += $(shell printf '\043include <linux/sock_diag.h>\n' | \
	$(CC) -x c -fsyntax-only - 2>/dev/null || \
	echo -idirafter /usr/include \
		-idirafter /usr/include/$$($(CC) -print-multiarch))

q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' $(1) $(2))

sources := $(sort $(wildcard src/*/*.c))
objects := $(sources:src/%.c=$(O)/%.o) $(O)/cmd/builtin.o
library := $(O)/libforkload.a
workloads := $(sort $(wildcard workloads/*.wl))
unit_sources := $(sort $(wildcard tests/unit/*.c))
unit_programs := $(unit_sources:tests/unit/%.c=$(O)/unit/%)
helper_sources := $(sort $(wildcard tests/helpers/*.c))
helpers := $(helper_sources:tests/helpers/%.c=$(O)/helpers/%)
bench_sources := $(sort $(wildcard tests/bench/*.c))
bench_programs := $(bench_sources:tests/bench/%.c=$(O)/bench/%)

# Objects are made anew when a flag changes.
flags_now := $(CC) $(own_cflags) $(CFLAGS) $(own_ldflags) $(LDFLAGS) \
	static=$(STATIC) $(VERSION)

.PHONY: all run deps check unit e2e lint bench bench-split \
	bench-aa bench-verdict install dist size clean FORCE
.DELETE_ON_ERROR:
.SUFFIXES:

all: $(O)/forkload

$(O)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(flags_now)' | cmp -s - $@ || \
		printf '%s\n' '$(flags_now)' >$@

$(O)/%.o: src/%.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(q)$(CC) $(own_cflags) $(CFLAGS) -DVERSION='"$(VERSION)"' -MMD -MP \
		-c -o $@ $<

# The workloads, built into the binary from the files themselves.
$(O)/cmd/builtin.c: workloads/embed.sh $(workloads)
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(q)sh workloads/embed.sh $(workloads) >$@

$(O)/cmd/builtin.o: $(O)/cmd/builtin.c $(O)/flags
	$(call say,CC,$<)
	$(q)$(CC) $(own_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

$(library): $(objects)
	$(call say,AR,$@)
	$(q)rm -f $@
	$(q)$(CROSS_COMPILE)ar rcs $@ $(objects)

$(O)/forkload: $(O)/main.o $(library)
	$(call say,LD,$@)
	$(q)$(CC) $(static_$(STATIC)) $(own_ldflags) $(CFLAGS) $(LDFLAGS) \
		-o $@ $(O)/main.o $(library) -lm

run: $(O)/forkload
	@$(O)/forkload -f workloads/loopback.wl

# ---- tests ---------------------------------------------------------------

deps:
	@sh tests/deps.sh $(CC)

$(O)/unit/%: tests/unit/%.c tests/unit/unit.h $(library)
	@mkdir -p $(@D)
	$(call say,UNIT,$<)
	$(q)$(CC) $(own_cflags) $(CFLAGS) $(shell pkg-config --cflags check) \
		-no-pie $(own_ldflags) $(LDFLAGS) -o $@ $< $(library) -lm \
		$(shell pkg-config --libs check)

# Small programs that the tests exec; static and without a sanitizer, as
# they stand for anybody's.
$(O)/helpers/%: tests/helpers/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(q)$(CC) -std=c11 -O2 $(WARNINGS) -D_GNU_SOURCE $(static_$(STATIC)) \
		-o $@ $<

check: $(O)/forkload $(unit_programs) $(helpers)
	@sh tests/run.sh $(O)

unit: $(unit_programs)
	@sh tests/run.sh $(O) unit

e2e: $(O)/forkload $(helpers)
	@sh tests/run.sh $(O) e2e

lint:
	@sh tests/lint.sh

# ---- speed ---------------------------------------------------------------

$(O)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(q)$(CC) -std=c11 -O2 -fno-pie $(WARNINGS) -D_GNU_SOURCE \
		$(static_$(STATIC)) -o $@ $<

# What the loops start: a program without libc.
$(O)/bench/nothing: tests/bench/nothing.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(q)$(CC) -std=c11 -O2 -fno-pie $(WARNINGS) -ffreestanding -nostdlib \
		-static -Wl,-e,_start -o $@ $<

# A small libc, where there is one: its start is no work of the processor's.
$(O)/bench/share: tests/bench/share.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(q)$$(command -v musl-gcc || echo $(CC)) -std=c11 -O2 -fno-pie \
		$(WARNINGS) -D_GNU_SOURCE -static -o $@ $<

bench-split: $(O)/forkload $(O)/bench/share
	@sh tests/bench/split.sh $(O)

bench-aa: $(O)/forkload
	@sh tests/bench/aa.sh $(O)

bench-verdict: $(O)/forkload $(O)/bench/share
	@sh tests/bench/verdict.sh $(O)

bench: $(O)/forkload $(bench_programs)
	@sh tests/bench/bench.sh $(O)

# ---- delivery ------------------------------------------------------------

install: $(O)/forkload
	install -d $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 755 $(O)/forkload $(DESTDIR)$(PREFIX)/bin/forkload
	install -m 644 src/man/forkload.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 src/man/forkload.5 $(DESTDIR)$(PREFIX)/share/man/man5/

dist:
	git archive --prefix=forkload-$(VERSION)/ -o forkload-$(VERSION).tar.gz \
		HEAD

size: $(O)/forkload
	@$(CROSS_COMPILE)size $(O)/forkload

clean:
	rm -rf $(O)

-include $(objects:.o=.d) $(O)/main.d

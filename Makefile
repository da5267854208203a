# dputils: differential privacy for the shell.  GNU make.
# Targets: all suites check install uninstall install-dev uninstall-dev html
# Targets: dist clean lint asan bench help

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
DOCDIR  ?= $(PREFIX)/share/doc/dputils
LIBDIR  ?= $(PREFIX)/lib
INCDIR  ?= $(PREFIX)/include/dputils
DESTDIR ?=
BUILD   ?= build
BIN     ?= bin

# make and scripts/check use one compiler by one name, or each would build all
# that the other built.
ifeq ($(origin CC),default)
CC       = gcc
endif
CPPFLAGS ?=
# What guards a program at run time costs less than can be measured.
CFLAGS  ?= -O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2
LDFLAGS ?= -Wl,-z,relro,-z,now
WARN     = -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
           -Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
           -Wno-missing-field-initializers # an option that says no more is closed
DP_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 \
            -Ilib -Icmd -ffp-contract=off $(WARN) $(CPPFLAGS) $(CFLAGS)

# What Linux has and POSIX has not stands in one source.  Where another source
# takes its place there is no dp-gate.  tests/house/host_posix.c is one to begin
# with on another system.
HOST   ?= lib/tool/host.c

# CSV=-l:libcsv.a links libcsv's archive, 20 kB: with a library less to load a
# program starts .1 ms sooner.
CSV    ?= -lcsv
LIBS    = $(CSV) -lsqlite3 -lm -lpthread

# A program is a main, a source of cmd/WING/ whose first column says so; the
# other sources of the wing go with each of its mains, in build/wing/WING.a.
MAINS := $(shell grep -lw '^main' cmd/*/*.c)
TOOLS := $(basename $(notdir $(MAINS)))
ifneq ($(HOST),lib/tool/host.c)
TOOLS := $(filter-out dp-gate,$(TOOLS))
endif
WINGS := $(patsubst cmd/%/,%,$(wildcard cmd/*/))
WING_A := $(WINGS:%=$(BUILD)/wing/%.a)
SOURCES := $(HOST) $(filter-out lib/tool/host.c,\
             $(wildcard lib/*/*.c lib/*/*/*.c cmd/*/*.c cmd/*/*/*.c))
LIB_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(filter lib/% $(HOST),$(SOURCES)))
CMD_OBJ := $(patsubst %.c,$(BUILD)/%.o,\
             $(filter-out $(MAINS),$(filter cmd/%,$(SOURCES))))
# The build of tests/meter writes every draw down.  What is included first asks
# for all that lib/tool/host.c asks for.
ifneq ($(filter -DDP_METER,$(CFLAGS)),)
LIB_OBJ += $(BUILD)/obj/tests/meter/meter.o
DP_CFLAGS += -D_GNU_SOURCE=1 -include tests/meter/draws.h
endif
# That of tests/taint says what is private.
ifneq ($(filter -DDP_TAINT,$(CFLAGS)),)
DP_CFLAGS += -D_GNU_SOURCE=1 -include tests/taint/marks.h
endif
LIB_A   := $(BUILD)/libdputils.a
PAGES := $(wildcard man/*.[157])

# The library of the tests; where it is not to be had, `make CRITERION= suites`,
# in a BUILD of its own, puts the macros of tests/house/criterion in its place.
CRITERION ?= -lcriterion
# Criterion programs: one for each of unit, prop, stat, laws
SUITES := $(foreach s,unit prop stat laws,\
            $(if $(wildcard tests/$(s)/*.c),$(BUILD)/tests/$(s)))

BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,\
             $(wildcard tests/bench/*.c))

# Completions say what the tools' --help says.  A build for another machine runs
# no tool: HOST_BIN is a folder of the same tools for this one, or empty, which
# makes no completions.
HOST_BIN ?= $(BIN)
COMPLETIONS := $(if $(HOST_BIN),$(BUILD)/completions/made)

all: $(LIB_A) $(TOOLS:%=$(BIN)/%) $(COMPLETIONS)

# program MAIN: its object, its wing, the library.
define program
$(BIN)/$(basename $(notdir $(1))): $(BUILD)/$(1:.c=.o) \
    $(BUILD)/wing/$(word 2,$(subst /, ,$(1))).a $(LIB_A)
endef
$(foreach m,$(MAINS),$(eval $(call program,$(m))))

$(TOOLS:%=$(BIN)/%):
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(foreach w,$(WINGS),$(eval $(BUILD)/wing/$(w).a: \
    $(filter $(BUILD)/cmd/$(w)/%,$(CMD_OBJ))))

$(WING_A):
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^

$(LIB_A): $(LIB_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/completions/made: scripts/release/completions \
    $(TOOLS:%=$(HOST_BIN)/%)
	scripts/release/completions -d $(@D) $(HOST_BIN) $(TOOLS)
	@touch $@

# Objects are made again when the compiler or its flags change; WERROR changes
# no object.
FLAGS := $(strip $(CC) $(DP_CFLAGS))
ifneq ($(FLAGS),$(strip $(file <$(BUILD)/flags)))
$(BUILD)/flags: always
endif

$(BUILD)/flags:
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(FLAGS))' >$@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(DP_CFLAGS) $(WERROR) -MMD -MP -c -o $@ $<

# Objects of tests lie apart: build/tests/unit is a program, not a folder.
$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(DP_CFLAGS) $(WERROR) -MMD -MP -c -o $@ $<

$(BUILD)/obj/%.o: WARN += -Wno-missing-prototypes -Wno-conversion \
	-Wno-shadow -Wno-double-promotion -Wno-pedantic -D_GNU_SOURCE=1 \
	-Itests/house$(if $(CRITERION),/shown)

.SECONDEXPANSION:
$(SUITES): $(BUILD)/tests/%: \
		$$(addprefix $(BUILD)/obj/,$$(addsuffix .o,$$(basename \
		$$(wildcard tests/$$*/*.c)))) \
		$(WING_A) $(LIB_A)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(CRITERION)

suites: $(SUITES)

check: all suites
	tests/run $(BUILD) $(BIN)

# Blanks in a path are quoted below.  What a shell reads between quotes is not.
ifneq ($(strip $(foreach c,' " ` \ $$,\
         $(findstring $c,$(DESTDIR)$(PREFIX)$(DOCDIR)))),)
$(error a path of an install has a quote, a backslash or a dollar sign)
endif

EXAMPLES := $(filter-out data/make-%,$(wildcard data/*))

install: all
	install -d "$(DESTDIR)$(BINDIR)"
	install -m 755 $(TOOLS:%=$(BIN)/%) "$(DESTDIR)$(BINDIR)"
	for p in $(PAGES); do s=$${p##*.}; \
	    install -d "$(DESTDIR)$(MANDIR)/man$$s" && \
	    install -m 644 $$p "$(DESTDIR)$(MANDIR)/man$$s" || exit 1; done
ifneq ($(COMPLETIONS),)
	install -d "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" \
	    "$(DESTDIR)$(FISHDIR)"
	install -m 644 $(TOOLS:%=$(BUILD)/completions/bash/%) \
	    "$(DESTDIR)$(BASHDIR)"
	install -m 644 $(TOOLS:%=$(BUILD)/completions/zsh/_%) \
	    "$(DESTDIR)$(ZSHDIR)"
	install -m 644 $(TOOLS:%=$(BUILD)/completions/fish/%.fish) \
	    "$(DESTDIR)$(FISHDIR)"
endif
	install -d "$(DESTDIR)$(DOCDIR)/data"
	install -m 644 README "$(DESTDIR)$(DOCDIR)"
	install -m 644 $(EXAMPLES) "$(DESTDIR)$(DOCDIR)/data"

uninstall:
	for t in $(TOOLS); do \
	    rm -f "$(DESTDIR)$(BASHDIR)/$$t" "$(DESTDIR)$(ZSHDIR)/_$$t" \
	    "$(DESTDIR)$(FISHDIR)/$$t.fish" "$(DESTDIR)$(BINDIR)/$$t"; done
	for p in $(PAGES); do \
	    rm -f "$(DESTDIR)$(MANDIR)/man$${p##*.}/$${p#man/}"; done
	for f in README $(EXAMPLES); do \
	    rm -f "$(DESTDIR)$(DOCDIR)/$$f"; done
	rmdir "$(DESTDIR)$(DOCDIR)/data" "$(DESTDIR)$(DOCDIR)" 2>/dev/null || :

# The library for other programs: see dputils-hacking(7).
HEADERS := dputils.h $(addprefix number/,fixed.h memory.h taint.h) \
	$(addprefix random/,knorm.h meter.h noise.h rng.h select.h answer/spread.h) \
	$(addprefix tool/,err.h host.h)
VERSION := $(shell sed -n 's/^.define DPUTILS_VERSION "\(.*\)"/\1/p' \
	lib/tool/opts.h)

# Of the library only what these headers name, with the prefix dputils_.
DEV := $(BUILD)/dev
$(DEV)/libdputils.a: scripts/release/library $(LIB_A) $(HEADERS:%=lib/%)
	CC="$(CC)" AR="$(AR)" scripts/release/library $(DEV) $(LIB_A) \
	    $(HEADERS:%=lib/%)

install-dev: $(DEV)/libdputils.a
	install -d "$(DESTDIR)$(LIBDIR)/pkgconfig"
	install -m 644 $(DEV)/libdputils.a "$(DESTDIR)$(LIBDIR)"
	for d in $(sort $(dir $(HEADERS))); do \
	    install -d "$(DESTDIR)$(INCDIR)/$$d" || exit 1; done
	for h in $(HEADERS); do \
	    install -m 644 lib/$$h "$(DESTDIR)$(INCDIR)/$$h" || exit 1; done
	install -m 644 $(DEV)/dputils.h "$(DESTDIR)$(INCDIR)"
	printf '%s\n' 'prefix=$(PREFIX)' \
	    'libdir=$(LIBDIR:$(PREFIX)/%=$${prefix}/%)' \
	    'includedir=$(INCDIR:$(PREFIX)/%=$${prefix}/%)' 'Name: dputils' \
	    'Version: $(VERSION)' 'Description: exact differential privacy' \
	    'Cflags: -I"$${includedir}"' 'Libs: -L"$${libdir}" -ldputils -lm' \
	    > "$(DESTDIR)$(LIBDIR)/pkgconfig/dputils.pc"

uninstall-dev:
	rm -f "$(DESTDIR)$(LIBDIR)/libdputils.a" \
	    "$(DESTDIR)$(LIBDIR)/pkgconfig/dputils.pc"
	for h in $(HEADERS); do rm -f "$(DESTDIR)$(INCDIR)/$$h"; done
	cd "$(DESTDIR)$(INCDIR)" 2>/dev/null && \
	    rmdir -p $(sort $(dir $(HEADERS))) 2>/dev/null || :
	rmdir "$(DESTDIR)$(INCDIR)" 2>/dev/null || :

# Manual pages for a browser, in build/html.
html:
	scripts/release/html $(BUILD)/html

# The source of the commit that is checked out, with its checksum.
dist:
	scripts/release/package source

lint:
	scripts/lint

# Again under the address and undefined-behaviour sanitizers; stat and laws, whose
# draws and enumerations take longest there, where ASAN_SUITES=suites.
ASAN_SUITES = $(addprefix $(BUILD)/asan/tests/,unit prop)
ASAN = $(MAKE) --no-print-directory BUILD=$(BUILD)/asan \
	BIN=$(BUILD)/asan/bin CFLAGS="-O1 -g1 -fsanitize=address,undefined \
	-fno-sanitize-recover=all -fno-omit-frame-pointer"

asan-build:
	+$(ASAN) all $(ASAN_SUITES)

asan: asan-build
	tests/run $(BUILD)/asan $(BUILD)/asan/bin

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(WING_A) $(LIB_A)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

benches: $(BENCHES)

bench: all benches
	scripts/bench

clean:
	rm -rf build bin

help:
	@sed -n 's/^# Targets: //p' Makefile

-include $(SOURCES:%.c=$(BUILD)/%.d) \
	$(patsubst %.c,$(BUILD)/obj/%.d,$(wildcard tests/*/*.c))

.PHONY: always all suites benches check install uninstall install-dev \
	uninstall-dev html dist lint asan asan-build bench clean help
.PRECIOUS: $(BUILD)/%.o $(BUILD)/obj/%.o

# SPDX-License-Identifier: GPL-2.0-or-later
# sriovctl - one Makefile, no recursion, no configure step.
#
#   make run          install what the build needs, build, print the preflight of this host
#   make test         install what the tests need, run the gate, the lab in it
#   make              build/sriovctl
#   make test-full    the same, and faults put into the sources, and the fuzzers for a while
#   make check [SUITES='hosts cli ...']   unit tests, hosts, contracts, lints ...
#   make bless        write tests/hosts/*.text anew: review the diff
#   make lab [SCENARIO=name]  install what the lab needs, run its scenarios, or one
#   make lab-full     with the scenarios that take long
#   make lab-shell SCENARIO=name   a console in its machine
#   make lab-captures [SCENARIO=name]  keep what it captured as hosts of the quick tests
#   make accuracy CASES=DIR  what experts judged of real machines, imported and scored
#   make bench        how long commands take, beside lspci
#   make SANITIZE=address,undefined check
#   make analyze      gcc -fanalyzer
#   make fuzz [FUZZ_SECONDS=60]
#   make install DESTDIR=... PREFIX=/usr   the program, units, udev rule, manual page ...
#   make bundle       a tarball of the program that runs where only a shell is
#   make deb, make rpm    packages, in build/
#
# V=1 shows commands.  Every flavour (compiler, sanitizers) has a build directory of its
# own, so that switching never needs a clean.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.SECONDARY:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

ifeq ($(origin CC),default)
CC := gcc
endif
HOSTCC     ?= gcc
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
DESTDIR    ?=
PREFIX     ?= /usr/local
SBINDIR    ?= $(PREFIX)/sbin
DATADIR    ?= $(PREFIX)/share
MANDIR     ?= $(DATADIR)/man
DOCDIR     ?= $(DATADIR)/doc/sriovctl
BASHDIR    ?= $(DATADIR)/bash-completion/completions
SYSTEMDDIR ?= $(PREFIX)/lib/systemd
UDEVDIR    ?= $(PREFIX)/lib/udev

VERSION := $(shell cat data/VERSION)

# --- flavour -> build directory ---------------------------------------------
comma := ,
FLAVOUR := $(notdir $(CC))$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
B := build/$(FLAVOUR)

# --- what is built -----------------------------------------------------------
# libsmbios is made for x86 alone; elsewhere dmi_tables.c reads what little is asked.
IS_X86    = $(eval IS_X86 := $(filter x86_64-% i%86-%,$(shell $(CC) -dumpmachine)))$(IS_X86)
PKGS      = libpci libkmod $(if $(IS_X86),libsmbios_c) libcjson zlib liblzma libnl-3.0 libnl-genl-3.0
LIB_SRCS := $(wildcard checks/base/*.c checks/host/*.c checks/facts/*.c checks/*.c \
	provision/*.c import/*.c)
CMD_SRCS := $(wildcard cmd/*.c cmd/render/*.c)
UT_SRCS  := $(wildcard tests/unit/test_*.c)
FZ_SRCS  := $(wildcard tests/fuzz/fuzz_*.c)
HDRS     := $(wildcard include/sriovctl/*.h cmd/*.h cmd/render/*.h checks/*.h checks/*/*.h \
	provision/*.h import/*.h)
DATA     := $(wildcard data/*.json data/systemd/* data/profiles/*.json)

# The table of compatibility is read by what reads such files at run time, on the building machine.
GEN_SRCS := data/compat_gen.c $(wildcard checks/base/*.c checks/facts/compat*.c checks/facts/version*.c)

LIB_OBJS := $(LIB_SRCS:%.c=$(B)/%.o) $(B)/data/embed.o $(B)/gen/compat_table.o
CMD_OBJS := $(CMD_SRCS:%.c=$(B)/%.o)
UT_OBJS  := $(patsubst %.c,$(B)/%.o,$(filter-out $(UT_SRCS),$(wildcard tests/unit/*.c)))
UNITS    := $(UT_SRCS:%.c=$(B)/%)
CORPORA  := $(FZ_SRCS:%.c=$(B)/%-corpus)
FUZZERS  := $(FZ_SRCS:%.c=$(B)/%)

# --- flags: the user's CFLAGS and LDFLAGS come last and are never overwritten -
WARN := -Wall -Wextra -Wshadow -Wvla -Wundef -Wformat=2 -Wwrite-strings \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wpointer-arith -Wcast-qual -Wswitch-enum -Wimplicit-fallthrough
WERROR ?= -Werror
OPT    ?= -O2 -g
ALL_CPPFLAGS := -Iinclude -I$(B)/gen -D_GNU_SOURCE $(CPPFLAGS)
ALL_CFLAGS  = -std=gnu11 $(OPT) $(WARN) $(WERROR) -fno-common -fstack-protector-strong \
	$(PKG_CFLAGS) $(ALL_CPPFLAGS) $(SAN_FLAGS) $(CFLAGS)
ALL_LDFLAGS = $(SAN_FLAGS) $(LDFLAGS)
ifneq ($(SANITIZE),)
SAN_FLAGS := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
# Asked only where something is compiled: `make run` comes before pkg-config is there.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(if $(IS_X86),-DHAVE_LIBSMBIOS) \
	$(shell $(PKG_CONFIG) --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKGS)) \
	$(ARCHIVE_LIBS))$(PKG_LIBS)
# Static where there is such a libarchive, without the sections that tar does not need: 130 KB.
# The shared one brings libxml2 and ICU, 31 MB, into every start and every image.
ARCHIVE_LIBS ?= $(if $(wildcard $(shell $(CC) $(LDFLAGS) -print-file-name=libarchive.a)), \
	-Wl$(comma)--gc-sections -l:libarchive.a -llzma,-larchive) -lbz2

ifneq ($(V),1)
say = @printf '  %-7s %s\n' $(1) $(2);
endif

# --- rules --------------------------------------------------------------------
all: $(B)/sriovctl build/sriovctl

# Always the last default build, whatever flavours were built besides.
build/sriovctl: build/$(notdir $(CC))/sriovctl
	@cp -f $< $@

$(B)/sriovctl: $(CMD_OBJS) $(LIB_OBJS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/%.o: %.c $(B)/.flags
	$(call say,CC,$<)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/data/embed.o: data/embed.S $(DATA) $(B)/.flags
	$(call say,AS,$<)mkdir -p $(@D) && $(CC) $(ALL_CPPFLAGS) -Idata -c -o $@ $<

# What changes with a version is seen by the files that include it, and by no others.
$(B)/gen/config.h: data/VERSION
	@mkdir -p $(@D); printf '#define VERSION "%s"\n' '$(VERSION)' > $@
$(CMD_OBJS): $(B)/gen/config.h

# Reading a host is left out of it, and the linker drops what would need it.
$(B)/gen/compat_gen: $(GEN_SRCS) $(HDRS)
	$(call say,HOSTCC,$@)mkdir -p $(@D) && $(HOSTCC) -std=gnu11 -O1 -Iinclude -D_GNU_SOURCE \
		-ffunction-sections -fdata-sections -Wl,--gc-sections -o $@ $(GEN_SRCS) -lcjson

$(B)/gen/compat_table.c: $(B)/gen/compat_gen data/compat.json
	$(call say,GEN,$@)$< data/compat.json > $@

$(B)/gen/compat_table.o: $(B)/gen/compat_table.c $(B)/.flags
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A change of flags is a change of input.
$(B)/.flags: force
	@mkdir -p $(@D); echo '$(subst ','\'',$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS))' > $@.new; \
		cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# With the shared libarchive, whose allocations are told by where it is: those never fail there.
$(B)/tests/unit/%: $(B)/tests/unit/%.o $(UT_OBJS) $(LIB_OBJS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(subst -l:libarchive.a,-larchive,$(PKG_LIBS))

$(B)/tests/lspci/%: $(B)/tests/lspci/%.o $(LIB_OBJS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

# A fuzz target is linked twice: with a main() that runs its corpus, and with libFuzzer.
$(B)/tests/fuzz/%-corpus: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/corpus_main.o $(LIB_OBJS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(FUZZERS): %: %.o $(LIB_OBJS)
	$(call say,FUZZ,$@)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS)

# --- tests ----------------------------------------------------------------------
# Each suite prints TAP lines; tests/run counts them and keeps each to its budget.
SUITES ?= unit corpora lspci hosts cases cli contract hostile lint
check: $(B)/sriovctl $(UNITS) $(CORPORA) $(B)/tests/lspci/decode check-headers
	@tests/run $(B) $(SUITES)

check-headers: $(HDRS:%.h=$(B)/hdr/%.ok)
$(B)/hdr/%.ok: %.h $(B)/.flags
	$(call say,HDR,$<)mkdir -p $(@D) && \
		$(CC) $(ALL_CFLAGS) -fsyntax-only -x c -include $< /dev/null && touch $@

bless: $(B)/sriovctl
	@BLESS=1 tests/hosts/run $(B)/sriovctl

# In a flavour of its own; FUZZ_SECONDS for each target.
fuzz:
	@$(MAKE) --no-print-directory CC=clang SANITIZE=fuzzer-no-link,address,undefined run-fuzzers
run-fuzzers: $(FUZZERS)
	@tests/run $(B) fuzz

# gcc 12 loses sight of what is stored at a computed index and calls it leaked; leaks are
# LeakSanitizer's to find.
ANALYZE := -Wno-analyzer-malloc-leak
analyze: $(patsubst %.c,$(B)/analyze/%.ok,$(LIB_SRCS) $(CMD_SRCS))
$(B)/analyze/%.ok: %.c $(HDRS) $(B)/gen/config.h $(B)/.flags
	$(call say,ANALYZE,$<)mkdir -p $(@D) && gcc -fanalyzer $(ANALYZE) $(ALL_CFLAGS) -c -o /dev/null $< \
		&& touch $@

# V=1 also shows what is not answered.
accuracy: build/sriovctl
	@[ -n '$(CASES)' ] || { echo 'make accuracy CASES=DIR: a folder of cases'; exit 2; }
	@tests/cases/accuracy build/sriovctl '$(CASES)'

bench: build/sriovctl
	@tests/bench/run build/sriovctl

# For the arm64 machines of the lab, against the libraries that tests/lab/tree unpacks.
ARM64 := $(CURDIR)/build/lab/arm64/tree
arm64:
	@tests/lab/tree arm64
	@PKG_CONFIG_SYSROOT_DIR='$(ARM64)' PKG_CONFIG_LIBDIR='$(ARM64)/usr/lib/aarch64-linux-gnu/pkgconfig' \
		$(MAKE) --no-print-directory CC=aarch64-linux-gnu-gcc SANITIZE= \
		CFLAGS='--sysroot=$(ARM64)' LDFLAGS='--sysroot=$(ARM64)' \
		build/aarch64-linux-gnu-gcc/sriovctl

# As `make run`, they install first: what the build needs may not be there.
lab lab-full lab-shell:
	@tests/setup-packages build lab $(filter lab-full,$@)
	@$(MAKE) --no-print-directory all
	@tests/lab/run $(patsubst lab-%,--%,$(filter-out lab,$@)) $(SCENARIO)

# Keeps what root captured of each scenario, for the quick tests: review the diff.
lab-captures: lab
	@tests/lab/keep $(SCENARIO)
	@$(MAKE) --no-print-directory bless

# --- the two commands of the README ---------------------------------------------
run:
	@tests/setup-packages build
	@$(MAKE) --no-print-directory all
	@build/sriovctl check; code=$$?; [ $$code -eq 0 ] || [ $$code -eq 1 ] || [ $$code -eq 3 ]

test test-full:
	@tests/setup-packages build test
	@tests/setup-packages packages || echo 'packages cannot be made here'
	@tests/setup-packages lab $(if $(filter test-full,$@),lab-full) || echo 'the lab cannot run here'
	@tests/lspci/fetch || echo "the dumps of pciutils' tests are not to be had here"
	@tests/gate $@

# --- what goes to a system ------------------------------------------------------
# Made by the program itself, so that they tell of the options that it has.
$(B)/sriovctl.8: $(B)/sriovctl
	$(call say,MAN,$@)$< --man > $@
$(B)/sriovctl.bash: $(B)/sriovctl
	$(call say,BASH,$@)$< --completion > $@

# The units start the program where it is installed.
install: all $(B)/sriovctl.8 $(B)/sriovctl.bash
	$(INSTALL) -d '$(DESTDIR)$(SBINDIR)' '$(DESTDIR)$(MANDIR)/man8' '$(DESTDIR)$(BASHDIR)' \
		'$(DESTDIR)$(SYSTEMDDIR)/system' '$(DESTDIR)$(SYSTEMDDIR)/network' \
		'$(DESTDIR)$(UDEVDIR)/rules.d' '$(DESTDIR)$(DOCDIR)/examples'
	$(INSTALL) -m 0755 $(B)/sriovctl '$(DESTDIR)$(SBINDIR)/sriovctl'
	$(INSTALL) -m 0644 $(B)/sriovctl.8 '$(DESTDIR)$(MANDIR)/man8/sriovctl.8'
	$(INSTALL) -m 0644 $(B)/sriovctl.bash '$(DESTDIR)$(BASHDIR)/sriovctl'
	$(INSTALL) -m 0644 $(wildcard data/systemd/*.service data/systemd/*.path) \
		'$(DESTDIR)$(SYSTEMDDIR)/system'
	$(INSTALL) -m 0644 $(wildcard data/systemd/*.network) '$(DESTDIR)$(SYSTEMDDIR)/network'
	$(INSTALL) -m 0644 $(wildcard data/systemd/*.rules) '$(DESTDIR)$(UDEVDIR)/rules.d'
	$(INSTALL) -m 0644 $(wildcard data/examples/*) '$(DESTDIR)$(DOCDIR)/examples'
	$(INSTALL) -m 0644 README.md '$(DESTDIR)$(DOCDIR)/README.md'
	sed -i 's,^ExecStart=/usr/sbin/sriovctl,ExecStart=$(SBINDIR)/sriovctl,' \
		'$(DESTDIR)$(SYSTEMDDIR)'/system/sriovctl-*.service

bundle: all $(B)/sriovctl.8 $(B)/sriovctl.bash
	@packaging/bundle $(B) '$(VERSION)'

deb rpm:
	@tests/setup-packages build packages
	@packaging/$@ '$(VERSION)'

clean:
	rm -rf build

force:
.PHONY: all check check-headers bless fuzz run-fuzzers accuracy analyze arm64 bench lab lab-full \
	lab-shell lab-captures run test test-full install bundle deb rpm clean force

-include $(shell [ -d $(B) ] && find $(B) -name '*.d')

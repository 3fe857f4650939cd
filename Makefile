# SPDX-License-Identifier: GPL-2.0-or-later
# sriovctl - one Makefile, no recursion, no configure step.
#
#   make run          install what the build needs, build, print the preflight of this host
#   make test         install what the tests need, run the gate, the lab in it
#   make              build/sriovctl
#   make check        unit tests, hosts, command lines, contracts, fuzz corpora, lints
#   make lab [SCENARIO=name]
#   make SANITIZE=address,undefined check
#   make analyze      gcc -fanalyzer
#   make fuzz [FUZZ_SECONDS=60]
#   make install DESTDIR=... PREFIX=/usr
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
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
DESTDIR    ?=
PREFIX     ?= /usr/local
SBINDIR    ?= $(PREFIX)/sbin

VERSION := $(shell cat data/VERSION)

# --- flavour -> build directory ---------------------------------------------
comma := ,
FLAVOUR := $(notdir $(CC))$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
B := build/$(FLAVOUR)

# --- what is built -----------------------------------------------------------
PKGS     := libkmod libsmbios_c libcjson zlib
LIB_SRCS := $(wildcard checks/base/*.c checks/host/*.c checks/facts/*.c checks/*.c)
CMD_SRCS := $(wildcard cmd/*.c cmd/render/*.c)
UT_SRCS  := $(wildcard tests/unit/test_*.c)
FZ_SRCS  := $(wildcard tests/fuzz/fuzz_*.c)
HDRS     := $(wildcard include/sriovctl/*.h cmd/*.h cmd/render/*.h checks/*.h checks/*/*.h)
DATA     := $(wildcard data/*.json)

LIB_OBJS := $(LIB_SRCS:%.c=$(B)/%.o) $(B)/data/embed.o
CMD_OBJS := $(CMD_SRCS:%.c=$(B)/%.o)
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
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKGS)))$(PKG_LIBS)

ifneq ($(V),1)
say = @printf '  %-7s %s\n' $(1) $(2);
endif

# --- rules --------------------------------------------------------------------
all: build/sriovctl

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

# A change of flags is a change of input.
$(B)/.flags: force
	@mkdir -p $(@D); echo '$(subst ','\'',$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS))' > $@.new; \
		cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(LIB_OBJS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

# A fuzz target is built twice: with a main() that runs its corpus, and with libFuzzer.
$(B)/tests/fuzz/%-corpus: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/corpus_main.o $(LIB_OBJS)
	$(call say,LD,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(LIB_SRCS) $(HDRS) $(B)/data/embed.o
	$(call say,FUZZ,$@)mkdir -p $(@D) && clang $(filter-out -fanalyzer,$(ALL_CFLAGS)) \
		-fsanitize=fuzzer,address,undefined -o $@ $< $(LIB_SRCS) $(B)/data/embed.o $(PKG_LIBS)

# --- tests ----------------------------------------------------------------------
# Each suite prints TAP lines; tests/run counts them and keeps each to its budget.
check: $(B)/sriovctl $(UNITS) $(CORPORA) check-headers
	@tests/run $(B) unit corpora hosts cases cli contract lint

check-headers: $(HDRS:%.h=$(B)/hdr/%.ok)
$(B)/hdr/%.ok: %.h $(B)/.flags
	$(call say,HDR,$<)mkdir -p $(@D) && \
		$(CC) $(ALL_CFLAGS) -fsyntax-only -x c -include $< /dev/null && touch $@

bless: $(B)/sriovctl
	@BLESS=1 tests/hosts/run $(B)/sriovctl

fuzz: $(FUZZERS)
	@set -e; for f in $(FUZZERS); do n=$$(basename $$f); mkdir -p $(B)/corpus.$$n; \
		$$f -max_total_time=$${FUZZ_SECONDS:-10} -artifact_prefix=$(B)/ $(B)/corpus.$$n \
			tests/fuzz/corpus/$${n#fuzz_} 2>&1 | tail -1; done

analyze: $(B)/gen/config.h
	@set -e; for f in $(LIB_SRCS) $(CMD_SRCS); do \
		gcc -fanalyzer $(ALL_CFLAGS) -c -o /dev/null $$f; done

lab: build/sriovctl
	@tests/lab/run $(SCENARIO)

# --- the two commands of the README ---------------------------------------------
run:
	@tests/setup-packages build
	@$(MAKE) --no-print-directory all
	@build/sriovctl check; code=$$?; [ $$code -eq 0 ] || [ $$code -eq 1 ] || [ $$code -eq 3 ]

test:
	@tests/setup-packages build test lab
	@tests/gate

install: all
	$(INSTALL) -d '$(DESTDIR)$(SBINDIR)'
	$(INSTALL) -m 0755 build/sriovctl '$(DESTDIR)$(SBINDIR)/sriovctl'

clean:
	rm -rf build

force:
.PHONY: all check check-headers bless fuzz analyze lab run test install clean force

-include $(shell [ -d $(B) ] && find $(B) -name '*.d')

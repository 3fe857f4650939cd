/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel modules, as the running kernel of the host and its modprobe would see them:
 * what is in the kernel (/sys/module, /proc/modules), what can be loaded into it (the
 * indexes in /lib/modules/RELEASE) and what modprobe.d says about that.  A root that
 * is not the running system is read by the same path.  '-' and '_' in a module's name
 * are the same.  The kernel command line is not looked at: see cmdline.h.
 */
#ifndef SRIOVCTL_MODULES_H
#define SRIOVCTL_MODULES_H

#include <sriovctl/base.h>
#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;
struct modules;

enum modules_state {
	MODULES_BUILTIN,
	MODULES_LOADED,
	MODULES_LOADABLE,
	MODULES_MISSING, /* known to be none of these */
	MODULES_STATE_MAX,
};

struct modules_info {
	enum modules_state state;
	/* 0, or why it may be in the kernel although it looks loadable. */
	int kernel_error;
	/* What has to be loaded before a loadable one, and is not. */
	struct strv needs;
	/* The path where it was seen; where it was looked for, when it is missing. */
	char *source;
	/* The line and its file.  It stops loading by alias; "modprobe NAME" still works. */
	char *blacklist, *blacklist_source;
	/* The line that replaces loading it (or, @blocks, one that it depends on). */
	char *install, *install_source;
	/* @install cannot load anything: it is /bin/false or the like, or an alias to "off". */
	bool blocks;
	/* Whether @install loads it is not known. */
	bool unclear;
	/* 0, or why the lack of a line above does not prove that there is none; never -ENOENT. */
	int config_error;
};

/* "vfio-pci" is vfio_pci, as the kernel spells it; for free(), NULL: out of memory. */
char *modules_name(const char *name) MUST_USE;

/* The modules of the host, read once and kept with it. */
int modules_get(const struct host *h, const struct modules **ret, struct error *e) MUST_USE;

/* /lib/modules/RELEASE, NULL where the release is not known. */
const char *modules_dir(const struct modules *m);
/* 0: it is there; -ENOENT: it is known not to be (no such package); other: not known. */
int modules_have_dir(const struct modules *m) MUST_USE;

/*
 * 0, also for a missing one; other: not known.  A built-in module that has neither a
 * parameter nor a version leaves no trace where /lib/modules/RELEASE is absent: on the
 * running system it is then "missing".
 */
int modules_lookup(const struct modules *m, const char *name, struct modules_info *ret,
		   struct error *e) MUST_USE;
void modules_info_done(struct modules_info *info);
#define AUTO_MODULES_INFO CLEANUP(modules_info_done)

/* The modules that claim a device's modalias, else those built in that do; -ENOENT: none. */
int modules_resolve(const struct modules *m, const char *modalias, struct strv *ret,
		    struct error *e) MUST_USE;

/*
 * The value that modprobe.d gives a parameter, the last one if several do, and the file
 * that says so.  A parameter without a value is "1", as for the kernel.  -ENOENT: none does.
 */
int modules_option(const struct modules *m, const char *module, const char *param,
		   struct buf *ret_value, struct buf *ret_source, struct error *e) MUST_USE;

/*
 * The first install line of modprobe.d, of whichever module, whose command has the parameter
 * in it other than as "param=0", and its file.  -ENOENT: none has.
 */
int modules_install_option(const struct modules *m, const char *param, struct buf *ret_line,
			   struct buf *ret_source, struct error *e) MUST_USE;

struct modules_file {
	bool is_signed; /* has a signature; whether the kernel knows the key is not asked */
	bool is_intree; /* built with the kernel, of its own sources */
	/* NULL: not told. */
	char *signer, *vermagic, *version;
	char *srcversion; /* of what it was made of: the same of the same sources */
};
/* The file of a loadable module; -ENOENT for one that is not. */
int modules_inspect(const struct modules *m, const struct modules_info *info,
		    struct modules_file *ret, struct error *e) MUST_USE;
/* The same as modinfo printed it, of an import alone; -ENODATA elsewhere. */
int modules_told(const struct host *h, const char *name, struct modules_file *ret,
		 struct error *e) MUST_USE;
void modules_file_done(struct modules_file *f);
#define AUTO_MODULES_FILE CLEANUP(modules_file_done)

#endif

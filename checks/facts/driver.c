/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/driver.h>

#include <sriovctl/buf.h>
#include <sriovctl/drvinfo.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/modules.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As the file that all drivers have links to; one that is built in has no such link. */
static char *module_of(const struct host *h, const char *name)
{
	AUTO_BUF struct buf module = { 0 };
	int r = host_link_name(h, &module, NULL, "/sys/bus/pci/drivers/%s/module", name);

	if (r == -ENOMEM)
		return NULL;
	return r == 0 ? buf_take(&module) : modules_name(name);
}

/* Of what was not copied others may tell; of what is refused, only what is loaded itself. */
static int note_refusal(const struct host *h, struct driver *d, int r)
{
	if (r != -ENOMEM && host_is_refusal(h, r) && d->error == 0)
		d->error = r;
	return r == -ENOMEM ? r : 0;
}

/* An attribute of the loaded module, NULL where there is none; 0 or -ENOMEM. */
static int keep_attr(const struct host *h, struct driver *d, const char *attr, char **ret)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, "/sys/module/%s/%s", d->module, attr);

	if (r < 0 || text.len == 0)
		return note_refusal(h, d, r);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

static int set_source(struct driver *d, const char *fmt, ...) PRINTF(2, 3);
static int set_source(struct driver *d, const char *fmt, ...)
{
	struct buf source = { 0 };

	BUF_FORMAT(&source, fmt);
	free(d->source);
	d->source = buf_take(&source);
	return d->source ? 0 : -ENOMEM;
}

/* "O" among the letters of taint: loading it made the kernel one that has foreign code. */
static int ask_kernel(const struct host *h, struct driver *d)
{
	AUTO_BUF struct buf taint = { 0 };
	int r = keep_attr(h, d, "version", &d->version);

	if (r == 0)
		r = keep_attr(h, d, "srcversion", &d->srcversion);
	if (r == 0 && (d->version || d->srcversion))
		r = set_source(d, "/sys/module/%s/%s", d->module,
			       d->version ? "version" : "srcversion");
	if (r < 0)
		return r;
	r = host_attr(h, &taint, NULL, "/sys/module/%s/taint", d->module);
	if (r < 0)
		return note_refusal(h, d, r);
	d->tree = strchr(buf_text(&taint), 'O') ? DRIVER_OUT_OF_TREE : DRIVER_IN_TREE;
	return set_source(d, "/sys/module/%s/taint", d->module);
}

static int take_file(struct driver *d, struct modules_file *f, const char *path)
{
	if (!d->version)
		d->version = TAKE(f->version);
	if (!d->srcversion)
		d->srcversion = TAKE(f->srcversion);
	d->tree = f->is_intree ? DRIVER_IN_TREE : DRIVER_OUT_OF_TREE;
	return set_source(d, "%s", path);
}

/* Of a driver that is not loaded, or of which that is not known, the file that would be. */
static int ask_modules(const struct host *h, struct driver *d)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	const struct modules *m = NULL;
	int r = modules_get(h, &m, NULL);

	if (r == 0)
		r = modules_lookup(m, d->module, &info, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	/* A module has a version as well, and of a copied tree the rest of it may be missing. */
	if (info.state == MODULES_BUILTIN && d->version && host_is_partial(h) &&
	    parse_has_prefix(info.source, "/sys/"))
		return 0;
	if (info.state == MODULES_BUILTIN) {
		d->tree = DRIVER_IN_TREE;
		return set_source(d, "%s", info.source);
	}
	r = info.state == MODULES_LOADABLE ? modules_inspect(m, &info, &f, NULL) : -ENOENT;
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	return take_file(d, &f, info.source);
}

/* What the driver says of itself, where it says anything: "" otherwise. */
static int ask_loaded(const struct host *h, const char *interface, struct drvinfo *ret)
{
	int r = interface ? drvinfo_read(h, interface, ret, NULL) : -ENODATA;

	if (r < 0 || strcmp(ret->version, "N/A") == 0)
		ret->version[0] = '\0';
	return r == -ENOMEM ? r : 0;
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

/*
 * Can the loaded module be of this file?  It is of the running kernel, and what is loaded, of
 * which a driver without a version of its own tells the kernel's release, says nothing else.
 */
static bool may_be_loaded(const struct driver *d, const struct modules_file *f,
			  const struct drvinfo *loaded, const char *release)
{
	const char *version = f->version ? f->version : release;
	size_t len = strlen(release);

	if (!f->vermagic || strncmp(f->vermagic, release, len) != 0 ||
	    (f->vermagic[len] != ' ' && f->vermagic[len] != '\0'))
		return false;
	if (differ(d->version, f->version) || differ(d->srcversion, f->srcversion))
		return false;
	return loaded->version[0] == '\0' ||
	       strncmp(loaded->version, version, strlen(version)) == 0;
}

/* Of a host of which only texts were sent. */
static int ask_modinfo(const struct host *h, const char *interface, struct driver *d)
{
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	AUTO_BUF struct buf source = { 0 };
	struct drvinfo loaded = { 0 };
	const struct kernel *k = NULL;
	int r = modules_told(h, d->module, &f, NULL);

	if (r == 0)
		r = kernel_get(h, &k, NULL);
	if (r == 0)
		r = ask_loaded(h, interface, &loaded);
	if (r == 0 && !may_be_loaded(d, &f, &loaded, k->release))
		r = -ENODATA;
	buf_printf(&source, "modinfo %s", d->module);
	if (r < 0 || buf_error(&source) < 0)
		return r == -ENOMEM || buf_error(&source) < 0 ? -ENOMEM : 0;
	return take_file(d, &f, buf_text(&source));
}

/*
 * "5.1.0-k": "-k" is the mark of Intel's drivers in the kernel's tree.  A release of the kernel
 * tells no tree: a driver of any that has no version is told with it.
 */
static int ask_ethtool(const struct host *h, const char *interface, struct driver *d)
{
	struct drvinfo info = { 0 };
	const struct kernel *k = NULL;
	int r = drvinfo_read(h, interface, &info, NULL);

	if (r < 0 || !info.version[0] || strcmp(info.version, "N/A") == 0)
		return r == -ENOMEM ? r : 0;
	r = kernel_get(h, &k, NULL);
	if (r == -ENOMEM || r < 0 || strcmp(info.version, k->release) == 0)
		return r == -ENOMEM ? r : 0;
	if (!d->version)
		d->version = strdup(info.version);
	if (!d->version)
		return -ENOMEM;
	if (strstr(info.version, "-k"))
		d->tree = DRIVER_IN_TREE;
	return set_source(d, "ethtool -i %s", interface);
}

int driver_read(const struct host *h, const char *name, const char *interface, struct driver *ret,
		struct error *e)
{
	AUTO_DRIVER struct driver d = { .module = module_of(h, name) };
	int r = d.module ? ask_kernel(h, &d) : -ENOMEM;

	if (r == 0 && d.tree == DRIVER_TREE_UNKNOWN && d.error == 0)
		r = ask_modules(h, &d);
	if (r == 0 && d.tree == DRIVER_TREE_UNKNOWN && d.error == 0)
		r = ask_modinfo(h, interface, &d);
	if (r == 0 && d.tree == DRIVER_TREE_UNKNOWN && !d.version && interface)
		r = ask_ethtool(h, interface, &d);
	if (r < 0)
		return host_nomem(h, e);
	*ret = d;
	d = (struct driver){ 0 };
	return 0;
}

void driver_done(struct driver *d)
{
	free(d->module);
	free(d->version);
	free(d->srcversion);
	free(d->source);
	*d = (struct driver){ 0 };
}

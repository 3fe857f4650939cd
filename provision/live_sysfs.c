/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/pci_regs.h>
#include <string.h>
#include <unistd.h>

#define ATTR_MAX 4096 /* a page (Documentation/filesystems/sysfs.rst) */

int live_sysfs_put(const char *path, const char *text)
{
	AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	/* One write: an attribute takes each as a whole value. */
	n = write(fd, text, strlen(text));
	return n < 0 ? -errno : (size_t)n == strlen(text) ? 0 : -EIO;
}

static int get(const char *path, char ret[ATTR_MAX + 1])
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, ATTR_MAX);

	if (n < 0)
		return -errno;
	while (n > 0 && (ret[n - 1] == '\n' || ret[n - 1] == ' '))
		n--;
	ret[n] = '\0';
	return 0;
}

int live_sysfs_link(const char *path, struct buf *ret)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	buf_clear(ret);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	buf_puts(ret, parse_base_name(target));
	return buf_error(ret);
}

int live_sysfs_vf(const struct live_target *t, struct buf *ret, struct error *e)
{
	AUTO_BUF struct buf link = { 0 };
	AUTO_BUF struct buf bdf = { 0 };
	int r;

	buf_printf(&link, "%s/virtfn%u", t->pf->sysfs, t->vf);
	r = live_sysfs_link(buf_text(&link), &bdf);
	if (r < 0)
		return error_set(e, r, "VF %u of %s: %s: %s", t->vf, t->pf->bdf, buf_text(&link),
				 strerror(-r));
	buf_clear(ret);
	buf_printf(ret, "/sys/bus/pci/devices/%s", buf_text(&bdf));
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

/* The first name in a directory; -ENOENT: it is empty, or not there. */
static int first_name(const char *path, const char *prefix, struct buf *ret)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	int r = -ENOENT;

	buf_clear(ret);
	while (dir && r < 0 && (d = readdir(dir))) {
		if (d->d_name[0] == '.' || !parse_has_prefix(d->d_name, prefix))
			continue;
		buf_puts(ret, d->d_name);
		r = buf_error(ret);
	}
	if (dir)
		(void)closedir(dir);
	return r;
}

/*
 * The folder of a function's interfaces: of virtio one level below the PCI function
 * (drivers/virtio/virtio_pci_common.c).
 */
static void net_folder(const char *device, struct buf *ret)
{
	AUTO_BUF struct buf virtio = { 0 };

	buf_clear(ret);
	buf_printf(ret, "%s/net", device);
	if (access(buf_text(ret), F_OK) == 0 || first_name(device, "virtio", &virtio) < 0)
		return;
	buf_clear(ret);
	buf_printf(ret, "%s/%s/net", device, buf_text(&virtio));
}

int live_sysfs_vf_netdev(const struct live_target *t, struct buf *ret, struct error *e)
{
	AUTO_BUF struct buf device = { 0 };
	AUTO_BUF struct buf path = { 0 };
	int r = live_sysfs_vf(t, &device, e);

	if (r < 0)
		return r;
	net_folder(buf_text(&device), &path);
	r = first_name(buf_text(&path), "", ret);
	/* It comes when the driver is ready, which may be after it was bound. */
	return r == -ENOENT ? error_set(e, -EAGAIN, "VF %u of %s has no network interface here",
					t->vf, t->pf->bdf)
	       : r < 0	    ? error_set(e, r, "%s: %s", buf_text(&path), strerror(-r))
			    : 0;
}

static int read_index(const char *folder, const char *name, int *ret)
{
	AUTO_BUF struct buf path = { 0 };
	char text[ATTR_MAX + 1];
	uint64_t index;
	int r;

	buf_printf(&path, "%s/%s/ifindex", folder, name);
	r = get(buf_text(&path), text);
	if (r == 0)
		r = parse_u64(text, 10, INT_MAX, &index);
	if (r == 0)
		*ret = (int)index;
	return r;
}

/* By its function, as names change: udev gives others, and a card may take that of another. */
int live_sysfs_index(const struct live_target *t, int *ret, struct error *e)
{
	AUTO_BUF struct buf folder = { 0 };
	int r = -ENODEV;

	net_folder(t->pf->sysfs, &folder);
	if (t->pf->netdev)
		r = read_index(buf_text(&folder), t->pf->netdev, ret);
	return r < 0 ? error_set(e, r, "%s has no network interface%s%s here any more", t->pf->bdf,
				 t->pf->netdev ? " " : "", t->pf->netdev ? t->pf->netdev : "")
		     : 0;
}

int live_sysfs_vf_index(const struct live_target *t, int *ret, struct error *e)
{
	AUTO_BUF struct buf device = { 0 }, folder = { 0 }, name = { 0 };
	int r = live_sysfs_vf_netdev(t, &name, e);

	if (r == 0)
		r = live_sysfs_vf(t, &device, e);
	if (r < 0)
		return r;
	net_folder(buf_text(&device), &folder);
	r = read_index(buf_text(&folder), buf_text(&name), ret);
	return r < 0 ? error_set(e, r, "%s: %s", buf_text(&name), strerror(-r)) : 0;
}

/* The two numbers of a PF that are files. */
static const char *file_of(enum setting s)
{
	return s == SETTING_VFS ? "sriov_numvfs" : "sriov_drivers_autoprobe";
}

/* A driver may make fewer than it was asked for, and tell of no error (sriov_numvfs_store()). */
static int require_made(const struct live_target *t, uint64_t asked, struct error *e)
{
	struct setting_value made = { 0 };
	int r = live_sysfs_read_vfs(t, &made, e);

	if (r < 0 || made.number >= asked)
		return r;
	return error_set(e, -ENOBUFS,
			 "the driver made %llu VFs of %llu without an error; ask for as many, or "
			 "look for what holds the card's resources",
			 (unsigned long long)made.number, (unsigned long long)asked);
}

int live_sysfs_write_number(const struct live_target *t, const struct setting_value *v,
			    struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_BUF struct buf text = { 0 };
	int r;

	buf_printf(&path, "%s/%s", t->pf->sysfs, file_of(t->what));
	buf_printf(&text, "%llu", (unsigned long long)v->number);
	r = live_sysfs_put(buf_text(&path), buf_text(&text));
	if (r < 0)
		return error_set(e, r, "%s written to %s", buf_text(&text), buf_text(&path));
	return t->what == SETTING_VFS ? require_made(t, v->number, e) : 0;
}

int live_sysfs_read_number(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	char text[ATTR_MAX + 1];
	uint64_t number;
	int r;

	buf_printf(&path, "%s/%s", t->pf->sysfs, file_of(t->what));
	r = get(buf_text(&path), text);
	if (r == 0)
		r = parse_u64(text, 10, UINT64_MAX, &number);
	if (r < 0)
		return error_set(e, r, "%s: %s", buf_text(&path), strerror(-r));
	*ret = setting_number(number);
	return 0;
}

/* By the functions that are there, not by the file, which says what the driver claims. */
int live_sysfs_read_vfs(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	struct live_target vf = *t;
	AUTO_BUF struct buf path = { 0 };
	uint32_t n = 0;
	int r;

	/* What is no PCI function has no links (drivers/net/netdevsim). */
	if (!parse_has_prefix(t->pf->sysfs, "/sys/bus/pci/"))
		return live_sysfs_read_number(t, ret, e);
	for (vf.vf = 0; (r = live_sysfs_vf(&vf, &path, e)) == 0; vf.vf++, n++)
		if (access(buf_text(&path), F_OK) < 0)
			return error_set(e, -EAGAIN, "VF %u of %s is on its way", vf.vf,
					 t->pf->bdf);
	/* That there is no such link is the end; any other failure tells nothing of a count. */
	if (r != -ENOENT)
		return r;
	*ret = setting_number(n);
	return 0;
}

int live_sysfs_write_override(const struct live_target *t, const struct setting_value *v,
			      struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	int r = live_sysfs_vf(t, &path, e);

	if (r < 0)
		return r;
	buf_puts(&path, "/driver_override");
	/* An empty line takes it away (Documentation/ABI/testing/sysfs-bus-pci). */
	r = live_sysfs_put(buf_text(&path), v->name[0] ? v->name : "\n");
	return r < 0 ? error_set(e, r, "\"%s\" written to %s", v->name, buf_text(&path)) : 0;
}

int live_sysfs_read_override(const struct live_target *t, struct setting_value *ret,
			     struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	char text[ATTR_MAX + 1];
	int r = live_sysfs_vf(t, &path, e);

	if (r < 0)
		return r;
	buf_puts(&path, "/driver_override");
	r = get(buf_text(&path), text);
	if (r < 0)
		return error_set(e, r, "%s: %s", buf_text(&path), strerror(-r));
	/* What drivers/pci/pci-sysfs.c prints of a null pointer. */
	return setting_text(strcmp(text, "(null)") == 0 ? "" : text, ret);
}

int live_sysfs_write_msix(const struct live_target *t, const struct setting_value *v,
			  struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_BUF struct buf text = { 0 };
	int r = live_sysfs_vf(t, &path, e);

	if (r < 0)
		return r;
	buf_puts(&path, "/sriov_vf_msix_count");
	buf_printf(&text, "%llu", (unsigned long long)v->number);
	r = live_sysfs_put(buf_text(&path), buf_text(&text));
	return r < 0 ? error_set(e, r, "%s written to %s", buf_text(&text), buf_text(&path)) : 0;
}

/*
 * The MSI-X table of the VF is as long as it was told to be; of that, pfstate_vectors() makes
 * the same number as for who looks first.
 */
int live_sysfs_read_msix(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	uint8_t space[PCI_CFG_SPACE_SIZE];
	AUTO_CLOSE int fd = -1;
	struct pciconf conf;
	uint64_t n = 0;
	int r = live_sysfs_vf(t, &path, e);

	if (r < 0)
		return r;
	buf_puts(&path, "/config");
	fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, space, sizeof(space)) != sizeof(space))
		return error_set(e, -EIO, "%s: cannot be read as a whole", buf_text(&path));
	r = pciconf_parse(space, sizeof(space), &conf, e);
	if (r == 0)
		r = pfstate_vectors(t->pf, &conf, &n);
	if (r < 0)
		return error_set(e, r, "%s: MSI-X: %s", buf_text(&path), pciconf_why(r));
	*ret = setting_number(n);
	return 0;
}

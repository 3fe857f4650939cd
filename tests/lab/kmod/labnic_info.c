/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the card says of itself by devlink: the lines of /sys/kernel/debug/labnic/BDF/info, as
 * "running fw.mgmt 7.3.4", "stored NAME VALUE", "fixed NAME VALUE" and "serial_number TEXT".
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/version.h>
#include <net/devlink.h>

#include "labnic_impl.h"

static int put_line(struct devlink_info_req *req, char *line)
{
	char *kind = strsep(&line, " "), *name;

	if (!line)
		return 0;
	if (!strcmp(kind, "serial_number"))
		return devlink_info_serial_number_put(req, line);
	name = strsep(&line, " ");
	if (!line)
		return 0;
	if (!strcmp(kind, "fixed"))
		return devlink_info_version_fixed_put(req, name, line);
	if (!strcmp(kind, "stored"))
		return devlink_info_version_stored_put(req, name, line);
	return devlink_info_version_running_put(req, name, line);
}

static int labnic_info_get(struct devlink *devlink, struct devlink_info_req *req,
			   struct netlink_ext_ack *extack)
{
	struct labnic *nic = *(struct labnic **)devlink_priv(devlink);
	char *text = kstrdup(nic->info, GFP_KERNEL), *rest = text, *line;
	int r = text ? 0 : -ENOMEM;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	if (!r)
		r = devlink_info_driver_name_put(req, nic->pdev->driver->name);
#endif
	while (!r && (line = strsep(&rest, "\n")))
		r = put_line(req, line);
	kfree(text);
	return r;
}

static const struct devlink_ops ops = { .info_get = labnic_info_get };

static ssize_t write_info(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	struct labnic *nic = file->private_data;
	ssize_t n;

	if (*pos == 0)
		memset(nic->info, 0, sizeof(nic->info));
	n = simple_write_to_buffer(nic->info, sizeof(nic->info) - 1, pos, from, len);
	return n == 0 && len > 0 ? -ENOSPC : n;
}

static const struct file_operations info_file = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_info,
};

int labnic_info_add(struct labnic *nic)
{
	nic->devlink = devlink_alloc(&ops, sizeof(nic), &nic->pdev->dev);
	if (!nic->devlink)
		return -ENOMEM;
	*(struct labnic **)devlink_priv(nic->devlink) = nic;
	debugfs_create_file("info", 0200, nic->directory, nic, &info_file);
	devlink_register(nic->devlink);
	return 0;
}

void labnic_info_remove(struct labnic *nic)
{
	if (!nic->devlink)
		return;
	devlink_unregister(nic->devlink);
	devlink_free(nic->devlink);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A driver for VFs that does nothing but be bound, or with fail=ERRNO refuse to be. It binds to
 * nothing by itself: write its name to driver_override.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/pci.h>

static unsigned int fail;
module_param(fail, uint, 0644);
MODULE_PARM_DESC(fail, "errno with which it refuses every VF; 0: none");

static int labvf_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	if (!pdev->is_virtfn)
		return -ENODEV;
	return -(int)fail;
}

static void labvf_remove(struct pci_dev *pdev)
{
}

static const struct pci_device_id no_ids[] = { {} };

static struct pci_driver labvf_driver = {
	.name = "labvf",
	.id_table = no_ids,
	.probe = labvf_probe,
	.remove = labvf_remove,
};
module_pci_driver(labvf_driver);

MODULE_DESCRIPTION("Driver of synthetic VFs");
MODULE_LICENSE("GPL");

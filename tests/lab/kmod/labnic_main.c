/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The driver of functions of labpci: makes VFs as a card's firmware would let it, or refuses.
 * How, the function says in its registers (labnic.h), and /sys/kernel/debug/labnic/BDF changes.
 * It binds to nothing by itself: write its name to driver_override.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "labnic.h"
#include "labnic_impl.h"

static char *name = "labnic";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "name of the driver: that of another shows what is known of that one");

static bool devlink;
module_param(devlink, bool, 0444);
MODULE_PARM_DESC(devlink, "the cards tell of their firmware by devlink");

static struct dentry *directory;

static u16 setting(const struct labnic *nic, int reg)
{
	u16 value = 0;

	pci_read_config_word(nic->pdev, nic->mailbox + reg, &value);
	return value;
}

/* --- vectors of VFs ------------------------------------------------------------------------ */

static u32 labnic_total_vectors(struct pci_dev *pdev)
{
	struct labnic *nic = pci_get_drvdata(pdev);

	return nic->pool;
}

static u32 given_vectors(const struct labnic *nic)
{
	int i, total = pci_num_vf(nic->pdev);
	u32 sum = 0;

	for (i = 0; i < total; i++)
		sum += nic->vfs[i].vectors;
	return sum;
}

/* With @n 0 the VF has those that it was made with. */
static void give_vectors(struct labnic *nic, int i, u32 n)
{
	nic->vfs[i].vectors = n;
	pci_write_config_word(nic->pdev, nic->mailbox + LABNIC_VF, i);
	pci_write_config_word(nic->pdev, nic->mailbox + LABNIC_VECTORS, n);
}

static int labnic_set_vectors(struct pci_dev *vf_dev, int n)
{
	struct pci_dev *pdev = pci_physfn(vf_dev);
	struct labnic *nic = pci_get_drvdata(pdev);
	int i = pci_iov_vf_id(vf_dev);

	if (!nic->pool)
		return -EOPNOTSUPP;
	if (n > nic->pool - (given_vectors(nic) - nic->vfs[i].vectors)) {
		pci_err(pdev, "%d vectors for VF %d are more than the pool has left\n", n, i);
		return -ENOSPC;
	}
	give_vectors(nic, i, n);
	return 0;
}

/* --- VFs --------------------------------------------------------------------------------- */

/* As a command that the firmware does not end: cannot be interrupted, not even killed. */
static void wait_for_firmware(struct labnic *nic)
{
	if (READ_ONCE(nic->block))
		pci_info(nic->pdev, "waiting for a command of the firmware\n");
	while (READ_ONCE(nic->block))
		msleep(50);
}

static int remove_vfs(struct labnic *nic)
{
	int i, n = pci_num_vf(nic->pdev);

	if (pci_vfs_assigned(nic->pdev))
		return -EPERM;
	pci_disable_sriov(nic->pdev);
	for (i = 0; i < n; i++)
		give_vectors(nic, i, 0);
	return 0;
}

static int labnic_sriov_configure(struct pci_dev *pdev, int n)
{
	struct labnic *nic = pci_get_drvdata(pdev);
	int r;

	wait_for_firmware(nic);
	if (n == 0)
		return remove_vfs(nic);
	if (nic->again) {
		nic->again--;
		pci_info(pdev, "the device is being reset, try again\n");
		return -EAGAIN;
	}
	if (nic->fail) {
		pci_err(pdev, "the firmware refuses %d VFs: error %u\n", n, nic->fail);
		return -(int)nic->fail;
	}
	if (nic->grant && n > nic->grant)
		n = nic->grant;
	r = pci_enable_sriov(pdev, n);
	return r < 0 ? r : n;
}

/* --- the function itself ---------------------------------------------------------------------- */

static int find_mailbox(struct pci_dev *pdev)
{
	u32 header = 0;
	u16 at = 0;

	while ((at = pci_find_next_ext_capability(pdev, at, PCI_EXT_CAP_ID_VNDR))) {
		pci_read_config_dword(pdev, at + PCI_VNDR_HEADER, &header);
		if (PCI_VNDR_HEADER_ID(header) == LABNIC_VSEC_ID)
			return at;
	}
	return 0;
}

static void add_files(struct labnic *nic)
{
	nic->grant = setting(nic, LABNIC_GRANT);
	nic->again = setting(nic, LABNIC_AGAIN);
	nic->fail = setting(nic, LABNIC_FAIL);
	nic->block = setting(nic, LABNIC_BLOCK);
	nic->pool = setting(nic, LABNIC_POOL);
	nic->directory = debugfs_create_dir(pci_name(nic->pdev), directory);
	debugfs_create_u32("grant", 0600, nic->directory, &nic->grant);
	debugfs_create_u32("again", 0600, nic->directory, &nic->again);
	debugfs_create_u32("fail", 0600, nic->directory, &nic->fail);
	debugfs_create_u32("block", 0600, nic->directory, &nic->block);
	debugfs_create_u32("pool", 0600, nic->directory, &nic->pool);
}

/*
 * Switched on for who looks at the capability; that no interrupt comes of a table that leads
 * nowhere is in the nature of these functions.
 */
static int switch_on(struct pci_dev *pdev)
{
	int r = pcim_enable_device(pdev);

	if (r < 0)
		return r;
	pci_set_master(pdev);
	if (pci_msix_vec_count(pdev) < 0)
		return 0;
	r = pci_alloc_irq_vectors(pdev, 1, 2, PCI_IRQ_MSIX);
	return r < 0 ? r : 0;
}

static int labnic_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	int total = pci_sriov_get_totalvfs(pdev), lowered, r;
	struct labnic *nic;

	nic = devm_kzalloc(&pdev->dev, sizeof(*nic), GFP_KERNEL);
	if (!nic)
		return -ENOMEM;
	nic->pdev = pdev;
	nic->mailbox = find_mailbox(pdev);
	nic->vfs = devm_kcalloc(&pdev->dev, max(total, 1), sizeof(*nic->vfs), GFP_KERNEL);
	if (!nic->mailbox || !nic->vfs)
		return nic->mailbox ? -ENOMEM : -ENODEV;
	r = switch_on(pdev);
	if (r < 0)
		return r;
	lowered = setting(nic, LABNIC_TOTAL);
	if (lowered) {
		r = pci_sriov_set_totalvfs(pdev, lowered);
		if (r < 0)
			return r;
	}
	pci_set_drvdata(pdev, nic);
	nic->port = setting(nic, LABNIC_PORT);
	if (setting(nic, LABNIC_NETDEV)) {
		r = labnic_net_add(nic);
		if (r < 0)
			return r;
	}
	add_files(nic);
	return devlink ? labnic_info_add(nic) : 0;
}

static void labnic_remove(struct pci_dev *pdev)
{
	struct labnic *nic = pci_get_drvdata(pdev);

	pci_disable_sriov(pdev);
	labnic_info_remove(nic);
	debugfs_remove_recursive(nic->directory);
	labnic_net_remove(nic);
	pci_free_irq_vectors(pdev);
}

static const struct pci_device_id no_ids[] = { {} };

static struct pci_driver driver = {
	.id_table = no_ids,
	.probe = labnic_probe,
	.remove = labnic_remove,
	.sriov_configure = labnic_sriov_configure,
	.sriov_get_vf_total_msix = labnic_total_vectors,
	.sriov_set_msix_vec_count = labnic_set_vectors,
};

static int __init labnic_init(void)
{
	int r;

	driver.name = name;
	directory = debugfs_create_dir("labnic", NULL);
	r = pci_register_driver(&driver);
	if (r < 0)
		debugfs_remove_recursive(directory);
	return r;
}

static void __exit labnic_exit(void)
{
	pci_unregister_driver(&driver);
	debugfs_remove_recursive(directory);
}

module_init(labnic_init);
module_exit(labnic_exit);
MODULE_DESCRIPTION("Driver of synthetic functions with VFs");
MODULE_LICENSE("GPL");

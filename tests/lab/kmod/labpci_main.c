/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /sys/kernel/debug/labpci/topology: what is written there at once replaces the hierarchy that
 * is there, and nothing but white space ends it. A hierarchy with VFs on stays (EBUSY).
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "labpci.h"

#define TEXT_MAX (256 * 1024)

static DEFINE_MUTEX(lock);
LIST_HEAD(labpci_roots);
static struct dentry *directory;

struct labpci_root *labpci_root_alloc(void)
{
	struct labpci_root *root = kzalloc(sizeof(*root), GFP_KERNEL);

	if (!root)
		return NULL;
	INIT_LIST_HEAD(&root->fns);
	root->keys.node[0] = ~0ULL;
	root->keys.bus[1] = 0xff;
	return root;
}

static void set_default(u64 *values, u64 first, u64 second, u64 third)
{
	values[0] = first;
	values[1] = second;
	values[2] = third;
}

struct labpci_fn *labpci_fn_alloc(enum labpci_kind kind)
{
	struct labpci_fn *fn = kzalloc(sizeof(*fn), GFP_KERNEL);
	struct labpci_keys *k;
	unsigned int i;

	if (!fn)
		return NULL;
	k = &fn->keys;
	fn->kind = kind;
	if (labpci_is_port(fn))
		set_default(k->id, 0x1b36, 0x000c, 0);
	else
		set_default(k->id, 0x8086, 0x10c9, 0);
	k->class[0] =
		labpci_is_port(fn) ? PCI_CLASS_BRIDGE_PCI_NORMAL : PCI_CLASS_NETWORK_ETHERNET << 8;
	set_default(k->speed, 4, ~0ULL, 0);
	set_default(k->width, 16, ~0ULL, 0);
	set_default(k->acs, ~0ULL, ~0ULL, ~0ULL);
	set_default(k->aer, ~0ULL, 0, 0);
	set_default(k->offset, 1, ~0ULL, ~0ULL);
	set_default(k->stride, 1, ~0ULL, ~0ULL);
	k->ari[0] = 1;
	k->initial[0] = ~0ULL;
	k->link[0] = ~0ULL;
	k->vfid[0] = 0x10ca;
	k->pages[0] = 0x553;
	for (i = 0; i < LABPCI_BARS; i++) {
		k->bar[i][1] = 32;
		k->vfbar[i][1] = 32;
	}
	return fn;
}

static void free_root(struct labpci_root *root)
{
	struct labpci_fn *fn, *next;

	list_for_each_entry_safe(fn, next, &root->fns, entry)
	{
		kvfree(fn->space);
		kvfree(fn->vf_space);
		kvfree(fn->vfs);
		kfree(fn);
	}
	kfree(root);
}

void labpci_free(struct list_head *list)
{
	struct labpci_root *root, *next;

	list_for_each_entry_safe(root, next, list, entry)
	{
		labpci_root_remove(root);
		list_del_rcu(&root->entry);
		synchronize_rcu();
		free_root(root);
	}
}

static bool any_vfs(struct list_head *list)
{
	struct labpci_root *root;
	struct labpci_fn *fn;

	list_for_each_entry(root, list, entry)
		list_for_each_entry(fn, &root->fns, entry) if (labpci_has_vfs(fn)) return true;
	return false;
}

static int replace(char *text)
{
	LIST_HEAD(parsed);
	struct labpci_root *root, *next;
	int r = labpci_parse(text, &parsed);

	if (r == 0 && any_vfs(&labpci_roots))
		r = -EBUSY;
	if (r < 0) {
		labpci_free(&parsed);
		return r;
	}
	labpci_free(&labpci_roots);
	list_for_each_entry_safe(root, next, &parsed, entry)
	{
		list_del(&root->entry);
		list_add_tail_rcu(&root->entry, &labpci_roots);
		r = labpci_root_add(root);
		if (r < 0)
			break;
	}
	labpci_free(&parsed);
	if (r < 0)
		labpci_free(&labpci_roots);
	return r;
}

static ssize_t topology_write(struct file *file, const char __user *user, size_t n, loff_t *at)
{
	char *text;
	int r;

	if (n > TEXT_MAX)
		return -EFBIG;
	text = kvzalloc(n + 1, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	if (copy_from_user(text, user, n)) {
		kvfree(text);
		return -EFAULT;
	}
	mutex_lock(&lock);
	r = replace(text);
	mutex_unlock(&lock);
	kvfree(text);
	return r < 0 ? r : n;
}

static const struct file_operations topology = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = topology_write,
};

static int __init labpci_init(void)
{
	directory = debugfs_create_dir("labpci", NULL);
	debugfs_create_file("topology", 0200, directory, NULL, &topology);
	return 0;
}

static void __exit labpci_exit(void)
{
	debugfs_remove_recursive(directory);
	labpci_free(&labpci_roots);
}

module_init(labpci_init);
module_exit(labpci_exit);
MODULE_DESCRIPTION("Synthetic PCI hierarchies");
MODULE_LICENSE("GPL");

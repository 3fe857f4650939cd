/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text: one bridge, port or function a line, as KIND NAME KEY=VALUE...; "#" begins a
 * comment. A value is up to three numbers, in C's notation or with K, M or G, with one of
 * "/:.-" between them. What is plugged where is said by on=NAME.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "labpci.h"

struct known_key {
	const char *name;
	size_t offset;
};

#define KEY(struct_name, key_name)                                \
	{                                                         \
#key_name, offsetof(struct struct_name, key_name) \
	}
#define BAR(prefix, n)                                              \
	{                                                           \
#prefix #n, offsetof(struct labpci_keys, prefix[n]) \
	}

static const struct known_key root_keys[] = {
	KEY(labpci_root_keys, domain), KEY(labpci_root_keys, node), KEY(labpci_root_keys, bus),
	KEY(labpci_root_keys, mem),    KEY(labpci_root_keys, pref), KEY(labpci_root_keys, below),
};

static const struct known_key fn_keys[] = {
	KEY(labpci_keys, at),
	KEY(labpci_keys, id),
	KEY(labpci_keys, sub),
	KEY(labpci_keys, class),
	KEY(labpci_keys, speed),
	KEY(labpci_keys, width),
	KEY(labpci_keys, acs),
	KEY(labpci_keys, aer),
	KEY(labpci_keys, ari),
	KEY(labpci_keys, bus),
	KEY(labpci_keys, mem),
	KEY(labpci_keys, pref),
	KEY(labpci_keys, msix),
	KEY(labpci_keys, vfs),
	KEY(labpci_keys, initial),
	KEY(labpci_keys, migration),
	KEY(labpci_keys, link),
	KEY(labpci_keys, offset),
	KEY(labpci_keys, stride),
	KEY(labpci_keys, vfid),
	KEY(labpci_keys, pages),
	KEY(labpci_keys, vfmsix),
	KEY(labpci_keys, total),
	KEY(labpci_keys, grant),
	KEY(labpci_keys, again),
	KEY(labpci_keys, fail),
	KEY(labpci_keys, block),
	KEY(labpci_keys, pool),
	KEY(labpci_keys, netdev),
	KEY(labpci_keys, port),
	BAR(bar, 0),
	BAR(bar, 1),
	BAR(bar, 2),
	BAR(bar, 3),
	BAR(bar, 4),
	BAR(bar, 5),
	BAR(vfbar, 0),
	BAR(vfbar, 1),
	BAR(vfbar, 2),
	BAR(vfbar, 3),
	BAR(vfbar, 4),
	BAR(vfbar, 5),
};

static const char *const kinds[] = {
	[LABPCI_ROOT_PORT] = "rootport",
	[LABPCI_UPSTREAM] = "upstream",
	[LABPCI_DOWNSTREAM] = "downstream",
	[LABPCI_FUNCTION] = "function",
};

/* Fewer numbers than before leave the others as they are. */
static int parse_values(const char *text, u64 *values)
{
	unsigned int n = 0;
	char *end;

	for (;;) {
		u64 value = memparse(text, &end);

		if (end == text || n == LABPCI_VALUES)
			return -EINVAL;
		values[n++] = value;
		if (*end == '\0')
			return 0;
		if (!strchr("/:.-", *end))
			return -EINVAL;
		text = end + 1;
	}
}

static int parse_key(char *word, const struct known_key *keys, size_t n_keys, void *values)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	for (i = 0; i < n_keys; i++)
		if (strcmp(word, keys[i].name) == 0)
			return parse_values(value, (u64 *)((char *)values + keys[i].offset));
	return -EINVAL;
}

/* The next word of the line; NULL at its end. */
static char *next_word(char **line)
{
	char *word;

	do {
		word = strsep(line, " \t\r");
	} while (word && *word == '\0');
	return word;
}

static int parse_name(char **line, char *ret)
{
	char *word = next_word(line);

	return word && strscpy(ret, word, LABPCI_NAME) > 0 ? 0 : -EINVAL;
}

static int parse_root(char *line, bool is_below, struct list_head *roots)
{
	struct labpci_root *root = labpci_root_alloc();
	char *word;
	int r;

	if (!root)
		return -ENOMEM;
	list_add_tail(&root->entry, roots);
	root->is_below = is_below;
	r = parse_name(&line, root->name);
	while (r == 0 && (word = next_word(&line)))
		r = parse_key(word, root_keys, ARRAY_SIZE(root_keys), &root->keys);
	if (r == 0 && (root->keys.bus[0] > root->keys.bus[1] || root->keys.bus[1] > 0xff))
		r = -EINVAL;
	return r;
}

/* What is named may be a root or a port. */
static int plug(struct labpci_fn *fn, const char *name, struct list_head *roots)
{
	struct labpci_root *root;
	struct labpci_fn *port;

	list_for_each_entry(root, roots, entry)
	{
		if (strcmp(root->name, name) == 0)
			fn->root = root;
		list_for_each_entry(port, &root->fns, entry)
		{
			if (!labpci_is_port(port) || strcmp(port->name, name) != 0)
				continue;
			fn->root = root;
			fn->parent = port;
		}
		if (fn->root)
			return 0;
	}
	return -EINVAL;
}

static int check_fn(struct labpci_fn *fn)
{
	const struct labpci_keys *k = &fn->keys;
	unsigned int i;

	if (!fn->root || k->at[0] > 31 || k->at[1] > 7 || k->vfs[0] > 0xffff)
		return -EINVAL;
	fn->devfn = PCI_DEVFN(k->at[0], k->at[1]);
	if (k->bus[0] > k->bus[1] || k->bus[1] > 0xff)
		return -EINVAL;
	for (i = 0; i < LABPCI_BARS; i++)
		if ((k->bar[i][0] && !is_power_of_2(k->bar[i][0])) ||
		    (k->vfbar[i][0] && !is_power_of_2(k->vfbar[i][0])))
			return -EINVAL;
	return 0;
}

static int parse_fn(char *line, enum labpci_kind kind, struct list_head *roots)
{
	struct labpci_fn *fn = labpci_fn_alloc(kind);
	char *word;
	int r;

	if (!fn)
		return -ENOMEM;
	r = parse_name(&line, fn->name);
	while (r == 0 && (word = next_word(&line))) {
		if (strncmp(word, "on=", 3) == 0)
			r = plug(fn, word + 3, roots);
		else
			r = parse_key(word, fn_keys, ARRAY_SIZE(fn_keys), &fn->keys);
	}
	if (r == 0)
		r = check_fn(fn);
	if (r == 0)
		list_add_tail(&fn->entry, &fn->root->fns);
	else
		kfree(fn);
	return r;
}

static int parse_line(char *line, struct list_head *roots)
{
	char *kind;
	int i;

	line[strcspn(line, "#")] = '\0';
	kind = next_word(&line);
	if (!kind)
		return 0;
	if (strcmp(kind, "host") == 0 || strcmp(kind, "below") == 0)
		return parse_root(line, *kind == 'b', roots);
	i = match_string(kinds, ARRAY_SIZE(kinds), kind);
	return i < 0 ? -EINVAL : parse_fn(line, i, roots);
}

int labpci_parse(char *text, struct list_head *roots)
{
	unsigned int number = 1;
	char *line;
	int r;

	for (; (line = strsep(&text, "\n")); number++) {
		r = parse_line(line, roots);
		if (r == -EINVAL)
			pr_err("labpci: line %u of the topology is wrong\n", number);
		if (r < 0)
			return r;
	}
	return 0;
}

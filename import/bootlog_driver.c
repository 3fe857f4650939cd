/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which driver has a function, by its own messages.  Its name stands before them from the
 * beginning of its probe on, which may fail without a word (-ENODEV): only what is said of an
 * interface, or by code that a driver has called when it was done, shows that it went on.
 */
#include "bootlog.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the kernel that print a name of their own before an address. */
static bool is_driver(const char *name, size_t len)
{
	static const char *const others[] = { "pci", "iommu",  "DMAR",	   "AMD-Vi", "vgaarb",
					      "PM",  "device", "platform", "from",   "for" };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strlen(others[i]) == len && strncmp(others[i], name, len) == 0)
			return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_-", name[i]))
			return false;
	return len > 1;
}

/* "eth0: renamed ...", " eno1: NIC Link is Up": a name of an interface, and more. */
static bool names_interface(const char *text, const char **ret, size_t *ret_len)
{
	const char *p = text_after(text, ": ");
	size_t len;

	p = p ? p : text_after(text, " ");
	if (!p)
		return false;
	len = strcspn(p, ": ");
	if (len == 0 || len > 15 || p[len] != ':' || p[len + 1] != ' ')
		return false;
	*ret = p;
	*ret_len = len;
	/* A driver's own topics are not names with a number at their end or inside. */
	return text_after(text, " ") || parse_has_prefix(p, "eth");
}

static bool is_any(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

static bool shows_work(const char *text)
{
	static const char *const words[] = {
		"renamed from ",
		"available PCIe bandwidth",
		"not enough MMIO resources for SR-IOV",
		"Using MSI-X interrupts",
		"added PHC on ",
		"Port module event",
		"MLX5E: ",
		"Features: PF-id",
	};

	return is_any(text, words, ARRAY_SIZE(words));
}

static bool shows_failure(const char *text)
{
	static const char *const words[] = { ": probe with driver ", "probe failed",
					     "failed with error", "can't reserve " };

	return is_any(text, words, ARRAY_SIZE(words));
}

static void keep_interface(struct bootlog *l, struct function *f, const char *name, size_t len)
{
	free(TAKE(f->netdev));
	functions_keep(&l->i->functions, &f->netdev, name, len);
}

/*
 * "NIC Link is Up 10 Gbps", "igb: eno1 NIC Link is Down", "Link up": each driver has words of
 * its own, of which the last ones count.
 */
static void take_carrier(struct function *f, const char *text)
{
	static const char *const up[] = { "Link is Up", "Link is up", ": Link up" };
	static const char *const down[] = { "Link is Down", "Link is down", ": Link down",
					    "Cable unplugged" };

	if (is_any(text, up, ARRAY_SIZE(up)))
		f->carrier = FUNCTION_PRESENT;
	else if (is_any(text, down, ARRAY_SIZE(down)))
		f->carrier = FUNCTION_ABSENT;
}

void bootlog_take_driver(struct bootlog *l, struct function *f, const char *driver, size_t len,
			 const char *text)
{
	const char *name = NULL;
	size_t name_len = 0;
	bool has_name;

	if (!is_driver(driver, len))
		return;
	if (shows_failure(text)) {
		f->driver_state =
			f->driver_state == FUNCTION_UNKNOWN ? FUNCTION_ABSENT : f->driver_state;
		return;
	}
	has_name = names_interface(text, &name, &name_len);
	if (has_name && strstr(text, "renamed from "))
		keep_interface(l, f, name, name_len);
	take_carrier(f, text);
	if (strstr(text, "Using MSI-X interrupts"))
		f->uses_msix = true;
	/* The core has come to the addresses of VFs, so that there is a capability with some. */
	if (strstr(text, "not enough MMIO resources for SR-IOV"))
		f->totalvfs_state = FUNCTION_PRESENT;
	if (f->driver_state == FUNCTION_UNKNOWN && (has_name || shows_work(text))) {
		AUTO_FREE char *copy = strndup(driver, len);

		if (!copy)
			l->i->error = -ENOMEM;
		else
			function_set_driver(&l->i->functions, f, copy);
	}
}

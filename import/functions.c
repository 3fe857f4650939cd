/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "functions.h"

#include <sriovctl/pciconf.h>

#include <errno.h>
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

static void empty(struct function *f)
{
	free(f->space);
	free(f->known);
	free(f->disputed);
	free(f->title);
	free(f->driver);
	free(f->netdev);
}

static void free_function(struct function *f)
{
	empty(f);
	free(f);
}

void function_forget(struct function *f)
{
	const struct bdf at = f->at;

	empty(f);
	*f = (struct function){ .at = at };
	text_bdf_name(&at, f->name);
}

void functions_done(struct functions *v)
{
	for (size_t i = 0; i < v->n; i++)
		free_function(v->items[i]);
	free(v->items);
	free(v->nameless);
	*v = (struct functions){ 0 };
}

int function_compare(const struct bdf *a, const struct bdf *b)
{
	if (a->domain != b->domain)
		return a->domain < b->domain ? -1 : 1;
	if (a->bus != b->bus)
		return a->bus < b->bus ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

/* Where it is, or would be. */
static size_t place(const struct functions *v, const struct bdf *at)
{
	size_t low = 0, high = v->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (function_compare(&v->items[middle]->at, at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct function *functions_find(const struct functions *v, const struct bdf *at)
{
	size_t i = place(v, at);

	return i < v->n && function_compare(&v->items[i]->at, at) == 0 ? v->items[i] : NULL;
}

static bool has_room(struct functions *v)
{
	size_t size = v->size ? v->size * 2 : 64;
	struct function **items;

	if (v->n < v->size)
		return true;
	items = reallocarray(v->items, size, sizeof(struct function *));
	if (!items)
		return false;
	v->items = items;
	v->size = size;
	return true;
}

struct function *functions_get(struct functions *v, const struct bdf *at)
{
	struct function *f = functions_find(v, at);
	size_t i;

	if (f)
		return f;
	if (v->n == FUNCTIONS_MAX) {
		v->is_full = true;
		return NULL;
	}
	f = calloc(1, sizeof(*f));
	if (!f || !has_room(v)) {
		free(f);
		v->error = -ENOMEM;
		return NULL;
	}
	f->at = *at;
	text_bdf_name(at, f->name);
	i = place(v, at);
	memmove(&v->items[i + 1], &v->items[i], (v->n - i) * sizeof(struct function *));
	v->items[i] = f;
	v->n++;
	return f;
}

/* --- the space -------------------------------------------------------------------------- */

static bool has_space(struct functions *v, struct function *f)
{
	if (!f->space)
		f->space = calloc(1, PCICONF_MAX);
	if (!f->known)
		f->known = calloc(1, PCICONF_MAX);
	if (!f->space || !f->known)
		v->error = -ENOMEM;
	return v->error == 0;
}

static void put(struct functions *v, struct function *f, size_t offset, uint32_t value,
		uint32_t mask)
{
	if (!has_space(v, f))
		return;
	for (; mask && offset < PCICONF_MAX; offset++, value >>= 8, mask >>= 8) {
		uint8_t bits = (uint8_t)(mask & ~(uint32_t)f->known[offset]);

		f->space[offset] = (uint8_t)((f->space[offset] & ~bits) | (value & bits));
	}
}

void function_guess(struct functions *v, struct function *f, size_t offset, uint32_t value,
		    uint32_t mask)
{
	put(v, f, offset, value, mask);
}

void function_fill(struct functions *v, struct function *f, size_t offset, uint32_t value,
		   uint32_t mask)
{
	put(v, f, offset, value, mask);
	for (; v->error == 0 && mask && offset < PCICONF_MAX; offset++, mask >>= 8)
		f->known[offset] |= (uint8_t)(mask & ~(f->disputed ? f->disputed[offset] : 0u));
}

/* Bits of a byte that were told otherwise before: of two moments neither is known. */
static void dispute(struct functions *v, struct function *f, size_t offset, uint8_t bits)
{
	if (bits && !f->disputed)
		f->disputed = calloc(1, PCICONF_MAX);
	if (bits && !f->disputed)
		v->error = -ENOMEM;
	if (!bits || v->error)
		return;
	f->disputed[offset] |= bits;
	f->known[offset] &= (uint8_t)~bits;
}

static void compare(struct functions *v, struct function *f, size_t offset, uint32_t value,
		    uint32_t mask, size_t from)
{
	for (size_t k = 0; f->space && f->known && k < 4 && offset + k < PCICONF_MAX; k++) {
		uint8_t bits = (uint8_t)(value >> 8 * k) ^ f->space[offset + k];

		bits &= f->known[offset + k] & (uint8_t)(mask >> 8 * k);
		if (offset + k >= from)
			dispute(v, f, offset + k, bits);
	}
}

void function_set(struct functions *v, struct function *f, size_t offset, uint32_t value,
		  uint32_t mask)
{
	compare(v, f, offset, value, mask, f->dumped);
	function_fill(v, f, offset, value, mask);
}

void function_retell(struct functions *v, struct function *f, size_t offset, uint32_t value,
		     uint32_t mask)
{
	compare(v, f, offset, value, mask, 0);
	function_fill(v, f, offset, value, mask);
}

bool function_knows(const struct function *f, size_t offset, uint32_t mask)
{
	for (; mask; mask >>= 8, offset++) {
		uint8_t bits = (uint8_t)mask;

		if (bits &&
		    (!f->known || offset >= PCICONF_MAX || (f->known[offset] & bits) != bits))
			return false;
	}
	return true;
}

uint32_t function_get(const struct function *f, size_t offset)
{
	uint32_t value = 0;

	for (size_t i = 4; f->space && i-- > 0;)
		value = value << 8 | (offset + i < PCICONF_MAX ? f->space[offset + i] : 0);
	return value;
}

/* --- facts beside it ---------------------------------------------------------------------- */

void functions_keep(struct functions *v, char **ret, const char *text, size_t len)
{
	if (*ret)
		return;
	*ret = strndup(text, len);
	if (!*ret)
		v->error = -ENOMEM;
}

void function_set_class(struct functions *v, struct function *f, uint32_t class)
{
	if (f->has_class)
		return;
	f->has_class = true;
	f->class = class;
	function_set(v, f, PCI_CLASS_DEVICE, class >> 8, UINT16_MAX);
}

void function_set_ids(struct functions *v, struct function *f, uint16_t vendor, uint16_t device)
{
	if (f->has_ids) {
		f->has_other_ids =
			f->has_other_ids ||
			(!f->ids_by_title && (f->vendor != vendor || f->device != device));
		return;
	}
	f->has_ids = true;
	f->vendor = vendor;
	f->device = device;
	function_set(v, f, PCI_VENDOR_ID, vendor, UINT16_MAX);
	function_set(v, f, PCI_DEVICE_ID, device, UINT16_MAX);
}

void function_set_driver(struct functions *v, struct function *f, const char *name)
{
	size_t len = strcspn(name, " \t,;/");

	if (f->driver_state != FUNCTION_UNKNOWN || len == 0)
		return;
	f->driver_state = FUNCTION_PRESENT;
	functions_keep(v, &f->driver, name, len);
}

void function_tell_driver(struct functions *v, struct function *f, const char *name)
{
	size_t len = strcspn(name, " \t,;/");
	bool is_same = f->driver && strlen(f->driver) == len && strncmp(f->driver, name, len) == 0;

	if (f->driver_state == FUNCTION_ABSENT || (f->driver_by_lspci && !is_same))
		f->has_other_driver = true;
	function_set_driver(v, f, name);
	f->driver_by_lspci = true;
}

void function_deny_driver(struct function *f)
{
	if (f->driver_state == FUNCTION_UNKNOWN)
		f->driver_state = FUNCTION_ABSENT;
	else if (f->driver_state == FUNCTION_PRESENT && f->driver_by_lspci)
		f->has_other_driver = true;
}

void functions_add_nameless(struct functions *v, uint32_t group)
{
	if (v->n_nameless > 0 && v->nameless[v->n_nameless - 1] == group)
		return;
	if (v->n_nameless == v->nameless_size) {
		size_t size = v->nameless_size ? v->nameless_size * 2 : 32;
		uint32_t *items = reallocarray(v->nameless, size, sizeof(*items));

		if (!items) {
			v->error = -ENOMEM;
			return;
		}
		v->nameless = items;
		v->nameless_size = size;
	}
	v->nameless[v->n_nameless++] = group;
}

static int compare_groups(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

void functions_settle_nameless(struct functions *v)
{
	size_t n = 0;

	if (v->n_nameless > 0)
		qsort(v->nameless, v->n_nameless, sizeof(*v->nameless), compare_groups);
	for (size_t k = 0; k < v->n_nameless; k++)
		if (n == 0 || v->nameless[n - 1] != v->nameless[k])
			v->nameless[n++] = v->nameless[k];
	v->n_nameless = n;
}

bool functions_is_nameless(const struct functions *v, uint32_t group)
{
	return v->n_nameless > 0 &&
	       bsearch(&group, v->nameless, v->n_nameless, sizeof(*v->nameless), compare_groups);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Netlink attributes (Linux include/uapi/linux/netlink.h) out of bytes of any alignment,
 * for the decoders of links.h, addresses.h, routes.h ...
 */
#ifndef CHECKS_HOST_LINKS_ATTR_H
#define CHECKS_HOST_LINKS_ATTR_H

#include <sriovctl/base.h>

struct links_item;

struct links_span {
	const uint8_t *at;
	size_t left;
};

struct links_attr {
	uint16_t type;
	struct links_span payload;
};

/* @len bytes and their padding, as far as there are any. */
void links_attr_skip(struct links_span *s, size_t len);
/* Cut the next attribute off; false at the end, and where what is left is none. */
bool links_attr_next(struct links_span *s, struct links_attr *ret);
/* Cut the next message off; as above. */
bool links_attr_message(struct links_span *s, uint16_t *ret_type, struct links_span *ret_payload);
/* The first @len bytes of a payload, which may be longer in newer kernels; 0 or -EBADMSG. */
int links_attr_load(const struct links_attr *a, void *ret, size_t len);

/* A whole string, copied and put in the place of *@ret; -ENOMEM. */
int links_attr_text(const struct links_attr *a, char **ret);

/* What links_parse() itself has no use for; 0, -ENOMEM or -EBADMSG. */
int links_item_load(const struct links_attr *a, struct links_item *item);

/* Of the next attribute; 0: there is none. */
uint16_t links_attr_type(const struct links_span *s);

/*
 * IFLA_VFINFO_LIST, which is next in @s, of a link whose count is known, into its @vfs and
 * @vfs_error; moves @s behind it where that is not negative.  -ENOMEM only.
 */
int links_vf_load(struct links_span *s, struct links_item *item);

#endif

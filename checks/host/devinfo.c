/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/devinfo.h>

#include "host_answer.h"
#include "host_live.h"
#include "links_attr.h"
#include <sriovctl/netlink_ask.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

/* --- asking the kernel -------------------------------------------------------------------- */

/* A card can say what it likes; here a line is one thing, and a name has no blank. */
static void put_clean(struct buf *b, const struct links_attr *a, bool is_name)
{
	size_t len = strnlen((const char *)a->payload.at, a->payload.left);

	for (size_t i = 0; i < len; i++) {
		char c = (char)a->payload.at[i];

		if (c > '\0' && (c < ' ' || c == '\177'))
			c = ' ';
		buf_append(b, is_name && c == ' ' ? "_" : &c, 1);
	}
	buf_rtrim(b);
}

static const char *group_of(uint16_t type)
{
	switch (type) {
	case DEVLINK_ATTR_INFO_VERSION_FIXED:
		return "fixed";
	case DEVLINK_ATTR_INFO_VERSION_RUNNING:
		return "running";
	case DEVLINK_ATTR_INFO_VERSION_STORED:
		return "stored";
	default:
		return NULL;
	}
}

static const char *word_of(uint16_t type)
{
	switch (type) {
	case DEVLINK_ATTR_INFO_DRIVER_NAME:
		return "driver";
	case DEVLINK_ATTR_INFO_SERIAL_NUMBER:
		return "serial_number";
	case DEVLINK_ATTR_INFO_BOARD_SERIAL_NUMBER:
		return "board.serial_number";
	default:
		return NULL;
	}
}

static int put_version(struct buf *ret, const char *group, struct links_span nest)
{
	struct links_attr a, name = { 0 }, value = { 0 };

	while (links_attr_next(&nest, &a)) {
		if (a.type == DEVLINK_ATTR_INFO_VERSION_NAME)
			name = a;
		if (a.type == DEVLINK_ATTR_INFO_VERSION_VALUE)
			value = a;
	}
	if (nest.left > 0 || !name.payload.at || !value.payload.at)
		return -EBADMSG;
	buf_printf(ret, "%s ", group);
	put_clean(ret, &name, true);
	buf_puts(ret, " ");
	put_clean(ret, &value, false);
	buf_puts(ret, "\n");
	return 0;
}

int devinfo_text(const void *data, size_t len, struct buf *ret)
{
	struct links_span s = { .at = data, .left = len }, payload;
	struct links_attr a;
	uint16_t type;
	int r = 0;

	if (!links_attr_message(&s, &type, &payload) || s.left > 0 ||
	    payload.left < sizeof(struct genlmsghdr))
		return -EBADMSG;
	links_attr_skip(&payload, sizeof(struct genlmsghdr));
	while (r == 0 && links_attr_next(&payload, &a)) {
		if (group_of(a.type)) {
			r = put_version(ret, group_of(a.type), a.payload);
		} else if (word_of(a.type)) {
			buf_printf(ret, "%s ", word_of(a.type));
			put_clean(ret, &a, false);
			buf_puts(ret, "\n");
		}
	}
	if (r < 0 || payload.left > 0)
		return -EBADMSG;
	return buf_error(ret);
}

int devinfo_answer(const char *which, struct buf *ret)
{
	static const struct netlink_ask_generic question = {
		.family = DEVLINK_GENL_NAME,
		.command = DEVLINK_CMD_INFO_GET,
		.fill = netlink_ask_devlink,
	};
	AUTO_BUF struct buf answer = { 0 };
	int r = netlink_ask_generic(&question, which, &answer, NULL);

	/* Of a device that its driver did not register. */
	if (r == -ENODEV)
		r = -EOPNOTSUPP;
	return r < 0 ? r : devinfo_text(answer.data, answer.len, ret);
}

/* --- what it said ------------------------------------------------------------------------- */

static int keep(char **ret, const char *text, size_t len)
{
	if (*ret)
		return 0;
	*ret = strndup(text, len);
	return *ret ? 0 : -ENOMEM;
}

static int add_version(struct devinfo *d, enum devinfo_group group, const char *text, size_t len)
{
	const char *blank = memchr(text, ' ', len);
	size_t name = blank ? (size_t)(blank - text) : len;
	struct devinfo_version *grown = reallocarray(d->versions, d->n + 1, sizeof(*grown));
	struct devinfo_version *v;

	if (!grown)
		return -ENOMEM;
	d->versions = grown;
	v = &grown[d->n++];
	*v = (struct devinfo_version){ .group = group };
	v->name = strndup(text, name);
	v->value = blank ? strndup(blank + 1, len - name - 1) : strdup("");
	return v->name && v->value ? 0 : -ENOMEM;
}

static int take_line(struct devinfo *d, const char *line, size_t len)
{
	static const char *const groups[] = {
		[DEVINFO_FIXED] = "fixed ",
		[DEVINFO_RUNNING] = "running ",
		[DEVINFO_STORED] = "stored ",
	};
	const struct {
		const char *word;
		char **to;
	} words[] = {
		{ .word = "driver ", .to = &d->driver },
		{ .word = "serial_number ", .to = &d->serial },
		{ .word = "board.serial_number ", .to = &d->board_serial },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (parse_has_prefix(line, words[i].word))
			return keep(words[i].to, line + strlen(words[i].word),
				    len - strlen(words[i].word));
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (parse_has_prefix(line, groups[i]))
			return add_version(d, (enum devinfo_group)i, line + strlen(groups[i]),
					   len - strlen(groups[i]));
	d->is_cut = d->is_cut || (len == 3 && parse_has_prefix(line, "cut"));
	return 0;
}

int devinfo_parse(const char *text, struct devinfo *ret)
{
	struct devinfo d = { 0 };
	const char *line;
	size_t len;
	int r = 0;

	while (r == 0 && parse_line(&text, &line, &len))
		r = take_line(&d, line, len);
	if (r < 0)
		devinfo_done(&d);
	*ret = d;
	return r;
}

int devinfo_read(const struct host *h, const char *bus, const char *device, struct devinfo *ret,
		 struct error *e)
{
	AUTO_BUF struct buf text = { 0 }, which = { 0 };
	int r;

	buf_printf(&which, "%s.%s", bus, device);
	r = buf_error(&which);
	if (r == 0)
		r = host_answer(h, "devinfo", buf_text(&which), &text, e);
	if (r < 0)
		return error_prefix(e, r, "devlink of %s", device);
	return devinfo_parse(buf_text(&text), ret) < 0 ? error_nomem(e) : 0;
}

void devinfo_done(struct devinfo *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->versions[i].name);
		free(d->versions[i].value);
	}
	free(d->versions);
	free(d->driver);
	free(d->serial);
	free(d->board_serial);
	*d = (struct devinfo){ 0 };
}

const char *devinfo_find(const struct devinfo *d, enum devinfo_group group, const char *name)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->versions[i].group == group && strcmp(d->versions[i].name, name) == 0)
			return d->versions[i].value;
	return NULL;
}

bool devinfo_has(const struct devinfo *d, enum devinfo_group group)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->versions[i].group == group)
			return true;
	return false;
}

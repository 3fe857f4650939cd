/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/reserved.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The next word of a line as text of its own; -EINVAL without one. */
static int take_word(const char **cursor, struct buf *ret)
{
	const char *word;
	size_t len;

	if (!parse_word(cursor, &word, &len))
		return -EINVAL;
	buf_append(ret, word, len);
	return buf_error(ret);
}

static int take_number(const char **cursor, uint64_t *ret)
{
	AUTO_BUF struct buf word = { 0 };
	int r = take_word(cursor, &word);

	return r < 0 ? r : parse_u64(buf_text(&word), 16, UINT64_MAX, ret);
}

static int add(struct reserved *v, const struct reserved_region *region)
{
	struct reserved_region *more = base_room(v->direct, v->n, sizeof(*more));

	if (!more)
		return -ENOMEM;
	v->direct = more;
	v->direct[v->n++] = *region;
	return 0;
}

/* "0x00000000fee00000 0x00000000feefffff msi" */
static int take_line(const char *line, size_t len, struct reserved *v)
{
	AUTO_BUF struct buf text = { 0 }, type = { 0 };
	struct reserved_region region = { 0 };
	const char *cursor;
	int r;

	buf_append(&text, line, len);
	r = buf_error(&text);
	cursor = buf_text(&text);
	if (r == 0)
		r = take_number(&cursor, &region.start);
	if (r == 0)
		r = take_number(&cursor, &region.end);
	if (r == 0)
		r = take_word(&cursor, &type);
	if (r < 0)
		return r == -ENOMEM ? r : -EINVAL;
	if (region.end < region.start)
		return -EINVAL;
	return strcmp(buf_text(&type), "direct") == 0 ? add(v, &region) : 0;
}

int reserved_parse(const char *text, struct reserved *ret)
{
	AUTO_RESERVED struct reserved v = { 0 };
	const char *line;
	size_t len;
	int r = 0;

	while (r == 0 && parse_line(&text, &line, &len))
		r = take_line(line, len, &v);
	if (r < 0)
		return r;
	*ret = v;
	v = (struct reserved){ 0 };
	return 0;
}

int reserved_read(const struct host *h, const char *group, struct reserved *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, e, IOMMU_GROUPS "/%s/reserved_regions", group);

	if (r < 0)
		return r;
	r = reserved_parse(buf_text(&text), ret);
	if (r == -ENOMEM)
		return host_nomem(h, e);
	return r < 0 ? error_set(e, r, IOMMU_GROUPS "/%s/reserved_regions: not a list of regions",
				 group)
		     : 0;
}

void reserved_done(struct reserved *v)
{
	free(v->direct);
	*v = (struct reserved){ 0 };
}

bool reserved_overlap(const struct reserved *a, const struct reserved *b)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++)
			if (a->direct[i].start <= b->direct[k].end &&
			    b->direct[k].start <= a->direct[i].end)
				return true;
	return false;
}

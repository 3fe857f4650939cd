/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A spec from its text to what is wanted, and a state to its spec, with each allocation
 * failing in turn: the end is -ENOMEM, or what it is with enough memory.
 */
#include "nomem.h"

#include "pfstate_make.h"
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

#define DEVICES "/sys/bus/pci/devices"

static const struct tree_row rows[] = {
	{ .path = DEVICES "/0000:3b:00.0/vendor", .text = "0x8086\n" },
	{ .path = DEVICES "/0000:3b:00.0/device", .text = "0x1592\n" },
	{ .path = DEVICES "/0000:3b:00.0/class", .text = "0x020000\n" },
	{ .path = DEVICES "/0000:3b:00.0/resource", .text = "\n" },
	{ .path = DEVICES "/0000:3b:00.0/sriov_totalvfs", .text = "64\n" },
	{ .path = DEVICES "/0000:3b:00.0/net/e0" },
	{ .path = DEVICES "/0000:3b:00.1/resource", .text = "\n" },
	{ .path = DEVICES "/0000:3b:00.1/sriov_totalvfs", .text = "64\n" },
	{ .path = DEVICES "/0000:3b:00.1/net/e1" },
	{ .path = "/sys/bus/pci/slots/3/address", .text = "0000:3b:00\n" },
	{ .path = "/sys/class/net/e0/address", .text = "00:1b:21:00:00:01\n" },
	{ .path = "/sys/class/net/e0/addr_assign_type", .text = "0\n" },
	{ .path = "/sys/class/net/e1/address", .text = "00:1b:21:00:00:02\n" },
	{ .path = "/sys/class/net/e1/addr_assign_type", .text = "0\n" },
};

#define FIRST  "{\"match\": {\"permanent_mac\": \"00:1b:21:00:00:01\"}, \"vfs\": \"max\", "
#define SECOND "{\"match\": {\"slot\": \"3\", \"port\": 1}, \"vfs\": 2, "

static const char *const texts[] = {
	"{\"schema\": 1, \"pfs\": [" FIRST "\"mac\": {\"policy\": \"derive\"}, \"vf\": {\"*\": "
	"{\"driver\": \"vfio-pci\", \"required\": [\"mac\"]}, \"1\": {\"vlan\": 5}}}, // x\n" SECOND
	"\"mtu\": 9000}]}",
	/* These are refused, each in another place. */
	"{\"schema\": 1, \"pfs\": [" FIRST "\"vf\": {\"*\": {\"vaf\": 1}}}]}",
	"{\"schema\": 1, \"pfs\": [{\"match\": {\"slot\": \"3\"}}, {\"match\": {\"pci\": "
	"\"3b:00.1\"}}]}",
	"{\"schema\": 1, \"pfs\": [" FIRST "\"mac\": {\"policy\": \"pool\", \"first\": "
	"\"00:1b:21:00:00:00\"}}, " SECOND "\"mac\": {\"policy\": \"none\"}}]}",
	"{\"schema\": 1, \"pfs\": [" FIRST "\"mtu\": 1},]}",
};

static int read_all(const struct host *h, const char *text, const struct pfstates *is,
		    struct buf *ret, struct error *e)
{
	AUTO_SPEC struct spec *s = NULL;
	AUTO_STRV struct strv bdfs = { 0 }, notes = { 0 }, ids = { 0 };
	AUTO_PFSTATES struct pfstates want = { 0 };
	int r = spec_parse(text, strlen(text), "f", &s, e);

	if (r == 0)
		r = spec_match(s, h, &bdfs, e);
	if (r == 0)
		r = spec_preflight(s, &ids);
	if (r == 0)
		r = spec_resolve(s, h, is, &want, &notes, e);
	if (r < 0)
		return r;
	for (size_t i = 0; i < notes.n; i++)
		buf_printf(ret, "%s\n", notes.items[i]);
	r = spec_print(&want, ret, e);
	return r < 0 ? r : buf_error(ret);
}

/* Into @ret what a person sees. */
static int run(const struct host *h, const char *text, const struct pfstates *is, unsigned fails_at,
	       struct buf *ret)
{
	struct error e = { 0 };
	int r;

	buf_clear(ret);
	nomem_arm(fails_at);
	r = read_all(h, text, is, ret, &e);
	nomem_disarm();
	if (r < 0) {
		buf_clear(ret);
		buf_printf(ret, "%s", e.text);
	}
	return r;
}

/* Fails on a host that has read its facts: those are what test_nomem.c is about. */
static int run_fresh(const struct tree *t, const char *text, const struct pfstates *is,
		     unsigned fails_at, struct buf *ret)
{
	AUTO_HOST struct host *h = NULL;

	EXPECT(host_open(t->dir, &h, NULL) == 0);
	(void)run(h, text, is, 0, ret);
	return run(h, text, is, fails_at, ret);
}

static void fail_each(const struct tree *t, const char *text, const struct pfstates *is)
{
	AUTO_BUF struct buf whole = { 0 };
	unsigned wrong = 0;
	bool failed = true;
	int expected = run_fresh(t, text, is, 0, &whole);

	EXPECT(expected == 0 || expected == -EINVAL);
	for (unsigned n = 1; failed; n++) {
		AUTO_BUF struct buf got = { 0 };
		int r = run_fresh(t, text, is, n, &got);

		failed = memory.n >= n;
		if (r == -ENOMEM || (r == expected && same(buf_text(&got), buf_text(&whole))))
			continue;
		wrong++;
		printf("# allocation %u of %u: %d %.*s\n", n, memory.n, r,
		       (int)strcspn(buf_text(&got), "\n"), buf_text(&got));
	}
	EXPECT(wrong == 0);
}

TEST(a_spec_is_read_whole_or_not_at_all)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates is = { 0 };

	tree_build(&t, rows, ARRAY_SIZE(rows));
	(void)pfstate_make(&is, "0000:3b:00.0", "e0", 0x001b21000001, 2);
	(void)pfstate_make(&is, "0000:3b:00.1", "e1", 0x001b21000002, 2);
	is.items[0].total = 4;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		fail_each(&t, texts[i], &is);
}

TEST(options_are_read_whole_or_not_at_all)
{
	static const struct spec_line line = { .pf = "e0",
					       .vfs = "8",
					       .mac = "derive",
					       .trust = "on",
					       .driver = "vfio-pci",
					       .queues = 4 };
	unsigned n = 0;
	int r = -ENOMEM;

	while (r == -ENOMEM && n < 10000) {
		AUTO_SPEC struct spec *s = NULL;

		nomem_arm(++n);
		r = spec_from_line(&line, &s, NULL);
		nomem_disarm();
	}
	EXPECT(r == 0 && n > 20);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define VFS_NOW	 3
#define VFS_MOST 40 /* more say nothing new, and take long */

/* A host of which nothing is known: its root is gone as soon as it is open. */
static const struct host *no_host(void)
{
	static struct host *h;
	char dir[] = "/tmp/sriovctl-fuzz.XXXXXX", proc[sizeof(dir) + 5];

	if (h)
		return h;
	if (!mkdtemp(dir))
		abort();
	(void)snprintf(proc, sizeof(proc), "%s/proc", dir);
	if (mkdir(proc, 0700) < 0 || host_open(dir, &h, NULL) < 0 || rmdir(proc) < 0 ||
	    rmdir(dir) < 0)
		abort();
	return h;
}

static void make_states(size_t n, struct pfstates *ret)
{
	ret->items = calloc(n + 1, sizeof(*ret->items));
	if (!ret->items)
		abort();
	for (; ret->n < n; ret->n++) {
		struct pfstate *p = &ret->items[ret->n];
		AUTO_BUF struct buf bdf = { 0 };

		buf_printf(&bdf, "%04zx:00:00.0", ret->n);
		p->bdf = buf_take(&bdf);
		p->is_network = ret->n % 4 != 3;
		p->permanent_mac = 0x001b21000000 + ret->n;
		p->queues = PFSTATE_QUEUES_MSIX;
		p->total = VFS_MOST;
		if (!p->bdf || pfstate_set_vfs(p, VFS_NOW) < 0)
			abort();
		p->vfs[0].set[SETTING_RATE] = setting_number(SETTING_RATE_OF(10, 100));
	}
}

/* What is wanted, printed as if it were there, is a spec as well. */
static void print_and_parse(const struct pfstates *want)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_SPEC struct spec *again = NULL;
	struct error e = { 0 };

	if (spec_print(want, &text, &e) < 0 ||
	    spec_parse(buf_text(&text), text.len, "again", &again, &e) < 0 ||
	    spec_count(again) != want->n) {
		(void)fprintf(stderr, "%s\n%s\n", e.text, buf_text(&text));
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_SPEC struct spec *s = NULL;
	AUTO_PFSTATES struct pfstates is = { 0 };
	AUTO_PFSTATES struct pfstates want = { 0 };
	AUTO_STRV struct strv notes = { 0 }, ids = { 0 };
	struct error e = { 0 };

	if (spec_parse((const char *)data, size, "f", &s, &e) < 0) {
		/* Every refusal has a place. */
		if (strncmp(e.text, "f:", 2) != 0)
			abort();
		return 0;
	}
	for (size_t i = 0; i < spec_count(s); i++) {
		struct spec_wish w = { 0 };

		if (spec_wish(s, i, no_host(), "", &w, NULL) < 0)
			abort();
		if (w.vfs > VFS_MOST)
			return 0;
	}
	make_states(spec_count(s), &is);
	if (spec_preflight(s, &ids) < 0)
		abort();
	if (spec_resolve(s, no_host(), &is, &want, &notes, &e) == 0)
		print_and_parse(&want);
	else if (strncmp(e.text, "f:", 2) != 0)
		abort();
	return 0;
}

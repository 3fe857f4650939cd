/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot.h"

#include "boot_part.h"
#include "command.h"
#include "complain.h"

#include <sriovctl/arrivals.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/persist.h>
#include <sriovctl/strv.h>
#include <sriovctl/waiting.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* How long carrier that has come may take to be there for the driver. */
#define CARRIER_SECONDS 10

/* --- what is kept, as it comes -----------------------------------------------------------------
 */

static void fail(struct boot_part *p, int code)
{
	p->is_done = true;
	p->code = code;
}

/* One look at the host is of no use to the next, once something was changed. */
static void attempt(struct boot_part *p, const struct boot_options *o, bool is_last)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf bdf = { 0 };
	int r;

	p->why = (struct error){ 0 };
	r = host_open("/", &h, &p->why);
	if (r == 0)
		r = boot_part_find(p, h, &bdf, &p->why);
	if (o->only && strcmp(buf_text(&bdf), o->only) != 0) {
		fail(p, EXIT_READY);
		return;
	}
	if (r == -ESTALE && !is_last)
		is_last = !boot_part_may_come(h);
	if (r == 0 || (r == -EAGAIN && is_last))
		boot_part_run(p, o, buf_text(&bdf));
	else if (is_last)
		fail(p, EXIT_NOT_READY);
}

/* True: all have had their turn. */
static bool attempt_all(struct boot_parts *v, const struct boot_options *o, bool is_last)
{
	bool all = true;

	for (size_t i = 0; i < v->n; i++) {
		struct boot_part *p = &v->items[i];

		if (p->is_done)
			continue;
		attempt(p, o, is_last);
		all = all && p->is_done;
	}
	(void)fflush(stdout);
	return all;
}

static int await_all(struct boot_parts *v, const struct boot_options *o, struct error *e)
{
	AUTO_ARRIVALS struct arrivals a = ARRIVALS_CLOSED;
	const int64_t until = base_now_ms() + (int64_t)o->wait * 1000;
	int r = arrivals_open(&a, NULL, e);

	while (r == 0 && !attempt_all(v, o, o->only != NULL))
		r = arrivals_wait(&a, until, e);
	if (r == -ETIMEDOUT)
		(void)attempt_all(v, o, true);
	return r == -ETIMEDOUT ? 0 : r;
}

/*
 * The worst, in the order of exit codes, as they count what was left of the host's state.  Causes
 * come last of all, where "systemctl status" shows them.
 */
static int sum_up(const struct boot_parts *v, struct error *e)
{
	size_t failed = 0;
	int code = EXIT_READY;

	for (size_t i = 0; i < v->n; i++) {
		const struct boot_part *p = &v->items[i];

		if (p->code == EXIT_READY)
			continue;
		complain("%s: %s", p->match, p->why.text);
		failed++;
		code = p->code > code ? p->code : code;
	}
	if (failed == 0)
		return EXIT_READY;
	(void)error_set(
		e, -EIO,
		"%zu of %zu functions are not as wished: see above why; \"sriovctl provision "
		"-f " PERSIST_SPEC " --dry-run\" shows what is left to do, and \"systemctl "
		"restart sriovctl-provision\" tries again",
		failed, v->n);
	return code;
}

int boot_provision(const struct boot_options *o, struct error *e)
{
	AUTO_BOOT_PARTS struct boot_parts v = { 0 };
	struct boot_options own = *o;
	int r = boot_parts_read(&v, e);

	if (r == -EACCES) {
		(void)error_prefix(e, r, "only root can make what is kept");
		return EXIT_REFUSED;
	}
	if (r < 0)
		return r == -ENOMEM ? EXIT_NOT_READY : EXIT_USAGE;
	/* Somebody else waits for it. */
	own.change.carrier_wait = 0;
	if (await_all(&v, &own, e) < 0)
		return EXIT_UNKNOWN;
	return sum_up(&v, e);
}

/* --- carrier ------------------------------------------------------------------------------------
 */

static bool has_carrier(const struct host *h, const char *bdf)
{
	AUTO_STRV struct strv netdevs = { 0 };
	const struct links *links = NULL;
	const struct links_item *link = NULL;

	if (pcidev_list_netdevs(h, bdf, &netdevs, NULL) == 0 && netdevs.n > 0 &&
	    links_get(h, &links, NULL) == 0)
		link = links_find(links, netdevs.items[0]);
	return link && link->has_carrier;
}

/* What is no function of the spec any more waits for nothing. */
static int set_waiting(const struct boot_options *o, const char *bdf, struct error *e)
{
	AUTO_BOOT_PARTS struct boot_parts v = { 0 };
	AUTO_HOST struct host *h = NULL;
	int r = boot_parts_read(&v, e);

	if (r == 0)
		r = host_open("/", &h, e);
	for (size_t i = 0; r == 0 && i < v.n; i++) {
		AUTO_BUF struct buf found = { 0 };
		struct boot_part *p = &v.items[i];

		if (boot_part_find(p, h, &found, NULL) < 0 || strcmp(buf_text(&found), bdf) != 0)
			continue;
		if (!has_carrier(h, bdf))
			return 0;
		boot_part_run(p, o, bdf);
		(void)fflush(stdout);
		return p->code == EXIT_READY ? 0 : error_set(e, -EIO, "%s: %s", bdf, p->why.text);
	}
	return r < 0 ? r : waiting_remove(bdf, e);
}

/* What failed is told, and tried no more. */
static int set_all_waiting(const struct boot_options *o, size_t *ret_left, struct error *e)
{
	AUTO_STRV struct strv waiting = { 0 };
	int code = EXIT_READY;

	if (waiting_list(&waiting, e) < 0)
		return EXIT_NOT_READY;
	for (size_t i = 0; i < waiting.n; i++) {
		struct error own = { 0 };

		if (set_waiting(o, waiting.items[i], &own) == 0)
			continue;
		complain("%s", own.text);
		code = EXIT_NOT_READY;
		if (waiting_remove(waiting.items[i], e) < 0)
			return code;
	}
	strv_done(&waiting);
	if (waiting_list(&waiting, e) < 0)
		return EXIT_NOT_READY;
	*ret_left = waiting.n;
	return code;
}

int boot_await_carrier(const struct boot_options *o, struct error *e)
{
	AUTO_ARRIVALS struct arrivals a = ARRIVALS_CLOSED;
	struct boot_options own = *o;
	size_t left = 0;
	int code = EXIT_READY;

	own.change.carrier_wait = CARRIER_SECONDS;
	if (arrivals_open(&a, WAITING_FOLDER, NULL) < 0) {
		(void)puts("Nothing waits for carrier.");
		return EXIT_READY;
	}
	for (;;) {
		int now = set_all_waiting(&own, &left, e);

		code = now != EXIT_READY ? now : code;
		if (left == 0)
			break;
		if (arrivals_wait(&a, -1, e) < 0)
			return EXIT_UNKNOWN;
	}
	if (code != EXIT_READY)
		(void)error_set(e, -EIO, "what waited for carrier could not be set: see above why");
	return code;
}

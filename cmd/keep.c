/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keep.h"

#include "change.h"
#include "command.h"
#include "plan_print.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/manager.h>
#include <sriovctl/persist.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int keep_require(const struct keep_options *o, struct error *e)
{
	if (!o->persist && (o->root || o->replace))
		return error_set(e, -EINVAL, "--%s goes with --persist only",
				 o->root ? "root" : "replace");
	return 0;
}

/* Whose / is not that of the first process: its hardware is not for what is installed there. */
static bool is_chroot(void)
{
	struct stat own, first;

	return stat("/", &own) == 0 && stat("/proc/1/root/.", &first) == 0 &&
	       (own.st_dev != first.st_dev || own.st_ino != first.st_ino);
}

int keep_begin(const struct keep_options *o, const char *spec, struct keep *ret, struct error *e)
{
	int r;

	ret->removes = !spec;
	if (geteuid() != 0) {
		(void)error_set(e, -EPERM, "only root can have VFs kept, as the files are root's");
		return EXIT_REFUSED;
	}
	if (!o->root && is_chroot()) {
		(void)error_set(
			e, -EPERM,
			"nothing was changed: this is a chroot, and the hardware is that of "
			"the system outside; --root=/ installs for the boots of what is "
			"here, and touches none");
		return EXIT_REFUSED;
	}
	r = persist_plan(o->root ? o->root : "/", spec, o->replace, &ret->persist, e);
	if (r == -EEXIST)
		return EXIT_REFUSED;
	if (o->root && (r == -ENOENT || r == -ENOTDIR))
		return EXIT_USAGE;
	return r < 0 ? EXIT_NOT_READY : EXIT_READY;
}

const struct strv *keep_files(const struct keep *k)
{
	return persist_changes(k->persist);
}

/* What is left of a unit that is gone: it need not be known, or run. */
static int stop_units(struct error *e)
{
	static const char *const units[] = { "sriovctl-carrier.path", "sriovctl-carrier.service",
					     "sriovctl-provision.service" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(units); i++)
		r = manager_stop(units[i], e);
	return r;
}

/* The files are what counts at the next boot. */
static int tell_systemd(const struct keep *k, struct strv *notes)
{
	AUTO_BUF struct buf note = { 0 };
	struct error own = { 0 };
	int r = k->removes ? stop_units(&own) : 0;

	if (r == 0)
		r = manager_reload(&own);
	if (r == 0 || r == -ENOENT)
		return 0;
	buf_printf(&note, "%s: \"systemctl daemon-reload\" tells it before the next boot",
		   own.text);
	return strv_take(notes, buf_take(&note));
}

int keep_finish(struct keep *k, struct strv *notes, struct error *e)
{
	bool any = keep_files(k)->n > 0;
	int r = persist_carry_out(k->persist, e);

	if (r < 0)
		return r;
	return any && tell_systemd(k, notes) < 0 ? error_nomem(e) : 0;
}

int keep_offline(struct keep *k, const struct change_options *o, struct error *e)
{
	static const struct pfstates none;
	static const struct plan nothing;
	const struct plan_page page = { .is = &none, .plan = &nothing, .files = keep_files(k) };
	const bool is_text = strcmp(o->output, "text") == 0;
	const char *result = page.files->n == 0 ? "nothing-to-do" : o->dry_run ? "planned" : "done";
	int r = is_text ? plan_print_text(&page, stdout, e) : 0;

	if (r == 0 && !o->dry_run)
		r = persist_carry_out(k->persist, e);
	if (!is_text &&
	    plan_print_json(&page, r < 0 ? "failed" : result, r < 0 ? e->text : "", stdout, e) < 0)
		return EXIT_NOT_READY;
	return r < 0 ? EXIT_NOT_READY : EXIT_READY;
}

void keep_done(struct keep *k)
{
	persist_free(k->persist);
	*k = (struct keep){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function of Intel's 800 series: has its driver loaded a DDP package? */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/devinfo.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>
#include <sriovctl/version.h>
#include <sriovctl/version_kernel.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER	  "ice"
#define DDP_DIR	  "/lib/firmware/intel/ice/ddp"
#define DDP_FILE  "ice.pkg"
#define LINE_KEPT 160
#define DDP_PATH  DDP_DIR "/" DDP_FILE

enum ddp {
	DDP_UNKNOWN,
	DDP_LOADED,
	DDP_SAFE_MODE,
};

/* --- devlink ------------------------------------------------------------------------------- */

/*
 * Of the package that is active in the card: all zero, and without a name, where the driver has
 * loaded none.  The driver takes no other than 1.3 (ICE_PKG_SUPP_VER_MAJ, _MNR of ice_ddp.h), so
 * that another one's, as another driver left it, is no proof.
 */
static enum ddp ask_devlink(const struct check_input *in, struct finding *f)
{
	const struct version_scheme *s = version_scheme_find("ddp");
	AUTO_DEVINFO struct devinfo info = { 0 };
	struct version v = { 0 };
	const char *name, *text = NULL;

	if (devinfo_read(in->host, "pci", in->pf->name, &info, NULL) == 0)
		text = devinfo_find(&info, DEVINFO_RUNNING, "fw.app");
	if (!text || !s || version_parse(s, text, &v, NULL) < 0)
		return DDP_UNKNOWN;
	name = devinfo_find(&info, DEVINFO_RUNNING, "fw.app.name");
	finding_note(f, finding_path(f, "devlink dev info pci/%s", in->pf->name),
		     "a package of version 1.3", "fw.app %s, fw.app.name %s", text,
		     name ? name : "not told");
	if (!name && !v.parts[0] && !v.parts[1] && !v.parts[2])
		return DDP_SAFE_MODE;
	return name && v.parts[0] == 1 && v.parts[1] == 3 ? DDP_LOADED : DDP_UNKNOWN;
}

/* --- the kernel log ------------------------------------------------------------------------ */

/* What ice_main.c says when it has tried, and when it refuses VFs. */
static enum ddp meaning_of(const char *line, size_t len)
{
	static const struct {
		const char *words;
		enum ddp meaning;
	} lines[] = {
		{ .words = "afe Mode", .meaning = DDP_SAFE_MODE },
		{ .words = "afe mode", .meaning = DDP_SAFE_MODE },
		{ .words = "while loading the DDP package", .meaning = DDP_SAFE_MODE },
		{ .words = "DDP package was successfully loaded", .meaning = DDP_LOADED },
		{ .words = "DDP package already present", .meaning = DDP_LOADED },
		{ .words = "DDP package is already present", .meaning = DDP_LOADED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (memmem(line, len, lines[i].words, strlen(lines[i].words)))
			return lines[i].meaning;
	return DDP_UNKNOWN;
}

/* The last that it said of this function counts. */
static enum ddp ask_log(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf begin = { 0 }, said = { 0 };
	const struct klog *k = NULL;
	enum ddp last = DDP_UNKNOWN;
	const char *p;

	buf_printf(&begin, DRIVER " %s", in->pf->name);
	if (buf_error(&begin) < 0 || klog_get(in->host, &k, NULL) < 0)
		return DDP_UNKNOWN;
	for (p = strstr(k->text, buf_text(&begin)); p; p = strstr(p + 1, buf_text(&begin))) {
		size_t len = strcspn(p, "\r\n");
		enum ddp meaning = meaning_of(p, len);

		if (meaning == DDP_UNKNOWN)
			continue;
		last = meaning;
		buf_clear(&said);
		buf_append(&said, p, len < LINE_KEPT ? len : LINE_KEPT);
	}
	if (last != DDP_UNKNOWN)
		finding_note(f, k->source, NULL, "%s", finding_text(f, &said));
	return last;
}

/* --- what to do ---------------------------------------------------------------------------- */

static const char *package_of(const struct host *h)
{
	const struct version_kernel *k = NULL;

	if (version_kernel_get(h, &k, NULL) < 0 || !k->distribution)
		return "linux-firmware (Debian: firmware-misc-nonfree)";
	return strcmp(k->distribution, "Debian") == 0 ? "firmware-misc-nonfree" : "linux-firmware";
}

/* 0: the file, which may be compressed, is there; -ENOENT: it is not; or not known. */
static int look_for_file(const struct host *h)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, NULL, DDP_DIR);

	for (size_t i = 0; i < names.n; i++)
		if (strncmp(names.items[i], DDP_FILE, strlen(DDP_FILE)) == 0)
			return 0;
	return r == 0 ? -ENOENT : r;
}

static enum verdict fail_safe_mode(const struct check_input *in, struct finding *f)
{
	const char *package = package_of(in->host);
	int r = look_for_file(in->host);

	if (r == 0 || r == -ENOENT)
		finding_note(f, DDP_PATH, "present", r == 0 ? "present" : "absent");
	if (r == -ENOENT)
		finding_remedy(
			f,
			"Install the package %s, which has %s, make the initramfs anew where "
			"the driver is in it, and reboot.",
			package, DDP_PATH);
	else if (r == 0)
		finding_remedy(
			f,
			"The driver did not take %s: make the initramfs anew where the "
			"driver is in it, and reboot; if it says the same again, the package "
			"%s, the driver and the card's firmware do not fit each other.",
			DDP_PATH, package);
	else
		finding_remedy(f,
			       "See that %s is there (package %s) and in the initramfs where the "
			       "driver is, and reboot.",
			       DDP_PATH, package);
	return finding_fail(f, ACTOR_OS,
			    "the driver is in safe mode, without a DDP package%s: it makes no VFs",
			    r == -ENOENT ? ", whose file is missing"
			    : r == 0	 ? ", whose file is there"
					 : "");
}

/* --- pf.ddp -------------------------------------------------------------------------------- */

/* Which driver has the function, or would: that it spoke of it is enough. */
static bool is_ours(const struct pf *pf, enum ddp log)
{
	if (pf->dev->driver_error == 0)
		return strcmp(pf->dev->driver, DRIVER) == 0;
	return pf->nic ? strcmp(pf->nic->family->driver, DRIVER) == 0 : log != DDP_UNKNOWN;
}

static enum verdict judge(const struct check_input *in, struct finding *f, enum ddp log)
{
	/* It is asked where the log has told, too: what was loaded may be so no more. */
	enum ddp devlink = ask_devlink(in, f);

	if (devlink == DDP_SAFE_MODE || log == DDP_SAFE_MODE)
		return fail_safe_mode(in, f);
	if (devlink == DDP_LOADED || log == DDP_LOADED)
		return finding_pass(f, "a DDP package is loaded");
	finding_remedy(f, host_is_partial(in->host)
				  ? "Send what \"devlink dev info\" prints, or the kernel log from "
				    "the boot on."
				  : "Look for \"DDP package\" in the kernel log (journalctl -k).");
	return finding_unknown(f, "whether a DDP package is loaded is not known");
}

static enum verdict run_ddp(const struct check_input *in, struct finding *f)
{
	enum verdict v;
	const struct pf *pf = pf_subject_get(in, f, &v);
	enum ddp log;

	if (!pf)
		return v;
	log = ask_log(in, f);
	if (is_ours(pf, log))
		return judge(in, f, log);
	if (pf->dev->driver_error == 0 || pf->dev->id_error == 0)
		return finding_na(f, "only cards of the driver " DRIVER " load a DDP package");
	finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/device", pf->dev->name),
		       pf->dev->id_error);
	return finding_unknown(f, "what kind of card it is is not known");
}

static const struct check checks[] = {
	{
		.id = "pf.ddp",
		.title = "the card has a DDP package, and its driver all of its features",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_ddp,
		.actor = ACTOR_OS,
		.remedy = "Install the distribution's package of firmware that has " DDP_PATH ".",
		.impact = "In safe mode the driver " DRIVER " has one queue and refuses VFs.",
		.reference =
			"Linux Documentation/networking/device_drivers/ethernet/intel/ice.rst, "
			"Dynamic Device Personalization",
	},
};
CHECK_GROUP(pf_ddp_checks, checks);

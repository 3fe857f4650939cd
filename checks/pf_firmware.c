/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: does its card run what lies on its flash? */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/devinfo.h>
#include <sriovctl/drvinfo.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>
#include <sriovctl/version.h>

#include <errno.h>
#include <string.h>

/*
 * Drivers that tell what is on the flash (their info_get in drivers/net/ethernet: versions of the
 * kind "stored"), and those that can have it activated (reload_actions).
 */
static const struct teller {
	const char *driver;
	uint16_t first, last; /* of the device id; 0: each */
	bool activates;
} tellers[] = {
	{ .driver = "bnxt_en", .activates = true },
	{ .driver = "ice", .activates = true },
	{ .driver = "ixgbe", .first = 0x57ae, .last = 0x57b2, .activates = true },
	{ .driver = "mlx5_core", .activates = true },
	{ .driver = "nfp" },
	{ .driver = "sfc" },
};

static const struct teller *find_teller(const struct pcidev *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(tellers); i++)
		if (strcmp(tellers[i].driver, d->driver) == 0 &&
		    (!tellers[i].last ||
		     (d->device >= tellers[i].first && d->device <= tellers[i].last)))
			return &tellers[i];
	return NULL;
}

static enum verdict fail_pending(struct finding *f, const struct pcidev *d, const char *what,
				 const char *runs, const char *stored)
{
	const struct teller *t = find_teller(d);

	if (t && t->activates)
		finding_remedy(f,
			       "When the card may be interrupted, with all its functions and VFs: "
			       "devlink dev reload pci/%s action fw_activate; where that is "
			       "refused, switch the host off and on.",
			       d->name);
	else
		finding_remedy(f, "Reboot the host when it suits; if the card keeps what it runs, "
				  "switch the host off and on.");
	return finding_fail(f, ACTOR_NIC, "%s %s waits for a reset of the card, which runs %s",
			    what, stored, runs);
}

static enum verdict does_not_tell(struct finding *f, const struct pcidev *d)
{
	return finding_na(f, "%s does not tell what is on the card's flash", d->driver);
}

/* --- by devlink --------------------------------------------------------------------------- */

/* Firmware that runs, of which the answer may have told behind its end what is stored. */
static const char *find_untold(const struct devinfo *info)
{
	for (size_t i = 0; info->is_cut && i < info->n; i++)
		if (info->versions[i].group == DEVINFO_RUNNING &&
		    !devinfo_find(info, DEVINFO_STORED, info->versions[i].name))
			return info->versions[i].name;
	return NULL;
}

static enum verdict is_cut(struct finding *f, const struct pcidev *d)
{
	finding_remedy(f, "Send all that \"devlink dev info pci/%s\" prints, and its command.",
		       d->name);
	return finding_unknown(f, "what was sent of devlink's answer may have been cut");
}

static enum verdict judge_stored(struct finding *f, const struct pcidev *d,
				 const struct devinfo *info)
{
	const char *source = finding_path(f, "devlink dev info pci/%s", d->name);
	const struct devinfo_version *waits = NULL;
	const char *runs = NULL;
	size_t compared = 0;

	for (size_t i = 0; i < info->n; i++) {
		const struct devinfo_version *v = &info->versions[i];
		const char *running = devinfo_find(info, DEVINFO_RUNNING, v->name);
		bool differs;

		if (v->group != DEVINFO_STORED || !running)
			continue;
		compared++;
		differs = strcmp(running, v->value) != 0;
		finding_note(f, source, differs ? "the stored one runs" : NULL,
			     "%s: %s runs, %s is stored", v->name, running, v->value);
		if (!waits && differs) {
			waits = v;
			runs = running;
		}
	}
	if (waits)
		return fail_pending(f, d, waits->name, runs, waits->value);
	if (find_untold(info))
		return is_cut(f, d);
	if (compared > 0)
		return finding_pass(f, "the card runs what is on its flash");
	return does_not_tell(f, d);
}

/* --- be2net tells it by ethtool ------------------------------------------------------------ */

static enum verdict judge_words(struct finding *f, const struct pcidev *d, const char *name,
				const char *words)
{
	const struct version_scheme *s = version_scheme_find("be2net");
	AUTO_FREE char *stored = NULL, *runs = NULL;
	struct version v = { 0 };

	finding_note(f, finding_path(f, "ethtool -i %s", name), NULL, "firmware-version: %s",
		     words);
	if (!s || version_parse(s, words, &v, NULL) < 0) {
		finding_remedy(f, "Look at what the vendor's tool says of the card's flash.");
		return finding_unknown(f, "\"%s\" is no version of be2net's", words);
	}
	if (v.tag_len == 0)
		return finding_pass(f, "the card runs what is on its flash, %s", words);
	runs = strndup(words, strcspn(words, " "));
	stored = strndup(v.tag, v.tag_len);
	if (!runs || !stored)
		return finding_nomem(f);
	if (strcmp(runs, stored) == 0)
		return finding_pass(f, "the card runs what is on its flash, %s", runs);
	return fail_pending(f, d, "firmware", runs, stored);
}

static enum verdict judge_be2net(const struct check_input *in, struct finding *f)
{
	struct drvinfo info = { 0 };
	AUTO_STRV struct strv names = { 0 };
	int r = pcidev_list_netdevs(in->host, in->pf->name, &names, NULL);

	if (r == 0 && names.n == 0)
		r = -ENODATA;
	if (r == 0)
		r = drvinfo_read(in->host, names.items[0], &info, NULL);
	if (r == 0)
		return judge_words(f, in->pf, names.items[0], info.firmware);
	finding_unread(f, in->host, finding_path(f, "ethtool -i of %s", in->pf->name), r);
	return finding_unknown(f, "what is on the card's flash is not known");
}

/* --- pf.firmware_pending ------------------------------------------------------------------- */

static enum verdict judge_driver(const struct check_input *in, struct finding *f)
{
	AUTO_DEVINFO struct devinfo info = { 0 };
	const struct pcidev *d = in->pf;
	int r = devinfo_read(in->host, "pci", d->name, &info, NULL);

	if (r == 0 && devinfo_has(&info, DEVINFO_STORED))
		return judge_stored(f, d, &info);
	if (strcmp(d->driver, "be2net") == 0)
		return judge_be2net(in, f);
	if (r == 0 && info.is_cut && find_teller(d))
		return is_cut(f, d);
	if (r == 0 || r == -EOPNOTSUPP || !find_teller(d))
		return does_not_tell(f, d);
	finding_unread(f, in->host, finding_path(f, "devlink dev info pci/%s", d->name), r);
	return finding_unknown(f, "what is on the card's flash is not known");
}

static enum verdict run_pending(const struct check_input *in, struct finding *f)
{
	enum verdict v;
	const struct pf *pf = pf_subject_get(in, f, &v);
	int r;

	if (!pf)
		return v;
	r = pf->dev->driver_error;
	if (r == 0)
		return judge_driver(in, f);
	if (r == -ENOENT) {
		finding_remedy(f, "Bind the driver of the card: see pf.driver.");
		return finding_unknown(f, "no driver is bound that would tell");
	}
	finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/driver", pf->dev->name), r);
	return finding_unknown(f, "the driver that would tell is not known");
}

static const struct check checks[] = {
	{
		.id = "pf.firmware_pending",
		.title = "the card runs the firmware that is on its flash",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_pending,
		.actor = ACTOR_NIC,
		.remedy = "Reset the card when it suits.",
		.impact =
			"The card runs firmware that somebody meant to replace: what was fixed or "
			"set is not in force, and comes with the next reset, planned or not.",
		.reference = "Linux Documentation/networking/devlink/devlink-info.rst and "
			     "devlink-reload.rst",
	},
};
CHECK_GROUP(pf_firmware_checks, checks);

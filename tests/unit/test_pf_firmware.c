/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pf_tree.h"

#include <sriovctl/check.h>
#include <sriovctl/finding.h>

#define DEVINFO "/.sriovctl/devinfo/pci." CARD
#define ICE_LOG "<6>[    9.6] ice " CARD ": "
#define LOADED	"The DDP package was successfully loaded: ICE OS Default Package version 1.3.26.0\n"
#define MISSING                                                                                 \
	"The DDP package file was not found or could not be read. Entering Safe Mode\n" ICE_LOG \
	"Fail during requesting FW: -2\n"

/* What of a host is not as on one with a good card. */
struct row {
	const char *driver, *device, *devinfo, *log, *ethtool;
	const char *osrelease, *build;
	bool no_folder;
	const char *file; /* in the folder of packages */
	enum verdict verdict;
	const char *says, *notes, *remedy;
};

static void plant(struct tree *t, const struct row *row)
{
	AUTO_BUF struct buf path = { 0 }, link = { 0 };
	struct card card = { .total = 8, .offset = 128, .stride = 1, .totalvfs = "8\n" };

	card.ids = row->device;
	if (row->driver)
		buf_printf(&link, "../../../../bus/pci/drivers/%s", row->driver);
	card.driver = row->driver ? buf_text(&link) : NULL;
	card.resource = "0x0 0x0 0x0\n";
	card_make(t, &card);
	if (row->devinfo)
		tree_put(t, DEVINFO, row->devinfo);
	if (row->log)
		tree_put(t, "/var/log/dmesg", row->log);
	if (row->ethtool) {
		tree_put_dir(t, CARD_DIR "/net/eth0");
		tree_put(t, "/.sriovctl/drvinfo/eth0", row->ethtool);
	}
	if (row->osrelease)
		tree_put(t, "/proc/sys/kernel/osrelease", row->osrelease);
	if (row->build)
		tree_put(t, "/proc/version", row->build);
	buf_printf(&path, "/lib/firmware/intel/ice/ddp/%s", row->file ? row->file : "README");
	if (!row->no_folder)
		tree_put(t, buf_text(&path), "");
}

static bool is_noted(const struct finding *f, const char *text)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (strstr(f->evidence[i].observed, text))
			return true;
	return false;
}

static void judge(const char *id, const struct row *row)
{
	AUTO_TREE struct tree t = { 0 };
	const struct check *c = check_find(id);
	struct finding f = { 0 };
	struct check_input in = { 0 };
	enum verdict v = VERDICT_MAX;
	bool is_right;

	plant(&t, row);
	in.host = t.h;
	in.pf = card_pf(&t) ? card_pf(&t)->dev : NULL;
	if (c && in.pf)
		v = c->run(&in, &f);
	is_right = v == row->verdict && f.error == 0 && f.summary && strstr(f.summary, row->says) &&
		   (!row->notes || is_noted(&f, row->notes)) &&
		   (!row->remedy || (f.remedy.n > 0 && strstr(f.remedy.items[0], row->remedy)));
	if (!is_right)
		printf("# %s: %s, not \"%s\"; %s\n", v < VERDICT_MAX ? verdict_name(v) : "none",
		       f.summary ? f.summary : "", row->says,
		       f.remedy.n > 0 ? f.remedy.items[0] : "no remedy");
	EXPECT(is_right);
	finding_done(&f);
}

static void judge_all(const char *id, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		judge(id, &rows[i]);
}

TEST(firmware_that_waits)
{
	static const struct row rows[] = {
		{ .driver = "mlx5_core",
		  .devinfo = "driver mlx5_core\nfixed fw.psid MT_0000000359\n"
			     "running fw.version 22.35.1012\nrunning fw 22.35.1012\n"
			     "stored fw.version 22.36.1010\nstored fw 22.36.1010\n",
		  .verdict = VERDICT_FAIL,
		  .says = "fw.version 22.36.1010 waits for a reset of the card, which runs "
			  "22.35.1012",
		  .notes = "fw: 22.35.1012 runs, 22.36.1010 is stored",
		  .remedy = "devlink dev reload pci/" CARD " action fw_activate" },
		{ .driver = "nfp",
		  .devinfo = "running fw.mgmt 2.1\nstored fw.mgmt 2.2\n",
		  .verdict = VERDICT_FAIL,
		  .says = "fw.mgmt 2.2 waits",
		  .remedy = "Reboot" },
		/* One of several, and older than what runs. */
		{ .driver = "ice",
		  .devinfo = "running fw.undi 1.3346.0\nrunning fw.psid.api 4.20\n"
			     "stored fw.undi 1.3346.0\nstored fw.psid.api 4.10\n",
		  .verdict = VERDICT_FAIL,
		  .says = "fw.psid.api 4.10 waits",
		  .notes = "fw.undi: 1.3346.0 runs" },
		{ .driver = "be2net",
		  .ethtool = "firmware 11.4.1186.0 [11.4.1226.0]\nbus " CARD "\n",
		  .verdict = VERDICT_FAIL,
		  .says = "firmware 11.4.1226.0 waits for a reset of the card, which runs "
			  "11.4.1186.0",
		  .remedy = "Reboot" },
	};

	judge_all("pf.firmware_pending", rows, ARRAY_SIZE(rows));
}

TEST(firmware_that_runs)
{
	static const struct row rows[] = {
		{ .driver = "mlx5_core",
		  .devinfo = "running fw.version 22.35.1012\nstored fw.version 22.35.1012\n",
		  .verdict = VERDICT_PASS,
		  .says = "runs what is on its flash" },
		{ .driver = "be2net",
		  .ethtool = "firmware 11.4.1186.0\nbus " CARD "\n",
		  .verdict = VERDICT_PASS,
		  .says = "11.4.1186.0" },
		/* The buffers differed behind the text. */
		{ .driver = "be2net",
		  .ethtool = "firmware 11.4.1186.0 [11.4.1186.0]\nbus " CARD "\n",
		  .verdict = VERDICT_PASS,
		  .says = "11.4.1186.0" },
	};

	judge_all("pf.firmware_pending", rows, ARRAY_SIZE(rows));
}

TEST(firmware_of_which_the_answer_was_cut)
{
	static const struct row rows[] = {
		/* What the rest would have said may differ. */
		{ .driver = "ice",
		  .devinfo = "running fw.mgmt 7.4.13\nrunning fw.bundle_id 0x8001c967\n"
			     "stored fw.mgmt 7.4.13\ncut\n",
		  .verdict = VERDICT_UNKNOWN,
		  .says = "may have been cut" },
		{ .driver = "mlx5_core",
		  .devinfo = "running fw.version 16.35.3006\ncut\n",
		  .verdict = VERDICT_UNKNOWN,
		  .says = "may have been cut" },
		{ .driver = "mlx5_core",
		  .devinfo = "running fw 1\nstored fw 1\ncut\n",
		  .verdict = VERDICT_PASS,
		  .says = "runs what is on its flash" },
		{ .driver = "mlx5_core",
		  .devinfo = "running fw 1\nrunning fw.version 1\nstored fw 2\ncut\n",
		  .verdict = VERDICT_FAIL,
		  .says = "fw 2 waits" },
	};

	judge_all("pf.firmware_pending", rows, ARRAY_SIZE(rows));
}

TEST(firmware_of_which_nothing_is_told)
{
	static const struct row rows[] = {
		{ .driver = "igb", .verdict = VERDICT_NA, .says = "igb does not tell" },
		{ .driver = "ionic",
		  .devinfo = "running fw 1.8.0-28\n",
		  .verdict = VERDICT_NA,
		  .says = "ionic does not tell" },
		/* Names that stand on one side alone. */
		{ .driver = "nfp",
		  .devinfo = "running fw.mgmt 2.1\nstored fw.bundle_id 7\n",
		  .verdict = VERDICT_NA,
		  .says = "nfp does not tell" },
		{ .driver = "ixgbe",
		  .device = "0x10fb\n",
		  .verdict = VERDICT_NA,
		  .says = "ixgbe does not tell" },
		{ .driver = "ixgbe",
		  .device = "0x57b0\n",
		  .verdict = VERDICT_UNKNOWN,
		  .says = "is not known" },
		{ .driver = "mlx5_core", .verdict = VERDICT_UNKNOWN, .says = "is not known" },
		{ .driver = "be2net", .verdict = VERDICT_UNKNOWN, .says = "is not known" },
		{ .driver = "be2net",
		  .ethtool = "firmware 11.4.1186.0 [Unknown\nbus " CARD "\n",
		  .verdict = VERDICT_UNKNOWN,
		  .says = "is no version",
		  .notes = "[Unknown" },
		{ .verdict = VERDICT_UNKNOWN, .says = "no driver is bound" },
	};

	judge_all("pf.firmware_pending", rows, ARRAY_SIZE(rows));
}

TEST(a_ddp_package_is_loaded)
{
	static const struct row rows[] = {
		{ .driver = "ice",
		  .devinfo =
			  "running fw.app.name ICE OS Default Package\nrunning fw.app 1.3.36.0\n",
		  .verdict = VERDICT_PASS,
		  .says = "is loaded",
		  .notes = "fw.app 1.3.36.0, fw.app.name ICE OS Default Package" },
		{ .driver = "ice",
		  .log = ICE_LOG LOADED,
		  .verdict = VERDICT_PASS,
		  .says = "loaded" },
		{ .driver = "ice",
		  .log = ICE_LOG "DDP package already present on device: ICE COMMS Package version "
				 "1.3.45.0\n",
		  .verdict = VERDICT_PASS,
		  .says = "is loaded" },
		/* Of a driver that was loaded anew, the last counts. */
		{ .driver = "ice",
		  .log = ICE_LOG MISSING ICE_LOG LOADED,
		  .verdict = VERDICT_PASS,
		  .says = "is loaded" },
		/* The probe failed later; the card is one of ice's by its id. */
		{ .device = "0x1592\n",
		  .log = ICE_LOG LOADED,
		  .verdict = VERDICT_PASS,
		  .says = "is loaded" },
	};

	judge_all("pf.ddp", rows, ARRAY_SIZE(rows));
}

TEST(the_driver_is_in_safe_mode)
{
	static const struct row rows[] = {
		{ .driver = "ice",
		  .devinfo = "driver ice\nrunning fw.app 0.0.0.0\n",
		  .osrelease = "6.1.0-50-amd64\n",
		  .build = "Linux version 6.1.0-50-amd64 (a@b) #1 SMP Debian 6.1.174-1\n",
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode",
		  .notes = "absent",
		  .remedy = "Install the package firmware-misc-nonfree" },
		{ .driver = "ice",
		  .log = ICE_LOG MISSING,
		  .osrelease = "5.14.0-362.24.1.el9_3.x86_64\n",
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode",
		  .notes = "was not found",
		  .remedy = "Install the package linux-firmware," },
		{ .driver = "ice",
		  .log = ICE_LOG "The DDP package file is invalid. Entering Safe Mode.\n",
		  .file = "ice.pkg.zst",
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode",
		  .notes = "present",
		  .remedy = "did not take" },
		{ .driver = "ice",
		  .log = ICE_LOG "The firmware loaded on the device is not compatible with the DDP "
				 "package.  Please update the device's NVM.  Entering safe mode.\n",
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode" },
		{ .driver = "ice",
		  .log = ICE_LOG "SR-IOV cannot be configured - Device is in Safe Mode\n",
		  .no_folder = true,
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode",
		  .remedy = "(package linux-firmware (Debian: firmware-misc-nonfree))" },
		/* It was loaded at first, and not after a reset: devlink has the name of then. */
		{ .driver = "ice",
		  .devinfo =
			  "running fw.app.name ICE OS Default Package\nrunning fw.app 1.3.36.0\n",
		  .log = ICE_LOG LOADED ICE_LOG
		  "An error occurred on the device while loading the DDP package.  The device will "
		  "be reset.\n",
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode" },
		/* Of a package that another driver left in the card. */
		{ .driver = "ice",
		  .devinfo = "running fw.app.name ICE OS Default Package\nrunning fw.app 1.4.1.0\n",
		  .log = ICE_LOG
		  "The device has a DDP package that is not supported by the driver.  "
		  "The device has package 'ICE OS Default Package' version 1.4.x.x.  "
		  "The driver requires version 1.3.x.x.  Entering Safe Mode.\n",
		  .verdict = VERDICT_FAIL,
		  .says = "safe mode" },
	};

	judge_all("pf.ddp", rows, ARRAY_SIZE(rows));
}

TEST(whether_a_ddp_package_is_loaded_is_open)
{
	static const struct row rows[] = {
		{ .driver = "igb", .verdict = VERDICT_NA, .says = "only cards of the driver ice" },
		{ .driver = "vfio-pci",
		  .device = "0x1592\n",
		  .log = ICE_LOG LOADED,
		  .verdict = VERDICT_NA,
		  .says = "only cards of the driver ice" },
		{ .driver = "ice", .verdict = VERDICT_UNKNOWN, .says = "not known" },
		/* Of another function, whose name begins as ours does. */
		{ .driver = "ice",
		  .log = "ice 0000:3b:00.1: " LOADED "ice 0000:3b:00.1: " MISSING,
		  .verdict = VERDICT_UNKNOWN,
		  .says = "not known" },
		{ .driver = "ice",
		  .devinfo = "running fw.app.name Other\nrunning fw.app 2.0.1.0\n",
		  .verdict = VERDICT_UNKNOWN,
		  .says = "not known",
		  .notes = "2.0.1.0" },
		{ .driver = "ice",
		  .devinfo = "running fw.app damaged\n",
		  .verdict = VERDICT_UNKNOWN,
		  .says = "not known" },
	};

	judge_all("pf.ddp", rows, ARRAY_SIZE(rows));
}

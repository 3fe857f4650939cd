/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is concluded from texts, and what is not, where that takes more than one layer. */
#include "imported.h"

#include <sriovctl/report.h>

#include <string.h>

static bool judged(const struct host *h, const char *id, const char *subject, enum verdict verdict)
{
	AUTO_REPORT struct report r = { 0 };
	AUTO_STRV struct strv only = { 0 };
	struct report_options o = { 0 };
	struct error e = { 0 };
	bool found = false;

	EXPECT(strv_add(&only, id) == 0);
	o.only = only;
	EXPECT(report_run(h, &o, &r, &e) == 0);
	for (size_t i = 0; i < r.n_results; i++) {
		const struct result *it = &r.results[i];

		if (strcmp(it->subject, subject) != 0)
			continue;
		/* One subject has one result. */
		EXPECT(!found);
		found = true;
		if (it->verdict != verdict)
			printf("# %s of %s: %d, %s\n", id, subject, it->verdict,
			       it->finding.summary);
		else
			verdict = VERDICT_MAX;
	}
	return found && verdict == VERDICT_MAX;
}

#define LINK                                                                 \
	"7: enp59s0f0: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP\n" \
	"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
#define VF(number, mac, trust)                                                        \
	"    vf " number " link/ether " mac " brd ff:ff:ff:ff:ff:ff, spoof checking " \
	"on, link-state auto, trust " trust "\n"

TEST(vfs_of_which_only_the_pf_tells_are_judged_by_what_it_has_set)
{
	AUTO_IMPORTED struct imported good = { 0 }, zero = { 0 }, twice = { 0 };
	const struct host *h = imported_text(&good, LINK VF("0", "02:00:00:00:00:45", "off")
							    VF("1", "02:00:00:00:00:46", "off"));

	EXPECT(judged(h, "vf.mac", "0000:3b:00.0", VERDICT_PASS));
	EXPECT(judged(h, "vf.policy", "0000:3b:00.0", VERDICT_PASS));
	/* They are there, and their functions were not seen. */
	EXPECT(judged(h, "vf.present", "0000:3b:00.0", VERDICT_UNKNOWN));
	/* The worst of them counts, wherever it stands. */
	h = imported_text(&zero, LINK VF("0", "02:00:00:00:00:45", "off")
					 VF("1", "00:00:00:00:00:00", "off")
						 VF("2", "02:00:00:00:00:47", "off"));
	EXPECT(judged(h, "vf.mac", "0000:3b:00.0", VERDICT_FAIL));
	h = imported_text(&twice, LINK VF("0", "02:00:00:00:00:45", "off")
					  VF("1", "02:00:00:00:00:45", "off"));
	EXPECT(judged(h, "vf.mac", "0000:3b:00.0", VERDICT_FAIL));
}

#define PF                                                                                \
	"0c:00.0 Ethernet controller: Broadcom Inc. and subsidiaries BCM57840 (rev 11)\n" \
	"\tCapabilities: [1c0 v1] Single Root I/O Virtualization (SR-IOV)\n"              \
	"\t\tIOVCtl:\tEnable- Migration- Interrupt- MSE- ARIHierarchy+\n"                 \
	"\t\tInitial VFs: 64, Total VFs: 64, Number of VFs: 0, Function Dependency "      \
	"Link: 00\n"                                                                      \
	"\t\tVF offset: 8, stride: 1, Device ID: 16ad\n"                                  \
	"\tKernel driver in use: bnx2x\n\n"
#define VIRTUAL                                                                               \
	".0 Ethernet controller: Broadcom Inc. and subsidiaries NetXtreme II BCM57840 10/20 " \
	"Gigabit "                                                                            \
	"Ethernet Virtual Function\n"

TEST(vfs_of_another_moment_than_their_pf_are_its_all_the_same)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, PF "0c:01" VIRTUAL "0c:09" VIRTUAL);

	EXPECT(judged(h, "vf.present", "0000:0c:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(h, "vf.mac", "0000:0c:01.0", VERDICT_UNKNOWN));
	/* Of this one the PF was not sent: that does not make it one of another host. */
	EXPECT(judged(h, "vf.mac", "0000:0c:09.0", VERDICT_UNKNOWN));
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:0c:01.0/physfn") == 0);
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:0c:09.0/physfn") == -ENODATA);
}

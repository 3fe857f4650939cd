/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "imported.h"

#include <sriovctl/pciconf_path.h>

#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

#define PF "0000:3b:00.0"

#define HEADER                                                                         \
	"3b:00.0 Ethernet controller: Intel Corporation Ethernet Controller X710 for " \
	"10GbE SFP+ (rev 02)\n"
#define CONTROL                                      \
	"\tControl: I/O- Mem+ BusMaster+ DisINTx+\n" \
	"\tStatus: Cap+ 66MHz- UDF- FastB2B-\n"      \
	"\tInterrupt: pin A routed to IRQ 17\n"      \
	"\tNUMA node: 1\n"                           \
	"\tIOMMU group: 44\n"
#define NORMAL                                                                            \
	"\tCapabilities: [40] Power Management version 3\n"                               \
	"\t\tStatus: D3 NoSoftRst+ PME-Enable- DSel=0 DScale=1 PME-\n"                    \
	"\tCapabilities: [50] MSI: Enable+ Count=1/4 Maskable+ 64bit+\n"                  \
	"\t\tAddress: 00000000fee00218  Data: 4021\n"                                     \
	"\tCapabilities: [70] MSI-X: Enable+ Count=129 Masked-\n"                         \
	"\t\tVector table: BAR=3 offset=00000000\n"                                       \
	"\tCapabilities: [a0] Express (v2) Endpoint, MSI 00\n"                            \
	"\t\tDevCap:\tMaxPayload 2048 bytes, PhantFunc 0, Latency L0s <512ns, L1 <64us\n" \
	"\t\t\tExtTag+ AttnBtn- AttnInd- PwrInd- RBE+ FLReset+ SlotPowerLimit 0.000W\n"   \
	"\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x8, ASPM L1\n"                          \
	"\t\t\tClockPM- Surprise- LLActRep- BwNot- ASPMOptComp+\n"                        \
	"\t\tLnkSta:\tSpeed 5GT/s (downgraded), Width x4 (downgraded)\n"                  \
	"\t\t\tTrErr- Train- SlotClk+ DLActive- BWMgmt+ ABWMgmt-\n"                       \
	"\t\tLnkCtl2: Target Link Speed: 8GT/s, EnterCompliance- SpeedDis-\n"
#define EXTENDED                                                                               \
	"\tCapabilities: [100 v2] Advanced Error Reporting\n"                                  \
	"\t\tUESta:\tDLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-\n"      \
	"\tCapabilities: [150 v1] Alternative Routing-ID Interpretation (ARI)\n"               \
	"\t\tARICap:\tMFVC- ACS-, Next Function: 1\n"                                          \
	"\tCapabilities: [160 v1] Single Root I/O Virtualization (SR-IOV)\n"                   \
	"\t\tIOVCap:\tMigration-, Interrupt Message Number: 000\n"                             \
	"\t\tIOVCtl:\tEnable- Migration- Interrupt- MSE- ARIHierarchy+\n"                      \
	"\t\tIOVSta:\tMigration-\n"                                                            \
	"\t\tInitial VFs: 64, Total VFs: 64, Number of VFs: 0, Function Dependency Link: 00\n" \
	"\t\tVF offset: 16, stride: 1, Device ID: 154c\n"
#define SRIOV_REST                                                          \
	"\t\tSupported Page Size: 00000553, System Page Size: 00000001\n"   \
	"\t\tRegion 0: Memory at 0000000092400000 (64-bit, prefetchable)\n" \
	"\t\tRegion 3: Memory at 0000000000000000 (64-bit, prefetchable)\n" \
	"\t\tVF Migration: offset: 00000000, BIR: 0\n"
#define ACS                                                                                \
	"\tCapabilities: [1b0 v1] Access Control Services\n"                               \
	"\t\tACSCap:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- " \
	"DirectTrans-\n"                                                                   \
	"\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- " \
	"DirectTrans-\n"
#define KERNEL "\tKernel driver in use: i40e\n\tKernel modules: i40e\n"

#define WHOLE HEADER CONTROL NORMAL EXTENDED SRIOV_REST ACS KERNEL

static struct pciconf space_of(const struct host *h, const char *name)
{
	struct pciconf c = { 0 };

	EXPECT(pciconf_read(h, name, &c, NULL) == 0);
	return c;
}

TEST(a_whole_block_is_the_space_that_it_was_printed_from)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(imported_text(&v, WHOLE), PF);
	struct pciconf_express x = { 0 };
	struct pciconf_sriov s = { 0 };
	struct pciconf_msix msix = { 0 };
	struct pciconf_msi msi = { 0 };
	struct pciconf_power power = { 0 };
	struct pciconf_acs acs = { 0 };
	struct pciconf_ari ari = { 0 };
	uint16_t at;

	EXPECT(pciconf_sriov(&c, &s) == 0 && s.total_vfs == 64 && s.initial_vfs == 64);
	EXPECT(s.first_offset == 16 && s.stride == 1 && s.vf_device == 0x154c);
	EXPECT(s.knows_control && s.ari_hierarchy && !s.vf_enable && s.knows_link);
	EXPECT(s.knows_bars && s.bar[0].exists && s.bar[0].is_64 && s.bar[0].prefetchable);
	EXPECT(s.bar[0].address == 0x92400000 && s.bar[3].exists && s.bar[3].address == 0);
	EXPECT(!s.bar[2].exists && !s.bar[5].exists && s.page_sizes == 0x553);
	EXPECT(pciconf_msix(&c, &msix) == 0 && msix.enabled && msix.table_size == 129);
	EXPECT(pciconf_msi(&c, &msi) == 0 && msi.address == 0xfee00218 && msi.data == 0x4021);
	EXPECT(msi.capable == 4 && msi.allocated == 1);
	EXPECT(pciconf_power(&c, &power) == 0 && power.state == 3);
	EXPECT(pciconf_express(&c, &x) == 0 && x.type == PCICONF_ENDPOINT && x.version == 2);
	EXPECT(x.flr && x.link_error == 0 && x.max_speed == 3 && x.cur_speed == 2);
	EXPECT(x.max_width == 8 && x.cur_width == 4 && x.bandwidth_changed && x.target_speed == 3);
	EXPECT(pciconf_ari(&c, &ari) == 0 && ari.next_function == 1);
	EXPECT(pciconf_acs(&c, &acs) == 0 && acs.cap == 0x1d && acs.ctrl == 0x01);
	/* Both lists were seen to their ends. */
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EA, &at) == -ENOENT);
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_DPC, &at) == -ENOENT);
}

#define SIZES                                                                                 \
	HEADER CONTROL "\tCapabilities: [a0] Express (v2) Endpoint, MSI 00\n"                 \
		       "\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0, Latency L0s <512ns\n" \
		       "\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq+\n"             \
		       "\t\t\tRlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+ FLReset-\n"
#define SET    "\t\t\tMaxPayload 256 bytes, MaxReadReq 4096 bytes\n"
#define ERRORS "\tCapabilities: [100 v2] Advanced Error Reporting\n"
#define STATUS(tlp)                                                                             \
	"\t\tUESta:\tDLP- SDES- TLP" tlp " FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-\n" \
	"\t\t\tECRC- UnsupReq- ACSViol-"
#define MORE " UncorrIntErr- BlockedTLP- AtomicOpBlocked- TLPBlockedErr-\n\t\t\tPoisonTLPBlocked-"
#define MASK                                                                                \
	"\n\t\tUEMsk:\tDLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-\n" \
	"\t\t\tECRC- UnsupReq- ACSViol- UncorrIntErr+ BlockedTLP- AtomicOpBlocked- "        \
	"TLPBlockedErr-\n\t\t\tPoisonTLPBlocked-\n"                                         \
	"\t\tUESvrt:\tDLP+ SDES+ TLP+ FCP+ CmpltTO+ CmpltAbrt+ UnxCmplt+ RxOF+ MalfTLP+\n"
#define MENDED                                                                                \
	"\t\tCESta:\tRxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- " \
	"HeaderOF-\n"                                                                         \
	"\t\tCEMsk:\tRxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- " \
	"HeaderOF-\n"

/* What is not printed is not zero. */
TEST(what_travels_a_link_is_known_where_it_was_printed)
{
	static const struct {
		const char *text;
		int payload, aer;
	} cases[] = {
		{ .text = SIZES SET ERRORS STATUS("-") MORE MASK MENDED },
		{ .text = SIZES ERRORS STATUS("-") MORE MASK MENDED, .payload = -ENODATA },
		{ .text = SIZES SET ERRORS STATUS("-") MASK MENDED, .aer = -ENODATA },
		{ .text = SIZES SET ERRORS STATUS("-") MORE MASK, .aer = -ENODATA },
		{ .text = SIZES SET ERRORS STATUS("-") MORE "\n" MENDED, .aer = -ENODATA },
		{ .text = SIZES SET ERRORS STATUS("+") MASK },
		{ .text = WHOLE, .payload = -ENODATA, .aer = -ENODATA },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		struct pciconf c = space_of(imported_text(&v, cases[i].text), PF);
		struct pciconf_payload payload = { 0 };
		struct pciconf_aer aer = { 0 };

		EXPECT(pciconf_payload(&c, &payload) == cases[i].payload);
		EXPECT(payload.set == (cases[i].payload ? 0 : 256));
		EXPECT(payload.capable == (cases[i].payload ? 0 : 512));
		EXPECT(payload.read_request == (cases[i].payload ? 0 : 4096));
		EXPECT(pciconf_aer(&c, &aer) == cases[i].aer);
		EXPECT(aer.correctable == 0);
		EXPECT(aer.uncorrectable == (strstr(cases[i].text, "TLP+ FCP-") ? 1u << 12 : 0));
	}
}

TEST(what_stands_around_the_registers_is_taken_as_sysfs_has_it)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, WHOLE);
	const struct pcidevs *devices = NULL;
	const struct pcidev *d;

	EXPECT(pcidevs_get(h, &devices, NULL) == 0 && devices->n == 1);
	d = pcidevs_find(devices, PF);
	EXPECT(d && d->id_error == 0 && d->vendor == 0x8086 && d->device == 0x1572);
	EXPECT(d && d->class == 0x020000 && d->node == 1 && d->driver_error == 0);
	EXPECT(d && d->driver && strcmp(d->driver, "i40e") == 0);
	EXPECT(d && d->group && strcmp(d->group, "44") == 0);
	/* What lspci does not print is not known, and not absent. */
	EXPECT(d && d->totalvfs_error == -ENODATA && d->rows_error == -ENODATA);
}

/* The same text, cut in more and more places. */
TEST(a_cut_block_proves_no_absence)
{
	static const struct {
		const char *text;
		int sriov, acs, normal; /* what their look-ups say */
	} rows[] = {
		{ .text = HEADER CONTROL NORMAL EXTENDED SRIOV_REST ACS,
		  .normal = -ENOENT,
		  .sriov = 0,
		  .acs = 0 },
		{ .text = HEADER CONTROL NORMAL,
		  .sriov = -ENODATA,
		  .acs = -ENODATA,
		  .normal = -ENODATA },
		{ .text = HEADER CONTROL NORMAL KERNEL,
		  .sriov = -ENODATA,
		  .acs = -ENODATA,
		  .normal = -ENOENT },
		{ .text = HEADER NORMAL EXTENDED KERNEL,
		  .sriov = 0,
		  .acs = -ENODATA,
		  .normal = -ENODATA },
		{ .text = HEADER CONTROL NORMAL ACS KERNEL,
		  .sriov = -ENODATA,
		  .acs = 0,
		  .normal = -ENOENT },
		{ .text = HEADER ACS, .sriov = -ENODATA, .acs = 0, .normal = -ENODATA },
		{ .text = HEADER CONTROL, .sriov = -ENODATA, .acs = -ENODATA, .normal = -ENODATA },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		struct pciconf c = space_of(imported_text(&v, rows[i].text), PF);
		uint16_t at;

		EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == rows[i].sriov);
		EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_ACS, &at) == rows[i].acs);
		EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_DPC, &at) == -ENODATA);
		EXPECT(pciconf_cap(&c, PCI_CAP_ID_EA, &at) == rows[i].normal);
	}
}

TEST(what_follows_shows_that_a_block_was_whole)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(
		imported_text(&v, HEADER CONTROL NORMAL ACS "\n3b:00.1 Ethernet controller: x\n"),
		PF);
	AUTO_IMPORTED struct imported other = { 0 };
	struct pciconf whole =
		space_of(imported_text(&other, HEADER CONTROL NORMAL EXTENDED SRIOV_REST
				       "\n3b:00.1 Ethernet controller: x\n"),
			 PF);
	uint16_t at;

	/* Without what the list begins with it is not whole all the same. */
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == -ENODATA);
	EXPECT(pciconf_ext_cap(&whole, PCI_EXT_CAP_ID_ACS, &at) == -ENOENT);
	/* A function beside it shows in its header. */
	EXPECT(pciconf_is_multifunction(&whole));
}

TEST(vf_bars_are_known_only_of_a_block_that_prints_them)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(imported_text(&v, HEADER CONTROL NORMAL EXTENDED
						  "\t\tVF Migration: offset: 00000000, BIR: 0\n"),
				    PF);
	struct pciconf_sriov s = { 0 };

	EXPECT(pciconf_sriov(&c, &s) == 0 && s.total_vfs == 64 && !s.knows_bars);
}

TEST(a_name_alone_gives_no_numbers)
{
	static const char text[] =
		HEADER "\tFlags: bus master, fast devsel, latency 0, IRQ 16, NUMA node 0\n"
		       "\tCapabilities: [70] MSI-X: Enable+ Count=129 Masked-\n"
		       "\tCapabilities: [a0] Express Endpoint, MSI 00\n"
		       "\tCapabilities: [100] Advanced Error Reporting\n"
		       "\tCapabilities: [160] Single Root I/O Virtualization (SR-IOV)\n"
		       "\tCapabilities: [1b0] Access Control Services\n" KERNEL;
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(imported_text(&v, text), PF);
	struct pciconf_express x = { 0 };
	struct pciconf_msix msix = { 0 };
	struct pciconf_sriov s;
	struct pciconf_acs acs;
	uint16_t at;

	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == 0 && at == 0x160);
	EXPECT(pciconf_sriov(&c, &s) == -ENODATA && pciconf_acs(&c, &acs) == -ENODATA);
	EXPECT(pciconf_msix(&c, &msix) == 0 && msix.table_size == 129);
	EXPECT(pciconf_express(&c, &x) == 0 && x.link_error == -ENODATA && x.ari_error == -ENODATA);
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_DPC, &at) == -ENOENT);
}

TEST(what_only_root_may_read_is_not_absent)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(
		imported_text(&v, HEADER CONTROL "\tCapabilities: <access denied>\n" KERNEL), PF);
	struct pciconf_sriov s;

	EXPECT(pciconf_sriov(&c, &s) == -EACCES);
}

#define DUMP                                                    \
	"00: 86 80 72 15 06 04 10 00 02 00 00 02 10 00 80 00\n" \
	"10: 0c 00 00 90 00 00 00 00 00 00 00 00 0c 00 00 92\n" \
	"20: 00 00 00 00 00 00 00 00 00 00 00 00 86 80 00 00\n" \
	"30: 00 00 00 00 70 00 00 00 00 00 00 00 0b 01 00 00\n"

TEST(a_dump_and_a_text_of_one_function_add_up)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf_msix msix = { 0 };
	struct pciconf_sriov s = { 0 };
	struct pciconf c;
	uint16_t at;

	imported_put(&v, "/a.txt", WHOLE);
	imported_put(&v, "/b.txt", HEADER DUMP);
	c = space_of(imported_host(&v), PF);
	EXPECT(c.len == PCICONF_MAX && pciconf_u16(&c, PCI_COMMAND) == 0x0406);
	/* By its dump the list begins with MSI-X: what the text has before stays out. */
	EXPECT(pciconf_msix(&c, &msix) == 0 && msix.table_size == 129);
	EXPECT(pciconf_sriov(&c, &s) == 0 && s.total_vfs == 64);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EA, &at) == -ENODATA);
}

TEST(a_mailer_may_join_the_lines_of_a_dump)
{
	static const char text[] =
		"3b:00.0 Ethernet controller: Intel Corporation X710 (rev 02) 00: 86 80 72 15 06 "
		"04 10 00 02 00 00 02 10 00 80 00 10: 0c 00 00 90 00 00 00 00 00 00 00 00 0c 00 00 "
		"92 20: 00 00 00 00 00 00 00 00 00 00 00 00 86 80 00 00 30: 00 00 00 00 70 00 00 "
		"00 00 00 00 00 0b 01 00 00\n";
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(imported_text(&v, text), PF);

	EXPECT(c.len == 64 && c.known == NULL && pciconf_u16(&c, PCI_DEVICE_ID) == 0x1572);
}

TEST(a_block_that_lost_its_header_is_nobodys)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h =
		imported_text(&v, HEADER CONTROL NORMAL EXTENDED SRIOV_REST ACS KERNEL
			      "\n\tControl: I/O- Mem+\n\tStatus: Cap+\n\tIOMMU group: 45\n"
			      "\tCapabilities: [70] MSI-X: Enable+ Count=7 Masked-\n"
			      "\tKernel driver in use: other\n");
	struct pciconf c = space_of(h, PF);
	struct pciconf_msix msix = { 0 };
	AUTO_BUF struct buf driver = { 0 };

	EXPECT(pciconf_msix(&c, &msix) == 0 && msix.table_size == 129);
	EXPECT(host_link_name(h, &driver, NULL, PCIDEV_PATH "/" PF "/driver") == 0);
	EXPECT(strcmp(buf_text(&driver), "i40e") == 0);
}

TEST(a_driver_is_absent_only_where_others_show_theirs)
{
	static const char beside[] = "\n3b:00.1 Ethernet controller: Intel Corporation X (rev 01)\n"
				     "\tFlags: fast devsel\n"
				     "\tCapabilities: [40] Power Management version 3\n"
				     "\n3b:00.2 Ethernet controller: y\n";
	AUTO_IMPORTED struct imported with = { 0 }, without = { 0 }, module = { 0 };
	const struct host *h;

	imported_put(&with, "/a.txt", WHOLE);
	tree_put(&with.files, "/a.txt",
		 HEADER CONTROL NORMAL KERNEL
		 "\n3b:00.1 Ethernet controller: Intel Corporation X (rev 01)\n"
		 "\tFlags: fast devsel\n\tCapabilities: [40] Power Management version 3\n"
		 "\n3b:00.2 Ethernet controller: y\n");
	h = imported_host(&with);
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.1/driver") == -ENOENT);
	/* The last one may have been cut. */
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.2/driver") == -ENODATA);
	h = imported_text(&without, &beside[1]);
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.1/driver") == -ENODATA);
	h = imported_text(&module, HEADER CONTROL "\tKernel modules: i40e\n");
	EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/driver") == -ENOENT);
}

TEST(vfs_that_are_on_are_found_by_their_places)
{
	static const char text[] = HEADER CONTROL NORMAL
		"\tCapabilities: [100 v1] Single Root I/O Virtualization (SR-IOV)\n"
		"\t\tIOVCtl:\tEnable+ Migration- Interrupt- MSE+ ARIHierarchy-\n"
		"\t\tInitial VFs: 8, Total VFs: 8, Number of VFs: 2, Function Dependency Link: 00\n"
		"\t\tVF offset: 2, stride: 1, Device ID: 154c\n"
		"\n3b:00.2 Ethernet controller: a\n3b:00.3 Ethernet controller: b\n"
		"3b:00.4 Ethernet controller: c\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, text);
	const struct pcidevs *devices = NULL;

	EXPECT(pcidevs_get(h, &devices, NULL) == 0 && devices->n == 4);
	EXPECT(pcidevs_find(devices, "0000:3b:00.2")->is_vf);
	EXPECT(pcidevs_find(devices, "0000:3b:00.3")->is_vf);
	EXPECT(!pcidevs_find(devices, "0000:3b:00.4")->is_vf);
}

TEST(a_bridge_has_its_buses)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct pciconf c = space_of(
		imported_text(&v,
			      "0000:3a:00.0 PCI bridge [0604]: Intel Corporation [8086:2030]\n"
			      "\tBus: primary=3a, secondary=3b, subordinate=3d, sec-latency=0\n"),
		"0000:3a:00.0");

	EXPECT(pciconf_is_bridge(&c) && pciconf_secondary_bus(&c) == 0x3b);
	EXPECT(pciconf_subordinate_bus(&c) == 0x3d);
}

TEST(text_that_is_no_lspci_makes_no_functions)
{
	static const char *const texts[] = {
		"see 3b:00.0 for more: it has none\n",
		"3b:00.9 Ethernet controller: x\n",
		"3b:20.0 Ethernet controller: x\n",
		"12:00.0 o'clock: lunch\n",
		"as in\n\t3b:00.0 Ethernet controller: x\n",
		"00: 86 80 72 15 06 04 10 00 02 00 00 02 10 00 80 00\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct host *h = imported_text(&v, texts[i]);

		EXPECT(host_exists(h, PCIDEV_PATH) != 0);
		EXPECT(v.taken == 0);
	}
}

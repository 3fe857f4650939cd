/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "pf_tree.h"

#include <sriovctl/finding.h>

#define ROWS_EMPTY ROWS_PF ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE

static struct check_input wish(uint32_t vfs, uint32_t queues)
{
	return (struct check_input){ .vfs = vfs, .queues = queues };
}

/* The verdict of this check on the card, and what it says about it. */
static enum verdict ask(const struct tree *t, const char *id, const struct check_input *wanted,
			const char *says)
{
	const struct check *c = check_find(id);
	const struct pcidevs *v = NULL;
	struct finding f = { 0 };
	struct check_input in = wanted ? *wanted : wish(0, 0);
	enum verdict verdict = VERDICT_MAX;

	EXPECT(c && pcidevs_get(t->h, &v, NULL) == 0);
	in.host = t->h;
	in.pf = v ? pcidevs_find(v, CARD) : NULL;
	if (c && in.pf)
		verdict = c->run(&in, &f);
	EXPECT(f.error == 0 && f.summary);
	if (says && f.summary && !strstr(f.summary, says)) {
		printf("# %s: %s\n", id, f.summary);
		EXPECT(!"the summary says it");
	}
	finding_done(&f);
	return verdict;
}

static const char *const ids[] = { "pf.sriov_capability", "pf.driver", "pf.vf_count", "pf.vf_mmio",
				   "pf.vf_bus",		  "pf.ari",    "pf.msix" };

static void expect_all(const struct tree *t, enum verdict verdict)
{
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		enum verdict got = ask(t, ids[i], NULL, NULL);

		if (got != verdict)
			printf("# %s: %s\n", ids[i], verdict_name(got));
		EXPECT(got == verdict);
	}
}

TEST(a_good_card_passes_everything)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card_make(&t, &card);
	expect_all(&t, VERDICT_PASS);
}

TEST(a_card_that_never_had_vfs_is_not_judged)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.no_capability = true;
	card.totalvfs = NULL;
	card.ids = "0x1533\n";
	card_make(&t, &card);
	expect_all(&t, VERDICT_NA);
}

TEST(a_vf_is_not_judged)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.ids = "0x10ca\n";
	card_make(&t, &card);
	expect_all(&t, VERDICT_NA);
}

TEST(a_count_above_the_drivers_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input eight = wish(8, 0);
	struct card card = card_good();

	card_make(&t, &card);
	EXPECT(ask(&t, "pf.vf_count", &eight, "8 VFs are wanted, 7 are possible: the driver") ==
	       VERDICT_FAIL);
}

TEST(a_capability_that_the_cards_firmware_has_off_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.no_capability = true;
	card.totalvfs = NULL;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "SR-IOV is off in the card's firmware") ==
	       VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", NULL, "no VF is possible") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_mmio", NULL, NULL) == VERDICT_NA);
	EXPECT(ask(&t, "pf.driver", NULL, NULL) == VERDICT_PASS);
}

TEST(total_vfs_of_zero_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.total = 0;
	card.totalvfs = NULL;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "their number is 0") == VERDICT_FAIL);
}

TEST(a_driver_that_takes_none_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.totalvfs = "0\n";
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "takes none of the 8") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", NULL, "no VF is possible: the driver") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_bus", NULL, NULL) == VERDICT_NA);
}

TEST(vfs_that_the_kernel_does_not_offer_fail)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.totalvfs = NULL;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "the kernel does not offer") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", NULL, "no VF is possible") == VERDICT_FAIL);
}

TEST(an_ordinary_user_is_never_told_that_there_is_no_capability)
{
	static const unsigned sizes[] = { 64, 256 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		AUTO_TREE struct tree t = { 0 };
		struct card card = card_good();

		card.size = sizes[i];
		card.totalvfs = card.ari_enabled = NULL;
		card_make(&t, &card);
		EXPECT(ask(&t, "pf.sriov_capability", NULL, NULL) == VERDICT_UNKNOWN);
		EXPECT(ask(&t, "pf.vf_count", NULL, NULL) == VERDICT_UNKNOWN);
		EXPECT(ask(&t, "pf.vf_mmio", NULL, NULL) == VERDICT_UNKNOWN);
		EXPECT(ask(&t, "pf.vf_bus", NULL, NULL) == VERDICT_UNKNOWN);
		EXPECT(ask(&t, "pf.ari", NULL, NULL) == VERDICT_UNKNOWN || sizes[i] == 256);
	}
}

TEST(no_address_space_is_not_one_vf)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input one = wish(1, 0);
	struct card card = card_good();

	card.resource = ROWS_EMPTY;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.vf_mmio", &one, "not one VF works") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", &one, "no VF is possible: address space") == VERDICT_FAIL);
}

TEST(a_vf_bar_that_only_the_log_knows_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input one = wish(1, 0);
	struct card card = card_good();

	card_make(&t, &card);
	tree_put(&t, "/var/log/dmesg",
		 "[ 1.0] pci " CARD ": BAR 9: no space for [mem size 0x00020000]\n"
		 "[ 1.1] NET: Registered PF_INET6 protocol family\n");
	EXPECT(ask(&t, "pf.vf_mmio", &one, "VF BAR 2 has no address space") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", &one, "no VF is possible: address space") == VERDICT_FAIL);
}

TEST(what_the_kernel_offers_has_a_capability_whatever_was_captured)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.no_capability = true;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "offers up to 7 VFs") == VERDICT_PASS);
	EXPECT(ask(&t, "pf.vf_count", NULL, NULL) == VERDICT_UNKNOWN);
}

/* --- no function that is judged -------------------------------------------------------- */

static enum verdict ask_host(const struct tree *t, const char *says)
{
	const struct check *c = check_find("pf.sriov_capability");
	const struct check_input in = { .host = t->h };
	struct finding f = { 0 };
	enum verdict v = c->run(&in, &f);

	EXPECT(f.error == 0 && f.summary && strstr(f.summary, says));
	EXPECT(v != VERDICT_UNKNOWN || f.remedy.n > 0);
	finding_done(&f);
	return v;
}

TEST(a_host_has_no_vfs_when_every_function_is_known_to_have_none)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	/* An ordinary user's view: the kernel would show the file. */
	card.size = 64;
	card.ids = "0x1533\n";
	card.totalvfs = NULL;
	card_make(&t, &card);
	EXPECT(ask_host(&t, "no PCI function of this host offers VFs") == VERDICT_FAIL);
}

TEST(a_bridge_need_not_be_known_and_a_function_must)
{
	AUTO_TREE struct tree bridges = { 0 }, lost = { 0 };
	struct card card = card_good();

	card.ids = "0x1533\n";
	card.totalvfs = card.resource = NULL;
	card_make(&lost, &card);
	EXPECT(ask_host(&lost, CARD " could not be looked at") == VERDICT_UNKNOWN);
	tree_new(&bridges);
	tree_put(&bridges, PORT_DIR "/class", "0x060400\n");
	tree_put_link(&bridges, "/sys/bus/pci/devices/0000:3a:00.0",
		      "../../../devices/pci0000:3a/0000:3a:00.0");
	EXPECT(ask_host(&bridges, "no function was captured") == VERDICT_UNKNOWN);
}

TEST(bus_numbers_end_where_the_kernel_says)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input fit = wish(128, 0), more = wish(129, 0);
	struct card card = card_good();

	card.total = 200;
	card.totalvfs = "200\n";
	card.driver = DRIVER("pci-pf-stub");
	card.stride = 1;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.vf_bus", &fit, NULL) == VERDICT_PASS);
	EXPECT(ask(&t, "pf.vf_count", &fit, NULL) == VERDICT_PASS);
	EXPECT(ask(&t, "pf.vf_bus", &more, "reach VF 128 of 129") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", &more, "128 are possible: bus numbers") == VERDICT_FAIL);
}

TEST(a_port_without_ari_leaves_vfs_unreached)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input few = wish(6, 0);
	struct card card = card_good();

	card.offset = card.stride = 1;
	card.offset = 2;
	card.ari_enabled = "0\n";
	card.port_incapable = true;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.ari", NULL, "cannot forward it") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.ari", &few, "none of 6 VFs needs it") == VERDICT_PASS);
	/* The kernel makes them; whether they answer only the attempt tells. */
	EXPECT(ask(&t, "pf.vf_count", NULL, "6 are: ARI") == VERDICT_UNKNOWN);
}

TEST(drivers_are_told_apart)
{
	static const struct {
		const char *driver, *says;
		enum verdict verdict;
	} rows[] = {
		{ DRIVER("igb"), "igb is bound", VERDICT_PASS },
		{ DRIVER("vfio-pci"), "makes no VFs by itself", VERDICT_FAIL },
		{ DRIVER("mlx4_core"), "mlx4_core creates no VFs", VERDICT_FAIL },
		{ DRIVER("no_such_driver"), "is not known", VERDICT_UNKNOWN },
		{ NULL, "no driver is bound", VERDICT_FAIL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		struct card card = card_good();

		card.driver = rows[i].driver;
		card_make(&t, &card);
		EXPECT(ask(&t, "pf.driver", NULL, rows[i].says) == rows[i].verdict);
	}
}

TEST(vfio_pci_creates_vfs_when_it_was_told_to)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.driver = DRIVER("vfio-pci");
	card_make(&t, &card);
	tree_put(&t, "/sys/module/vfio_pci/parameters/enable_sriov", "Y\n");
	EXPECT(ask(&t, "pf.driver", NULL, NULL) == VERDICT_PASS);
}

TEST(vfio_pci_creates_no_vfs_when_its_switch_is_seen_off)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.driver = DRIVER("vfio-pci");
	card_make(&t, &card);
	tree_put(&t, "/sys/module/vfio_pci/parameters/enable_sriov", "N\n");
	EXPECT(ask(&t, "pf.driver", NULL, "its enable_sriov is off") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", NULL, "no VF is possible") == VERDICT_FAIL);
}

TEST(a_driver_may_need_a_symbol_of_the_kernels_configuration)
{
	static const struct {
		const char *release, *config;
		enum verdict driver;
	} rows[] = {
		{ "6.12.48", "CONFIG_ICE=m\n# CONFIG_ICE_SWITCHDEV is not set\n", VERDICT_UNKNOWN },
		{ "6.12.48", "CONFIG_ICE=m\nCONFIG_ICE_SWITCHDEV=y\n", VERDICT_PASS },
		{ "6.1.0", "CONFIG_ICE=m\n# CONFIG_ICE_SWITCHDEV is not set\n", VERDICT_PASS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf path = { 0 };
		struct card card = card_good();
		const char *says = rows[i].driver == VERDICT_PASS ? NULL : "CONFIG_ICE_SWITCHDEV";

		card.driver = DRIVER("ice");
		card_make(&t, &card);
		tree_put(&t, "/proc/sys/kernel/osrelease", rows[i].release);
		buf_printf(&path, "/boot/config-%s", rows[i].release);
		tree_put(&t, buf_text(&path), rows[i].config);
		EXPECT(ask(&t, "pf.driver", NULL, says) == rows[i].driver);
		EXPECT(ask(&t, "pf.vf_count", NULL, NULL) == rows[i].driver);
	}
}

/* --- pf.msix ------------------------------------------------------------------------------- */

TEST(msix_off_under_a_driver_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.msix_off = true;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", NULL, "igb is bound and MSI-X is off") == VERDICT_FAIL);
	card_file(&t, "net/eth0/flags", "0x1002\n");
	EXPECT(ask(&t, "pf.msix", NULL, "the interface is down") == VERDICT_UNKNOWN);
	card_file(&t, "net/eth0/flags", "0x1003\n");
	EXPECT(ask(&t, "pf.msix", NULL, "MSI-X is off") == VERDICT_FAIL);
}

TEST(msix_off_without_a_driver_is_judged_by_the_capability)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.msix_off = true;
	card.driver = NULL;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", NULL, "by its capability the function has 10 vectors") ==
	       VERDICT_FAIL);
}

/* A guest has MSI-X, MSI or INTx on while it runs: that is no fault of the host. */
TEST(interrupts_of_a_function_that_is_handed_over_are_its_guests)
{
	AUTO_TREE struct tree t = { 0 }, used = { 0 }, hidden = { 0 };
	struct check_input three = wish(1, 3);
	struct card card = card_good();

	card.msix_off = true;
	card.driver = "vfio-pci";
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", NULL, "nobody has the vectors on") == VERDICT_UNKNOWN);
	EXPECT(ask(&t, "pf.msix", &three, "once it exists") == VERDICT_UNKNOWN);
	card.msix_off = false;
	card_make(&used, &card);
	EXPECT(ask(&used, "pf.msix", NULL, NULL) == VERDICT_PASS);
	card.size = 64;
	card_make(&hidden, &card);
	card_file(&hidden, "msi_irqs/40", "msi\n");
	EXPECT(ask(&hidden, "pf.msix", NULL, NULL) == VERDICT_UNKNOWN);
}

TEST(vectors_that_the_kernel_gave_out_count_where_registers_are_hidden)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.size = 64;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", NULL, NULL) == VERDICT_UNKNOWN);
	card_file(&t, "msi_irqs/40", "msi\n");
	EXPECT(ask(&t, "pf.msix", NULL, "runs on MSI") == VERDICT_FAIL);
	card_file(&t, "msi_irqs/41", "msix\n");
	EXPECT(ask(&t, "pf.msix", NULL, NULL) == VERDICT_PASS);
}

TEST(vectors_wanted_of_a_vf_show_once_it_exists)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input three = wish(1, 3);
	struct card card = card_good();

	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", &three, "once it exists") == VERDICT_UNKNOWN);
	EXPECT(ask(&t, "pf.vf_count", &three, "MSI-X vectors") == VERDICT_UNKNOWN);
}

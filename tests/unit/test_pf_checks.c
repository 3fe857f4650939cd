/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "pf_tree.h"

#include <sriovctl/finding.h>

#define DRIVER(name) "../../../../bus/pci/drivers/" name
#define ROWS_OK	     ROWS_PF ROW_VF ROW_NONE ROW_NONE ROW_VF ROW_NONE ROW_NONE
#define ROWS_EMPTY   ROWS_PF ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE
#define BAR_64	     0xcu

static struct card good(void)
{
	return (struct card){
		.total = 8,
		.offset = 128,
		.stride = 2,
		.bar = { BAR_64, 0, 0, BAR_64 },
		.hierarchy = true,
		.port_ari = true,
		.resource = ROWS_OK,
		.totalvfs = "7\n",
		.driver = DRIVER("igb"),
		.ari_enabled = "1\n",
	};
}

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
	struct card card = good();

	card_make(&t, &card);
	expect_all(&t, VERDICT_PASS);
}

TEST(a_card_that_never_had_vfs_is_not_judged)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

	card.no_capability = true;
	card.totalvfs = NULL;
	card.ids = "0x1533\n";
	card_make(&t, &card);
	expect_all(&t, VERDICT_NA);
}

TEST(a_vf_is_not_judged)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

	card.ids = "0x10ca\n";
	card_make(&t, &card);
	expect_all(&t, VERDICT_NA);
}

TEST(a_count_above_the_drivers_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input eight = wish(8, 0);
	struct card card = good();

	card_make(&t, &card);
	EXPECT(ask(&t, "pf.vf_count", &eight, "8 VFs are wanted, 7 are possible: the driver") ==
	       VERDICT_FAIL);
}

TEST(a_capability_that_the_cards_firmware_has_off_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

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
	struct card card = good();

	card.total = 0;
	card.totalvfs = NULL;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "their number is 0") == VERDICT_FAIL);
}

TEST(a_driver_that_takes_none_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

	card.totalvfs = "0\n";
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.sriov_capability", NULL, "takes none of the 8") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", NULL, "no VF is possible: the driver") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_bus", NULL, NULL) == VERDICT_NA);
}

TEST(vfs_that_the_kernel_does_not_offer_fail)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

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
		struct card card = good();

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
	struct card card = good();

	card.resource = ROWS_EMPTY;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.vf_mmio", &one, "not one VF works") == VERDICT_FAIL);
	EXPECT(ask(&t, "pf.vf_count", &one, "no VF is possible: address space") == VERDICT_FAIL);
}

TEST(bus_numbers_end_where_the_kernel_says)
{
	AUTO_TREE struct tree t = { 0 };
	struct check_input fit = wish(128, 0), more = wish(129, 0);
	struct card card = good();

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
	struct card card = good();

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
		{ DRIVER("vfio-pci"), "its enable_sriov is off", VERDICT_FAIL },
		{ DRIVER("mlx4_core"), "mlx4_core creates no VFs", VERDICT_FAIL },
		{ DRIVER("no_such_driver"), "is not known", VERDICT_UNKNOWN },
		{ NULL, "no driver is bound", VERDICT_FAIL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		struct card card = good();

		card.driver = rows[i].driver;
		card_make(&t, &card);
		EXPECT(ask(&t, "pf.driver", NULL, rows[i].says) == rows[i].verdict);
	}
}

TEST(vfio_pci_creates_vfs_when_it_was_told_to)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

	card.driver = DRIVER("vfio-pci");
	card_make(&t, &card);
	tree_put(&t, "/sys/module/vfio_pci/parameters/enable_sriov", "Y\n");
	EXPECT(ask(&t, "pf.driver", NULL, NULL) == VERDICT_PASS);
}

/* --- pf.msix ------------------------------------------------------------------------------- */

TEST(msix_off_under_a_driver_fails)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

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
	struct card card = good();

	card.msix_off = true;
	card.driver = NULL;
	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", NULL, "by its capability the function has 10 vectors") ==
	       VERDICT_UNKNOWN);
}

TEST(vectors_that_the_kernel_gave_out_count_where_registers_are_hidden)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = good();

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
	struct card card = good();

	card_make(&t, &card);
	EXPECT(ask(&t, "pf.msix", &three, "once it exists") == VERDICT_UNKNOWN);
	EXPECT(ask(&t, "pf.vf_count", &three, "MSI-X vectors") == VERDICT_UNKNOWN);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>
#include <sriovctl/data.h>
#include <sriovctl/json.h>
#include <sriovctl/platform.h>

#include "test.h"

#include <string.h>

static const struct platform machines[] = {
	{ .vendor = NULL, .product = NULL, .cpu = PLATFORM_CPU_UNKNOWN },
	{ .vendor = "", .product = "", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "To Be Filled By O.E.M.", .product = "\xff\x01", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "Dell Inc.", .product = "PowerEdge R750", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Dell Inc.", .product = "PowerEdge R7525", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "Dell Inc.", .product = "PowerEdge R730xd", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Dell Inc.", .product = "Precision 7920 Tower", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "HPE", .product = "ProLiant DL360 Gen10 Plus", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "HPE", .product = "ProLiant DL365 Gen10 Plus", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "HPE", .product = "ProLiant DL380a Gen11", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "HPE", .product = "ProLiant Compute DL360 Gen12", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "HPE", .product = "HPE Cray EX425", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "HP", .product = "ProLiant DL380p Gen8", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Lenovo", .product = "ThinkSystem SR670 V2", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Lenovo", .product = "ThinkSystem SR675 V3", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "LENOVO", .product = "20JXS05R00", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Supermicro", .product = "SYS-740GP-TNRT", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Supermicro", .product = "AS -1114S-WN10RT", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "Supermicro", .product = "ARS-111GL-NHR", .cpu = PLATFORM_CPU_ARM },
	{ .vendor = "Cisco Systems Inc", .product = "UCSC-C220-M5SX", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Cisco Systems Inc", .product = "UCSC-C225-M6S", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "FUJITSU", .product = "PRIMERGY TX1320 M3", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "GIGABYTE", .product = "R282-Z90-00", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "Gigabyte Technology Co., Ltd.", .product = "X299", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "ASUSTeK COMPUTER INC.", .product = "RS700A-E11", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "ASRockRack", .product = "ROMED8-2T", .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "Intel Corporation", .product = "S2600WFT", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "NVIDIA", .product = "DGXH100", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Oracle Corporation",
	  .product = "ORACLE SERVER X8-2L",
	  .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "MSI", .product = "MS-91E2", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Huawei", .product = "2288H V5", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "QEMU",
	  .product = "Standard PC (Q35 + ICH9, 2009)",
	  .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "QEMU", .product = "KVM Virtual Machine", .cpu = PLATFORM_CPU_ARM },
	{ .vendor = "VMware, Inc.", .product = "VMware7,1", .cpu = PLATFORM_CPU_INTEL },
	{ .vendor = "Microsoft Corporation",
	  .product = "Virtual Machine",
	  .cpu = PLATFORM_CPU_AMD },
	{ .vendor = "Microsoft Corporation", .product = "Surface Pro", .cpu = PLATFORM_CPU_INTEL },
};

static int remedy(const struct platform *p, enum platform_item item, struct buf *ret,
		  struct error *e)
{
	struct platforms t = { 0 };
	int r = json_parse(data_platforms, data_platforms_len, &t.table, e);

	if (r == 0)
		r = platform_remedy(&t, p, item, ret, e);
	platforms_done(&t);
	return r;
}

static bool remedy_is(const struct platform *p, enum platform_item item, const char *expected)
{
	AUTO_BUF struct buf b = { 0 };

	if (remedy(p, item, &b, NULL) == 0 && strcmp(buf_text(&b), expected) == 0)
		return true;
	printf("# %s\n", buf_text(&b));
	return false;
}

static bool is_one_sentence(const char *text)
{
	size_t n = strlen(text);

	return n > 20 && n <= PLATFORM_REMEDY_MAX && text[0] >= 'A' && text[0] <= 'Z' &&
	       text[n - 1] == '.' && !strstr(text, "(null)") && !strchr(text, '\n');
}

TEST(every_machine_gets_a_sentence)
{
	size_t i;
	int item;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		for (item = 0; item < PLATFORM_ITEM_MAX; item++) {
			AUTO_BUF struct buf b = { 0 };
			int r = remedy(&machines[i], (enum platform_item)item, &b, NULL);

			EXPECT(r == 0);
			EXPECT(is_one_sentence(buf_text(&b)));
			if (getenv("SHOW"))
				printf("# %s %s [%zu]: %s\n", machines[i].vendor,
				       machines[i].product, b.len, buf_text(&b));
		}
	}
}

TEST(dell)
{
	const struct platform p = { .vendor = "DELL Inc.",
				    .product = "PowerEdge R650",
				    .cpu = PLATFORM_CPU_INTEL };

	EXPECT(remedy_is(&p, PLATFORM_IOMMU,
			 "In firmware setup, set \"Virtualization Technology\" to Enabled "
			 "(System BIOS > Processor Settings; "
			 "racadm set BIOS.ProcSettings.ProcVirtualization Enabled)."));
	EXPECT(remedy_is(&p, PLATFORM_INTREMAP,
			 "In firmware setup, set \"Virtualization Technology\" to Enabled "
			 "(System BIOS > Processor Settings): interrupt remapping has no item of "
			 "its own and follows it."));
	EXPECT(remedy_is(&p, PLATFORM_ARI,
			 "Look for a firmware update: no item for ARI is known in the setup of "
			 "Dell."));
}

TEST(dell_generations)
{
	static const struct {
		const char *product;
		bool has_token;
	} rows[] = {
		{ .product = "PowerEdge R630", .has_token = true },
		{ .product = "PowerEdge R730xd", .has_token = true },
		{ .product = "PowerEdge R815", .has_token = true },
		{ .product = "PowerEdge FC630", .has_token = true },
		{ .product = "PowerEdge C6320", .has_token = true },
		{ .product = "PowerEdge T640", .has_token = false },
		{ .product = "PowerEdge R7425", .has_token = false },
		{ .product = "PowerEdge R6615", .has_token = false },
		{ .product = "PowerEdge C6420", .has_token = false },
		{ .product = "PowerEdge MX750c", .has_token = false },
		{ .product = "PowerEdge R770", .has_token = false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct platform p = { .vendor = "Dell Inc.", .product = rows[i].product };
		AUTO_BUF struct buf b = { 0 };

		EXPECT(remedy(&p, PLATFORM_IOMMU, &b, NULL) == 0);
		EXPECT((strstr(buf_text(&b), "token 0x0205") != NULL) == rows[i].has_token);
		EXPECT((strstr(buf_text(&b), "racadm") != NULL) != rows[i].has_token);
	}
}

TEST(hpe_by_processor_and_generation)
{
	struct platform p = { .vendor = "HPE",
			      .product = "ProLiant DL360 Gen10",
			      .cpu = PLATFORM_CPU_INTEL };

	EXPECT(remedy_is(&p, PLATFORM_IOMMU,
			 "In firmware setup, set \"Intel(R) VT-d\" to Enabled (BIOS/Platform "
			 "Configuration (RBSU) > Virtualization Options; attribute IntelProcVtd); "
			 "some Workload Profiles lock it."));
	p.cpu = PLATFORM_CPU_AMD;
	EXPECT(remedy_is(&p, PLATFORM_IOMMU,
			 "In firmware setup, set \"AMD I/O Virtualization Technology\" to Enabled "
			 "(BIOS/Platform Configuration (RBSU) > Virtualization Options; attribute "
			 "ProcAmdIoVt); some Workload Profiles lock it."));
	p.product = "ProLiant DL380a Gen12";
	p.cpu = PLATFORM_CPU_INTEL;
	EXPECT(remedy_is(&p, PLATFORM_IOMMU,
			 "In firmware setup, set \"Intel(R) Virtualization Technology (Intel VT)\" "
			 "to Enabled (BIOS/Platform Configuration (RBSU) > Virtualization Options; "
			 "attribute ProcVirtualization)."));
	/* Which of the names is shown depends on what is not known. */
	p.cpu = PLATFORM_CPU_UNKNOWN;
	EXPECT(remedy_is(&p, PLATFORM_IOMMU,
			 "In firmware setup, enable VT-d (Intel) or the IOMMU (AMD); the name "
			 "differs by vendor, usually under Advanced > CPU or Chipset "
			 "Configuration."));
}

TEST(unknown_vendor_is_told_so)
{
	AUTO_BUF struct buf b = { 0 };

	EXPECT(remedy(&machines[0], PLATFORM_SRIOV, &b, NULL) == 0);
	EXPECT(strstr(buf_text(&b), "differ by vendor") != NULL);
}

TEST(guest_is_sent_to_its_hypervisor)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		const struct platform *p = &machines[i];
		AUTO_BUF struct buf b = { 0 };

		if (!p->product ||
		    (!strstr(p->product, "Virtual Machine") && !strstr(p->product, "Standard PC")))
			continue;
		EXPECT(remedy(p, PLATFORM_IOMMU, &b, NULL) == 0);
		EXPECT(strstr(buf_text(&b), "hypervisor") != NULL);
	}
}

/* Has it no keys but these?  None is there twice: the parser looks. */
static bool has_only(const struct json *object, const char *const *keys)
{
	const struct json *it;
	unsigned members = 0, known = 0;

	JSON_EACH(it, object)
	members++;
	for (; *keys; keys++)
		known += !!json_get(object, *keys);
	return members == known;
}

/* A row has exactly one answer: a name and its value, a sentence, what it follows, or none. */
static bool row_is_sound(const struct json *row)
{
	static const char *const keys[] = { "item", "cpu",	 "products", "name", "set",
					    "menu", "attribute", "command",  "note", "follows",
					    "none", "say",	 "source",   NULL };
	int answers = !!json_text(json_get(row, "name")) + !!json_text(json_get(row, "say")) +
		      !!json_text(json_get(row, "follows")) + !!json_get(row, "none");

	return has_only(row, keys) && answers == 1 &&
	       !json_get(row, "name") == !json_text(json_get(row, "set"));
}

TEST(table_is_sound)
{
	static const char *const keys[] = { "vendor", "general", "vendors", "products",
					    "seen",   "items",	 NULL };
	AUTO_JSON struct json *table = NULL;
	const struct json *platform, *it;

	EXPECT(data_platforms_len == strlen(data_platforms));
	EXPECT(json_parse(data_platforms, data_platforms_len, &table, NULL) == 0);
	JSON_EACH(platform, json_get(table, "platforms"))
	{
		EXPECT(has_only(platform, keys));
		EXPECT(json_text(json_get(platform, "vendor")) != NULL);
		EXPECT(json_first(json_get(platform, "vendors")) != NULL);
		JSON_EACH(it, json_get(platform, "items"))
		EXPECT(row_is_sound(it));
	}
}

/* Each sentence and each name of the table fits, whoever it is for. */
TEST(sentences_of_the_table_fit)
{
	AUTO_JSON struct json *table = NULL;
	const struct json *platform, *it;
	const char *say;

	EXPECT(json_parse(data_platforms, data_platforms_len, &table, NULL) == 0);
	JSON_EACH(platform, json_get(table, "platforms"))
	{
		JSON_EACH(it, json_get(platform, "items"))
		{
			say = json_text(json_get(it, "say"));
			EXPECT(!say || is_one_sentence(say));
		}
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the decoders read, and where they refuse. */
#include "test.h"

#include "space.h"

#include <errno.h>

/* Any decoder on a space: @result of the statement, which sees the parsed space as &c. */
#define DECODE(space, call)                                 \
	({                                                  \
		struct pciconf c;                           \
                                                            \
		parse_space((space), &c) < 0 ? -1 : (call); \
	})

TEST(express_link)
{
	struct pciconf_express x;
	struct space s;

	make_express(&s, 256);
	put16(&s, 0x42, 0x0002 | PCICONF_UPSTREAM << 4);
	put32(&s, 0x44, PCI_EXP_DEVCAP_FLR);
	put32(&s, 0x4c, 0x00000104); /* 16 GT/s, x16 */
	put16(&s, 0x52, 0x0083);     /* 8 GT/s, x8 */
	put16(&s, 0x70, 0x0003);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	EXPECT(x.type == PCICONF_UPSTREAM && x.version == 2 && x.flr && x.has_link);
	EXPECT(x.max_speed == 4 && x.max_width == 16);
	EXPECT(x.cur_speed == 3 && x.cur_width == 8 && x.target_speed == 3);
	EXPECT(!x.training && !x.bandwidth_changed && !x.autonomous_change);
	EXPECT(!x.ari_forwarding_capable && !x.ari_forwarding);
}

TEST(express_events_and_ari)
{
	struct pciconf_express x;
	struct space s;

	make_express(&s, 256);
	put16(&s, 0x42, 0x0002 | PCICONF_DOWNSTREAM << 4);
	put16(&s, 0x52, 0x0800);
	put32(&s, 0x64, 0x20);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	EXPECT(x.training && !x.bandwidth_changed && !x.autonomous_change);
	EXPECT(x.ari_forwarding_capable && !x.ari_forwarding);
	put16(&s, 0x52, 0x4000);
	put16(&s, 0x68, 0x20);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	EXPECT(!x.training && x.bandwidth_changed && !x.autonomous_change && x.ari_forwarding);
	put16(&s, 0x52, 0x8000);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	EXPECT(!x.bandwidth_changed && x.autonomous_change);
}

TEST(integrated_endpoint_has_no_link)
{
	struct pciconf_express x;
	struct space s;

	make_express(&s, 256);
	memset(s.data + 0x4c, 0xff, 8); /* where others have their link */
	put16(&s, 0x42, 0x0002 | PCICONF_INTEGRATED_ENDPOINT << 4);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	EXPECT(!x.has_link && x.max_speed == 0 && x.cur_width == 0 && !x.training);
	/* Its last register may be the last of the normal space. */
	make_space(&s, 256, 0xd0);
	put_cap(&s, 0xd0, PCI_CAP_ID_EXP, 0);
	put16(&s, 0xd2, 0x0002 | PCICONF_EVENT_COLLECTOR << 4);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	put16(&s, 0xd2, 0x0002 | PCICONF_ROOT_PORT << 4);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == -EBADMSG);
}

TEST(express_of_version_1)
{
	struct pciconf_express x;
	struct space s;

	/* It ends just before the end of the normal space; what would follow is none of it. */
	make_space(&s, 4096, 0xec);
	put_cap(&s, 0xec, PCI_CAP_ID_EXP, 0);
	put16(&s, 0xee, 0x0001);
	put16(&s, 0xfe, 0x0011);
	memset(s.data + 0x100, 0xff, 0x100);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == 0);
	EXPECT(x.version == 1 && x.cur_speed == 1 && x.cur_width == 1);
	EXPECT(x.target_speed == 0 && !x.ari_forwarding && !x.ari_forwarding_capable);
	put16(&s, 0xee, 0x0002);
	EXPECT(DECODE(&s, pciconf_express(&c, &x)) == -EBADMSG);
}

static void make_sriov(struct space *s, uint16_t at)
{
	make_express(s, 4096);
	put_ext_cap(s, 0x100, PCI_EXT_CAP_ID_ERR, at);
	put_ext_cap(s, at, PCI_EXT_CAP_ID_SRIOV, 0);
	put16(s, at + 4u, 0x0002);
	put16(s, at + 8u, 0x0019);
	put16(s, at + 0xcu, 63);
	put16(s, at + 0xeu, 64);
	put16(s, at + 0x10u, 4);
	put16(s, at + 0x12u, 0x01);
	put16(s, at + 0x14u, 0x80);
	put16(s, at + 0x16u, 2);
	put16(s, at + 0x1au, 0x154c);
	put32(s, at + 0x1cu, 0x553);
	put32(s, at + 0x20u, 1);
}

TEST(sriov_numbers)
{
	struct pciconf_sriov v;
	struct space s;

	make_sriov(&s, 0x160);
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == 0);
	EXPECT(v.vf_enable && v.vf_memory && v.ari_hierarchy);
	EXPECT(v.initial_vfs == 63 && v.total_vfs == 64 && v.num_vfs == 4);
	EXPECT(v.first_offset == 0x80 && v.stride == 2 && v.vf_device == 0x154c);
	EXPECT(v.dependency_link == 1 && v.page_sizes == 0x553 && v.page_size == 1);
	put16(&s, 0x164, 0);
	put16(&s, 0x168, 0x0006); /* migration, which nobody asked for */
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == 0);
	EXPECT(!v.vf_enable && !v.vf_memory && !v.ari_hierarchy);
	put16(&s, 0x168, 0x0008);
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == 0);
	EXPECT(!v.vf_enable && v.vf_memory);
}

TEST(sriov_bars)
{
	struct pciconf_sriov v;
	struct space s;

	make_sriov(&s, 0x160);
	put32(&s, 0x184, 0x9000000c);
	put32(&s, 0x188, 0x00000038);
	put32(&s, 0x18c, 0xfb000000);
	put32(&s, 0x194, 0x00000004);
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == 0);
	EXPECT(v.bar[0].exists && v.bar[0].is_64 && v.bar[0].prefetchable);
	EXPECT(v.bar[0].address == 0x3890000000);
	EXPECT(!v.bar[1].exists);
	EXPECT(v.bar[2].exists && !v.bar[2].is_64 && !v.bar[2].prefetchable);
	EXPECT(v.bar[2].address == 0xfb000000);
	EXPECT(!v.bar[3].exists);
	EXPECT(v.bar[4].exists && v.bar[4].is_64 && v.bar[4].address == 0);
	EXPECT(!v.bar[5].exists);
	/* A last BAR of 64 bits has no place for the upper half. */
	put32(&s, 0x198, 0x80000004);
	put32(&s, 0x194, 0);
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == 0);
	EXPECT(v.bar[5].exists && v.bar[5].address == 0x80000000);
}

TEST(capability_that_does_not_end_inside)
{
	struct pciconf_sriov v;
	struct space s;

	make_sriov(&s, 0xfc0);
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == 0);
	s.len = 0xfff;
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == -ENODATA);
	make_express(&s, 4096);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0xfc4);
	put_ext_cap(&s, 0xfc4, PCI_EXT_CAP_ID_SRIOV, 0);
	EXPECT(DECODE(&s, pciconf_sriov(&c, &v)) == -EBADMSG);
}

TEST(acs_and_ari)
{
	struct pciconf_acs acs;
	struct pciconf_ari ari;
	struct space s;

	make_express(&s, 4096);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ACS, 0x110);
	put32(&s, 0x104, 0x001d005f);
	put_ext_cap(&s, 0x110, PCI_EXT_CAP_ID_ARI, 0);
	put16(&s, 0x114, 0x0503);
	EXPECT(DECODE(&s, pciconf_acs(&c, &acs)) == 0);
	EXPECT(acs.cap == 0x5f && acs.ctrl == 0x1d);
	EXPECT(DECODE(&s, pciconf_ari(&c, &ari)) == 0);
	EXPECT(ari.next_function == 5);
	s.len = 0x116;
	EXPECT(DECODE(&s, pciconf_ari(&c, &ari)) == -ENODATA);
	s.len = 64;
	EXPECT(DECODE(&s, pciconf_acs(&c, &acs)) == -EACCES);
}

TEST(msix)
{
	struct pciconf_msix m;
	struct space s;

	make_space(&s, 256, 0x70);
	put_cap(&s, 0x70, PCI_CAP_ID_MSIX, 0);
	put16(&s, 0x72, 0x87ff);
	EXPECT(DECODE(&s, pciconf_msix(&c, &m)) == 0);
	EXPECT(m.enabled && !m.masked && m.table_size == 2048);
	put16(&s, 0x72, 0x4000);
	EXPECT(DECODE(&s, pciconf_msix(&c, &m)) == 0);
	EXPECT(!m.enabled && m.masked && m.table_size == 1);
	make_space(&s, 256, 0xf8);
	put_cap(&s, 0xf8, PCI_CAP_ID_MSIX, 0);
	EXPECT(DECODE(&s, pciconf_msix(&c, &m)) == -EBADMSG);
}

TEST(msi)
{
	struct pciconf_msi m;
	struct space s;

	make_space(&s, 256, 0x50);
	put_cap(&s, 0x50, PCI_CAP_ID_MSI, 0);
	put16(&s, 0x52, 0x00ab); /* enabled, 4 of 32, 64 bits */
	put32(&s, 0x54, 0xfee00018);
	put32(&s, 0x58, 0x00000001);
	EXPECT(DECODE(&s, pciconf_msi(&c, &m)) == 0);
	EXPECT(m.enabled && m.capable == 32 && m.allocated == 4);
	EXPECT(m.address == 0x1fee00018);
	put16(&s, 0x52, 0x0000);
	EXPECT(DECODE(&s, pciconf_msi(&c, &m)) == 0);
	EXPECT(!m.enabled && m.capable == 1 && m.allocated == 1 && m.address == 0xfee00018);
	s.len = 0x58;
	EXPECT(DECODE(&s, pciconf_msi(&c, &m)) == -ENODATA);
}

TEST(power)
{
	struct pciconf_power p;
	struct space s;

	make_space(&s, 256, 0x40);
	put_cap(&s, 0x40, PCI_CAP_ID_PM, 0);
	EXPECT(DECODE(&s, pciconf_power(&c, &p)) == 0);
	EXPECT(p.state == 0);
	put16(&s, 0x44, 0x010b);
	EXPECT(DECODE(&s, pciconf_power(&c, &p)) == 0);
	EXPECT(p.state == 3);
}

TEST(enhanced_allocation)
{
	struct space s;
	bool has = true;

	make_space(&s, 256, 0x80);
	put_cap(&s, 0x80, PCI_CAP_ID_EA, 0);
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == 0 && !has);
	s.data[0x82] = 2;
	put32(&s, 0x84, 0x80ff0002); /* BAR 0, two dwords more */
	put32(&s, 0x90, 0x80ff0492); /* VF BAR 0 */
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == 0 && has);
	put32(&s, 0x90, 0x80ff04e2); /* VF BAR 5 */
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == 0 && has);
	put32(&s, 0x90, 0x80ff04f2); /* reserved */
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == 0 && !has);
	s.data[0x82] = 63;
	memset(s.data + 0x84, 7, 0x7c);
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == -EBADMSG);
	s.len = 0x90;
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == -ENODATA);
}

TEST(enhanced_allocation_of_a_bridge)
{
	struct space s;
	bool has = true;

	make_space(&s, 256, 0x80);
	s.data[PCI_HEADER_TYPE] = PCI_HEADER_TYPE_BRIDGE;
	put_cap(&s, 0x80, PCI_CAP_ID_EA, 0);
	s.data[0x82] = 1;
	put32(&s, 0x84, 0x00000090); /* its bus numbers, not an entry */
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == 0 && !has);
	put32(&s, 0x88, 0x000000a0);
	EXPECT(DECODE(&s, pciconf_ea_has_vf_bar(&c, &has)) == 0 && has);
}

TEST(header)
{
	struct space s;

	make_space(&s, 64, 0);
	EXPECT(!DECODE(&s, pciconf_is_bridge(&c)));
	EXPECT(!DECODE(&s, pciconf_is_multifunction(&c)));
	s.data[PCI_HEADER_TYPE] = 0x81;
	s.data[PCI_SECONDARY_BUS] = 0x3a;
	s.data[PCI_SUBORDINATE_BUS] = 0x42;
	EXPECT(DECODE(&s, pciconf_is_bridge(&c)) == 1);
	EXPECT(DECODE(&s, pciconf_is_multifunction(&c)) == 1);
	EXPECT(DECODE(&s, pciconf_secondary_bus(&c)) == 0x3a);
	EXPECT(DECODE(&s, pciconf_subordinate_bus(&c)) == 0x42);
}

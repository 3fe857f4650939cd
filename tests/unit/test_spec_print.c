/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_make.h"
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

static bool prints(const struct pfstates *is, const char *text)
{
	AUTO_BUF struct buf b = { 0 };

	if (spec_print(is, &b, NULL) == 0 && same(buf_text(&b), text))
		return true;
	printf("# %s\n", buf_text(&b));
	return false;
}

TEST(nothing_is_a_spec_of_nothing)
{
	static const struct pfstates none = { 0 };

	EXPECT(prints(&none, "{\n\t\"schema\":\t1,\n\t\"pfs\":\t[]\n}\n"));
}

TEST(a_function_with_two_vfs)
{
	AUTO_PFSTATES struct pfstates is = { 0 };
	struct pfstate *p = pfstate_make(&is, "0000:3b:00.0", "e0", 0x001b21000001, 2);

	p->set[SETTING_MTU] = setting_number(9000);
	p->set[SETTING_ESWITCH] = setting_number(0);
	p->queues = PFSTATE_QUEUES_MSIX;
	for (size_t i = 0; i < 2; i++) {
		struct setting_value *set = p->vfs[i].set;

		set[SETTING_MAC] = setting_number(0x020000000000 + i);
		set[SETTING_VLAN] = setting_number(SETTING_VLAN_OF(100, i, 0x8100));
		set[SETTING_TRUST] = setting_number(1);
		set[SETTING_RATE] = setting_number(SETTING_RATE_OF(0, 1000));
		set[SETTING_LINK_STATE] = setting_number(i ? 2 : 0);
		set[SETTING_QUEUES] = setting_number(4);
		set[SETTING_RSS_QUERY].state = SETTING_UNSUPPORTED;
		pfstate_name(&set[SETTING_OVERRIDE], i ? "vfio-pci" : "");
		pfstate_name(&set[SETTING_DRIVER], i ? "vfio-pci" : "iavf");
	}
	EXPECT(prints(&is, "{\n"
			   "\t\"schema\":\t1,\n"
			   "\t\"pfs\":\t[{\n"
			   "\t\t\t\"match\":\t{\n"
			   "\t\t\t\t\"permanent_mac\":\t\"00:1b:21:00:00:01\"\n"
			   "\t\t\t},\n"
			   "\t\t\t\"vfs\":\t2,\n"
			   "\t\t\t\"mtu\":\t9000,\n"
			   "\t\t\t\"eswitch\":\t\"legacy\",\n"
			   "\t\t\t\"vf\":\t{\n"
			   "\t\t\t\t\"*\":\t{\n"
			   "\t\t\t\t\t\"trust\":\ttrue,\n"
			   "\t\t\t\t\t\"min_rate\":\t0,\n"
			   "\t\t\t\t\t\"max_rate\":\t1000,\n"
			   "\t\t\t\t\t\"queues\":\t4\n"
			   "\t\t\t\t},\n"
			   "\t\t\t\t\"0\":\t{\n"
			   "\t\t\t\t\t\"mac\":\t\"02:00:00:00:00:00\",\n"
			   "\t\t\t\t\t\"vlan\":\t100,\n"
			   "\t\t\t\t\t\"link_state\":\t\"auto\",\n"
			   "\t\t\t\t\t\"driver\":\t\"default\"\n"
			   "\t\t\t\t},\n"
			   "\t\t\t\t\"1\":\t{\n"
			   "\t\t\t\t\t\"mac\":\t\"02:00:00:00:00:01\",\n"
			   "\t\t\t\t\t\"vlan\":\t100,\n"
			   "\t\t\t\t\t\"qos\":\t1,\n"
			   "\t\t\t\t\t\"link_state\":\t\"disable\",\n"
			   "\t\t\t\t\t\"driver\":\t\"vfio-pci\"\n"
			   "\t\t\t\t}\n"
			   "\t\t\t}\n"
			   "\t\t}]\n"
			   "}\n"));
}

static bool has(const struct pfstates *is, const char *text)
{
	AUTO_BUF struct buf b = { 0 };

	if (spec_print(is, &b, NULL) == 0 && strstr(buf_text(&b), text))
		return true;
	printf("# %s\n", buf_text(&b));
	return false;
}

TEST(a_function_is_matched_by_what_is_its_own)
{
	AUTO_PFSTATES struct pfstates is = { 0 };
	AUTO_BUF struct buf b = { 0 };

	(void)pfstate_make(&is, "0000:3b:00.0", "e0", 0x001b21000001, 0);
	(void)pfstate_make(&is, "0000:3b:00.1", "e1", 0x001b21000001, 0);
	EXPECT(has(&is, "\"pci\":\t\"0000:3b:00.0\"") && has(&is, "\"pci\":\t\"0000:3b:00.1\""));
	EXPECT(spec_print(&is, &b, NULL) == 0 && !strstr(buf_text(&b), "permanent_mac"));
	is.items[1].permanent_mac = 0x001b21000002;
	EXPECT(has(&is, "\"permanent_mac\":\t\"00:1b:21:00:00:02\""));
	(void)pfstate_make(&is, "netdevsim1", "eth9", 0, 0);
	EXPECT(has(&is, "\"netdev\":\t\"eth9\""));
}

TEST(addresses_that_are_not_set_stay_so)
{
	AUTO_PFSTATES struct pfstates is = { 0 };
	struct pfstate *p = pfstate_make(&is, "0000:3b:00.0", "e0", 0, 2);

	EXPECT(has(&is, "\"policy\":\t\"keep\""));
	p->vfs[0].set[SETTING_MAC] = setting_number(0);
	EXPECT(has(&is, "\"policy\":\t\"keep\""));
	p->vfs[1].set[SETTING_MAC] = setting_number(0x020000000001);
	EXPECT(has(&is, "\"policy\":\t\"none\""));
}

/* --- there and back ------------------------------------------------------------------------ */

/* xorshift32: the same numbers on every machine. */
static uint32_t next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static uint32_t below(uint32_t *state, uint32_t n)
{
	return next(state) % n;
}

static void set_random_driver(uint32_t *state, struct pfstate_vf *vf)
{
	static const char *const names[] = { "vfio-pci", "iavf", "mlx5_core", "" };
	const char *name = names[below(state, ARRAY_SIZE(names))];

	/* A driver without an override was the kernel's choice, one with it that of the override.
	 */
	pfstate_name(&vf->set[SETTING_DRIVER], name);
	pfstate_name(&vf->set[SETTING_OVERRIDE], below(state, 2) ? name : "");
}

static void set_random_vf(uint32_t *state, size_t i, struct pfstate_vf *vf)
{
	static const struct {
		enum setting s;
		uint32_t from, n;
	} plain[] = {
		{ .s = SETTING_SPOOFCHK, .n = 2 },
		{ .s = SETTING_TRUST, .n = 2 },
		{ .s = SETTING_LINK_STATE, .n = 3 },
		{ .s = SETTING_RSS_QUERY, .n = 2 },
		{ .s = SETTING_QUEUES, .from = 1, .n = 3 },
		{ .s = SETTING_VF_MTU, .from = 1500, .n = 2 },
	};
	struct setting_value *set = vf->set;

	for (size_t k = 0; k < ARRAY_SIZE(plain); k++)
		if (below(state, 4))
			set[plain[k].s] = setting_number(plain[k].from + below(state, plain[k].n));
	if (below(state, 4))
		set[SETTING_MAC] =
			setting_number(below(state, 3) ? UINT64_C(0x020000000000) + i : 0);
	if (below(state, 4))
		set[SETTING_VLAN] = setting_number(SETTING_VLAN_OF(
			below(state, 3), below(state, 2), below(state, 2) ? 0x8100 : 0x88a8));
	if (below(state, 4))
		set[SETTING_RATE] =
			setting_number(SETTING_RATE_OF(below(state, 2), 1 + below(state, 2)));
	if (below(state, 4))
		set_random_driver(state, vf);
	if (below(state, 8) == 0)
		set[SETTING_TRUST].state = SETTING_UNSUPPORTED;
}

static void make_random(uint32_t *state, struct pfstates *ret)
{
	size_t n = 1 + below(state, 3), address = 0;

	for (size_t i = 0; i < n; i++) {
		AUTO_BUF struct buf bdf = { 0 };
		struct pfstate *p;

		buf_printf(&bdf, "0000:3b:00.%zu", i);
		p = pfstate_make(ret, buf_text(&bdf), "e0",
				 below(state, 2) ? UINT64_C(0x001b21000000) + i : 0,
				 below(state, 6));
		p->queues = below(state, 2) ? PFSTATE_QUEUES_CHANNELS : PFSTATE_QUEUES_FIXED;
		if (below(state, 2))
			p->set[SETTING_MTU] = setting_number(68 + below(state, 9000));
		if (below(state, 2))
			p->set[SETTING_ESWITCH] = setting_number(below(state, 2));
		for (size_t k = 0; k < p->n_vfs; k++)
			set_random_vf(state, address++, &p->vfs[k]);
	}
}

/* Whichever driver is bound, it is one of the kernel's choice. */
static bool is_reached(enum setting s, const struct setting_value *is,
		       const struct setting_value *want)
{
	if (s == SETTING_DRIVER && strcmp(want->name, SETTING_DRIVER_DEFAULT) == 0)
		return is->state == SETTING_KNOWN && is->name[0];
	return setting_equal(s, is, want);
}

/* How many settings of @want differ from those of @is, or are missing in it. */
static unsigned differences(const struct setting_value *is, const struct setting_value *want,
			    enum setting from, enum setting to)
{
	unsigned n = 0;

	for (enum setting s = from; s < to; s++)
		if (want[s].state != SETTING_UNSET && !is_reached(s, &is[s], &want[s])) {
			printf("# %s\n", setting_name(s));
			n++;
		}
	return n;
}

/* What the spec has to ask for again. */
static unsigned missing(const struct pfstate *p, const struct pfstate_vf *is,
			const struct pfstate_vf *want)
{
	unsigned n = 0;

	for (enum setting s = SETTING_PF_END; s < SETTING_END; s++) {
		bool may_lack = s == SETTING_OVERRIDE || s == SETTING_DRIVER ||
				s == SETTING_VF_NAME ||
				(s == SETTING_QUEUES && p->queues == PFSTATE_QUEUES_FIXED) ||
				(s == SETTING_MAC && is->set[s].number == 0);

		if (is->set[s].state == SETTING_KNOWN && want->set[s].state == SETTING_UNSET &&
		    !may_lack) {
			printf("# no %s\n", setting_name(s));
			n++;
		}
	}
	if (is->set[SETTING_DRIVER].state == SETTING_KNOWN &&
	    want->set[SETTING_DRIVER].state == SETTING_UNSET &&
	    want->set[SETTING_OVERRIDE].state == SETTING_UNSET)
		n++;
	return n;
}

static unsigned compare(const struct pfstates *is, const struct pfstates *want)
{
	unsigned n = is->n != want->n;

	for (size_t i = 0; n == 0 && i < is->n; i++) {
		const struct pfstate *a = &is->items[i], *b = &want->items[i];

		n += differences(a->set, b->set, 0, SETTING_PF_END) + (a->n_vfs != b->n_vfs);
		for (enum setting s = 0; s < SETTING_PF_END; s++)
			n += a->set[s].state == SETTING_KNOWN && b->set[s].state == SETTING_UNSET;
		for (size_t k = 0; n == 0 && k < a->n_vfs; k++)
			n += differences(a->vfs[k].set, b->vfs[k].set, SETTING_PF_END,
					 SETTING_END) +
			     missing(a, &a->vfs[k], &b->vfs[k]);
	}
	return n;
}

TEST(what_is_printed_asks_for_just_what_is_there)
{
	AUTO_TREE struct tree t = { 0 };
	uint32_t state = 20240101;
	unsigned wrong = 0;

	tree_new(&t);
	for (unsigned i = 0; i < 3000; i++) {
		AUTO_PFSTATES struct pfstates is = { 0 };
		AUTO_PFSTATES struct pfstates want = { 0 };
		AUTO_SPEC struct spec *s = NULL;
		AUTO_STRV struct strv notes = { 0 };
		AUTO_BUF struct buf b = { 0 };
		struct error e = { 0 };

		make_random(&state, &is);
		if (spec_print(&is, &b, &e) < 0 ||
		    spec_parse(buf_text(&b), b.len, "f", &s, &e) < 0 ||
		    spec_resolve(s, t.h, &is, &want, &notes, &e) < 0 || notes.n > 0 ||
		    compare(&is, &want) > 0) {
			printf("# %s\n# %s\n", buf_text(&b), e.text);
			wrong++;
			break;
		}
	}
	EXPECT(wrong == 0);
}

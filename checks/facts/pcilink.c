/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pcilink.h>

#include <sriovctl/awake.h>
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The widest link there is.  Above it are a register that answers all ones, and 255, which the
 * kernel says for a width it does not know (include/linux/pci.h, PCIE_LNK_WIDTH_UNKNOWN).
 */
#define WIDTH_MAX  32
#define WIDTH_ONES 63

/* Upper byte of the class (PCI Code and ID Assignment Specification, 1.4 and 1.19). */
#define CLASS_DISPLAY	  0x03
#define CLASS_ACCELERATOR 0x12

/* Ports of a tunnel are virtual: they always say 2.5 GT/s (USB4 specification, 11.2.1). */
#define EXT_CAP_VENDOR	  0x000b
#define VSEC_INTEL_TUNNEL 0x1234 /* drivers/pci/probe.c, PCI_VSEC_ID_INTEL_TBT */
#define VENDOR_INTEL	  0x8086

static const char *const speed_names[] = { "an unknown speed", "2.5 GT/s", "5 GT/s",  "8 GT/s",
					   "16 GT/s",	       "32 GT/s",  "64 GT/s", "128 GT/s" };

const char *pcilink_speed_name(unsigned index)
{
	return speed_names[index < ARRAY_SIZE(speed_names) ? index : 0];
}

/* --- sysfs ------------------------------------------------------------------------ */

/* "2.5 GT/s", "8 GT/s" (to 5.6), "8.0 GT/s PCIe", "Unknown speed", "Unknown". */
static unsigned parse_speed(const char *text)
{
	static const char *const numbers[] = { NULL, "2.5", "5", "8", "16", "32", "64", "128" };
	size_t len = strcspn(text, " ");

	if (len > 2 && memcmp(text + len - 2, ".0", 2) == 0)
		len -= 2;
	for (unsigned i = 1; i < ARRAY_SIZE(numbers); i++)
		if (strlen(numbers[i]) == len && memcmp(numbers[i], text, len) == 0)
			return i;
	return 0;
}

static unsigned attr_speed(const struct host *h, const char *name, const char *file, int *error)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, PCIDEV_PATH "/%s/%s", name, file);

	if (r < 0)
		*error = r;
	return r < 0 ? 0 : parse_speed(buf_text(&text));
}

static unsigned attr_width(const struct host *h, const char *name, const char *file)
{
	uint64_t width;

	if (host_attr_u64(h, 10, &width, NULL, PCIDEV_PATH "/%s/%s", name, file) < 0)
		return 0;
	return width <= WIDTH_MAX ? (unsigned)width : 0;
}

static void read_attrs(const struct host *h, const char *name, struct pcilink_end *ret)
{
	uint64_t width;
	int error = 0;

	*ret = (struct pcilink_end){
		.speed = attr_speed(h, name, "current_link_speed", &error),
		.max_speed = attr_speed(h, name, "max_link_speed", &error),
		.width = attr_width(h, name, "current_link_width"),
		.max_width = attr_width(h, name, "max_link_width"),
	};
	if (host_attr_u64(h, 10, &width, NULL, PCIDEV_PATH "/%s/current_link_width", name) == 0 &&
	    width == WIDTH_ONES)
		error = -ENODATA;
	ret->error = error;
}

/* --- config space, else sysfs ------------------------------------------------------ */

struct sample {
	struct pcilink_end end;
	int express_error; /* 0: @type is known; -ENOENT: no PCI Express function */
	enum pciconf_type type;
	bool training, autonomous, asleep, tunnel;
};

static void read_registers(const struct pciconf *c, struct sample *s)
{
	struct pciconf_express x;
	struct pciconf_power power;
	uint16_t at;

	s->express_error = pciconf_express(c, &x);
	if (s->express_error < 0)
		return;
	s->type = x.type;
	s->end.error = x.link_error;
	s->training = x.training;
	s->autonomous = x.autonomous_change;
	s->asleep = pciconf_power(c, &power) == 0 && power.state != 0;
	s->tunnel = pciconf_u16(c, 0) == VENDOR_INTEL &&
		    pciconf_ext_cap(c, EXT_CAP_VENDOR, &at) == 0 && (size_t)at + 6 <= c->len &&
		    pciconf_u16(c, (size_t)at + 4) == VSEC_INTEL_TUNNEL;
	if (x.link_error < 0)
		return;
	s->end = (struct pcilink_end){
		.max_speed = x.max_speed,
		.max_width = x.max_width <= WIDTH_MAX ? x.max_width : 0,
		.speed = x.cur_speed,
		.width = x.cur_width <= WIDTH_MAX ? x.cur_width : 0,
		.target_speed = x.target_speed,
		.retrained = x.bandwidth_changed,
	};
}

typedef int read_config(const struct host *h, const char *bdf, struct pciconf *ret,
			struct error *e);

/* Errors stay in the sample; what config space does not give, sysfs may. */
static void read_sample(const struct host *h, const char *name, read_config *read_it,
			struct sample *ret)
{
	struct pciconf c;
	int r = read_it(h, name, &c, NULL);

	/* No file is no answer: only a list that was walked to its end denies a capability. */
	*ret = (struct sample){ .express_error = r == -ENOENT ? -ENODATA : r };
	/* Asking sysfs would wake it. */
	if (r == -EAGAIN) {
		ret->asleep = true;
		ret->end.error = r;
		return;
	}
	if (r == 0)
		read_registers(&c, ret);
	if ((ret->express_error < 0 && ret->express_error != -ENOENT) || ret->end.error < 0)
		read_attrs(h, name, &ret->end);
}

/* --- rest --------------------------------------------------------------------------- */

static bool attr_is_any(const struct host *h, const char *name, const char *file,
			const char *const *words, size_t n)
{
	AUTO_BUF struct buf text = { 0 };

	if (host_attr(h, &text, NULL, PCIDEV_PATH "/%s/%s", name, file) < 0)
		return false;
	return parse_is_one_of(buf_text(&text), words, n);
}

/* To be asked before config space: reading that wakes a function. */
static bool is_suspended(const struct host *h, const char *name)
{
	static const char *const runtime[] = { "suspended", "suspending", "resuming" };
	static const char *const states[] = { "D1", "D2", "D3hot", "D3cold" };

	return attr_is_any(h, name, "power/runtime_status", runtime, ARRAY_SIZE(runtime)) ||
	       attr_is_any(h, name, "power_state", states, ARRAY_SIZE(states));
}

static bool is_removable(const struct host *h, const char *name)
{
	static const char *const removable[] = { "removable" };

	return attr_is_any(h, name, "removable", removable, ARRAY_SIZE(removable));
}

static const struct pcidev *find_device(const struct host *h, const char *name)
{
	const struct pcidevs *v = NULL;

	return pcidevs_get(h, &v, NULL) == 0 ? pcidevs_find(v, name) : NULL;
}

/*
 * Network functions in a chipset or a processor, whose link leads through that and says
 * nothing.  Linux calls the bus of X550EM internal (ixgbe_x550.c, ixgbe_get_bus_info_X550em).
 */
static bool is_in_chipset(const struct pcidev *d)
{
	static const struct {
		uint16_t vendor, first, last;
	} ids[] = {
		{ .vendor = 0x8086, .first = 0x37cc, .last = 0x37d4 }, /* Intel X722 in the C620 */
		{ .vendor = 0x8086, .first = 0x15aa, .last = 0x15b0 }, /* X552, Xeon D */
		{ .vendor = 0x8086, .first = 0x15c2, .last = 0x15ce }, /* X553, Atom C3000 */
		{ .vendor = 0x8086, .first = 0x15e4, .last = 0x15e5 },
		{ .vendor = 0x8086, .first = 0x124c, .last = 0x124f }, /* E823-L, Xeon D */
		{ .vendor = 0x8086, .first = 0x151d, .last = 0x151d },
		{ .vendor = 0x8086, .first = 0x188a, .last = 0x188e }, /* E823-C */
		{ .vendor = 0x8086, .first = 0x1890, .last = 0x189a }, /* E822-C, E822-L */
		{ .vendor = 0x8086, .first = 0x579c, .last = 0x579f }, /* E825-C */
	};

	for (size_t i = 0; d && d->id_error == 0 && i < ARRAY_SIZE(ids); i++)
		if (d->vendor == ids[i].vendor && ids[i].first <= d->device &&
		    d->device <= ids[i].last)
			return true;
	return false;
}

/*
 * Graphics and accelerators slow their link down while they have nothing to do, by their own
 * driver or firmware: no register tells that from a fault.
 */
static bool rests_by_itself(const struct pcidev *d)
{
	return d && d->class_error == 0 &&
	       (d->class >> 16 == CLASS_DISPLAY || d->class >> 16 == CLASS_ACCELERATOR);
}

/* --- the state ------------------------------------------------------------------------ */

/* What was looked at of a link: its own end twice. */
struct samples {
	struct sample own, again, port;
	bool suspended, woken, removable, in_chipset, rests_by_itself;
	int parent_error;
};

static const char *why_none(const struct host *h, const struct samples *s)
{
	const struct pcilink_end *own = &s->own.end;

	if (s->own.express_error == -ENOENT)
		return "it is no PCI Express function";
	if (s->own.express_error == 0 &&
	    (s->own.type == PCICONF_INTEGRATED_ENDPOINT || s->own.type == PCICONF_EVENT_COLLECTOR))
		return "it is integrated in the root complex";
	if (s->in_chipset)
		return "it is part of the chipset, and its link is internal";
	if (s->parent_error == -ENOENT)
		return "it is on a root bus, with no port above it";
	/* Since 4.13 every PCI Express function has the file. */
	if (own->error == -ENOENT && !host_is_partial(h))
		return "it is no PCI Express function";
	if (own->error == 0 && !own->speed && !own->max_speed && !own->width && !own->max_width)
		return "its link registers are empty: the link is virtual";
	if (s->own.tunnel || s->port.tunnel || s->removable)
		return "it is behind a tunnel, whose links are virtual";
	return NULL;
}

static bool differ(unsigned a, unsigned b)
{
	return a && b && a != b;
}

static bool is_asleep(const struct samples *s)
{
	return s->suspended || s->own.asleep || s->port.asleep;
}

static const char *why_resting(const struct samples *s)
{
	const struct pcilink_end *own = &s->own.end, *again = &s->again.end, *port = &s->port.end;

	if (is_asleep(s))
		return "an end of the link is not in D0";
	if (s->own.training || s->port.training || s->again.training)
		return "the link is in training";
	if (own->speed != again->speed || own->width != again->width)
		return "the link changed between two looks";
	if (differ(own->speed, port->speed) || differ(own->width, port->width))
		return "the two ends of the link say different things";
	return NULL;
}

static void settle(const struct host *h, const struct samples *s, struct pcilink *l)
{
	l->own = s->own.end;
	l->port = s->port.end;
	l->autonomous = s->own.autonomous || s->port.autonomous || s->again.autonomous;
	/* A port alone has the bit that says so (Link Status, 15). */
	l->is_unsure = s->port.express_error < 0;
	l->woken = s->woken;
	l->rests_by_itself = s->rests_by_itself;
	l->why = why_none(h, s);
	l->state = PCILINK_NONE;
	if (l->why)
		return;
	l->why = why_resting(s);
	l->asleep = is_asleep(s);
	l->state = PCILINK_RESTING;
	if (l->why)
		return;
	l->state = l->own.speed || l->own.width ? PCILINK_STEADY : PCILINK_UNKNOWN;
	if (l->state == PCILINK_UNKNOWN)
		l->why = "neither config space nor sysfs tells the state of the link";
}

/* What sleeps is looked at awake, where that is allowed: its registers show its rest otherwise. */
static bool look_awake(const struct host *h, const char *bdf, struct samples *s)
{
	struct pciconf own, port;

	if (host_is_partial(h) || awake_read(h, bdf, &own, &port, NULL) < 0)
		return false;
	s->own = (struct sample){ .express_error = -ENODATA };
	s->port = (struct sample){ .express_error = -ENODATA };
	read_registers(&own, &s->own);
	if (port.len > 0)
		read_registers(&port, &s->port);
	s->again = s->own;
	s->suspended = false;
	return true;
}

static void look(const struct host *h, const char *bdf, const char *port, struct samples *s)
{
	s->suspended = is_suspended(h, bdf) || (port && is_suspended(h, port));
	s->removable = is_removable(h, bdf);
	s->in_chipset = is_in_chipset(find_device(h, bdf));
	s->rests_by_itself = rests_by_itself(find_device(h, bdf));
	s->own.express_error = s->own.end.error = -EAGAIN;
	if (s->suspended && !host_is_partial(h)) {
		s->woken = look_awake(h, bdf, s);
		return;
	}
	read_sample(h, bdf, pciconf_read, &s->own);
	if (port)
		read_sample(h, port, pciconf_read, &s->port);
	s->again = s->own;
	/* What was captured does not change. */
	if (!host_is_partial(h))
		read_sample(h, bdf, pciconf_read_now, &s->again);
}

static int read_link(const struct host *h, const char *bdf, struct pcilink *ret, struct error *e)
{
	AUTO_BUF struct buf port = { 0 };
	struct samples s = { .port.end.error = -ENODATA };

	s.parent_error = pcitree_parent(h, bdf, &port, NULL);
	if (s.parent_error == 0) {
		ret->port_name = buf_take(&port);
		if (!ret->port_name)
			return host_nomem(h, e);
	}
	look(h, bdf, ret->port_name, &s);
	settle(h, &s, ret);
	return 0;
}

static void pcilink_done(struct pcilink *l)
{
	free(l->port_name);
}
HOST_FACT_ABOUT(pcilink_about, pcilink, read_link)

int pcilink_get(const struct host *h, const char *bdf, const struct pcilink **ret, struct error *e)
{
	return pcilink_about(h, bdf, ret, e);
}

/* --- judgement ------------------------------------------------------------------------- */

unsigned pcilink_now(const struct pcilink_end *end, enum pcilink_aspect what)
{
	return what == PCILINK_SPEED ? end->speed : end->width;
}

unsigned pcilink_max(const struct pcilink_end *end, enum pcilink_aspect what)
{
	return what == PCILINK_SPEED ? end->max_speed : end->max_width;
}

enum pcilink_judgement pcilink_judge(const struct pcilink *l, enum pcilink_aspect what)
{
	unsigned now = pcilink_now(&l->own, what);
	unsigned own = pcilink_max(&l->own, what), port = pcilink_max(&l->port, what);

	if (!now)
		return PCILINK_UNDECIDED;
	if (own && now >= own)
		return PCILINK_BEST;
	if (port && now >= port)
		return PCILINK_PORT_BEST;
	if (!own || !port)
		return PCILINK_UNDECIDED;
	return l->autonomous || l->is_unsure || (l->rests_by_itself && what == PCILINK_SPEED)
		       ? PCILINK_SLOWED
		       : PCILINK_DEGRADED;
}

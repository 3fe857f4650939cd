/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/step.h>

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <string.h>

static bool is_number(const struct setting_value *v, uint64_t number)
{
	return v->state == SETTING_KNOWN && v->number == number;
}

static unsigned pf_hazards(const struct pfstate *pf, const struct step *s,
			   const struct setting_value *from, const struct setting_value *to)
{
	const struct step_driver *d = step_driver_find(pf->driver);

	/* What reads as it should is not written again. */
	if (setting_equal(s->what, from, to))
		return 0;
	if (s->what == SETTING_VFS)
		return STEP_INTERRUPTS | (is_number(to, 0) ? STEP_TAKES : 0);
	if (s->what == SETTING_UP)
		return is_number(to, 0) ? STEP_INTERRUPTS : 0;
	if (s->what == SETTING_ESWITCH)
		return STEP_INTERRUPTS | STEP_RESETS;
	if (s->what == SETTING_AUTOPROBE)
		return 0;
	return STEP_INTERRUPTS | (d->resets & STEP_BIT(s->what) ? STEP_RESETS : 0);
}

unsigned step_hazards(const struct pfstate *pf, const struct step *s,
		      const struct setting_value *from, const struct setting_value *to)
{
	if (s->vf == PLAN_OF_PF)
		return pf_hazards(pf, s, from, to);
	/* Not set: the plan itself makes the VF, and nobody has it. */
	if (from->state == SETTING_UNSET)
		return 0;
	if (s->what == SETTING_DRIVER)
		return from->state == SETTING_KNOWN && !from->name[0] ? 0 : STEP_TAKES;
	return step_driver_find(pf->driver)->resets & STEP_BIT(s->what) ? STEP_RESETS : 0;
}

const char *step_interrupts(const struct pfstate *pf, const struct step *s)
{
	unsigned hazards = s->keep ? 0 : step_hazards(pf, s, &s->before, &s->after);

	if (hazards & STEP_TAKES)
		return s->what == SETTING_VFS ? "takes all VFs away"
					      : "takes the VF from its driver";
	if (hazards & STEP_RESETS && s->vf != PLAN_OF_PF)
		return "resets the VF";
	if (!(hazards & STEP_INTERRUPTS))
		return NULL;
	if (hazards & STEP_RESETS && pf->n_vfs > 0)
		return "interrupts the PF and resets its VFs";
	if (s->what == SETTING_VFS && !step_driver_find(pf->driver)->links_reset)
		return "may interrupt the PF";
	return "interrupts the PF";
}

bool step_reached(const struct step *s, const struct setting_value *wanted,
		  const struct setting_value *now)
{
	if (now->state != SETTING_KNOWN)
		return false;
	if (s->what == SETTING_DRIVER && strcmp(wanted->name, SETTING_DRIVER_DEFAULT) == 0)
		return now->name[0] != '\0';
	return setting_equal(s->what, wanted, now);
}

/* "VF 3 of 0000:3b:00.0", "VFs 0-3 of 0000:3b:00.0", "0000:3b:00.0". */
static void print_whom(const struct pfstate *pf, const struct step *s, uint32_t last,
		       struct buf *ret)
{
	if (s->vf != last)
		buf_printf(ret, "VFs %u-%u of ", s->vf, last);
	else if (s->vf != PLAN_OF_PF)
		buf_printf(ret, "VF %u of ", s->vf);
	buf_puts(ret, pf->bdf);
}

/* What has a plainer name than that a setting is set to a value. */
static bool print_act(const struct step *s, const struct setting_value *v, struct buf *ret)
{
	if (!v || v->state != SETTING_KNOWN)
		return false;
	if (s->what == SETTING_VFS && v->number == 0)
		buf_puts(ret, "remove the VFs of ");
	else if (s->what == SETTING_VFS)
		buf_printf(ret, "make %llu VF%s of ", (unsigned long long)v->number,
			   v->number == 1 ? "" : "s");
	else if (s->what == SETTING_AUTOPROBE)
		buf_puts(ret, v->number ? "let drivers take new " : "keep drivers from new ");
	else if (s->what == SETTING_UP)
		buf_puts(ret, v->number ? "bring up " : "take down ");
	else if (s->what == SETTING_DRIVER)
		buf_puts(ret, v->name[0] ? "bind " : "unbind ");
	else
		return false;
	return true;
}

/* "vlan 100" says by itself what it is. */
void step_print_value(enum setting s, const struct setting_value *v, struct buf *ret)
{
	AUTO_BUF struct buf value = { 0 };

	setting_print(s, v, &value);
	if (!parse_has_prefix(buf_text(&value), setting_name(s)))
		buf_printf(ret, "%s ", setting_name(s));
	buf_puts(ret, buf_text(&value));
	if (buf_error(&value) < 0)
		ret->error = buf_error(&value);
}

void step_print(const struct pfstate *pf, const struct step *s, const struct setting_value *v,
		struct buf *ret)
{
	step_print_vfs(pf, s, s->vf, v, ret);
}

void step_print_vfs(const struct pfstate *pf, const struct step *s, uint32_t last,
		    const struct setting_value *v, struct buf *ret)
{
	bool act = !s->keep && print_act(s, v, ret);

	if (!act)
		buf_puts(ret, s->keep ? "keep " : "set ");
	else if (s->what == SETTING_AUTOPROBE)
		buf_puts(ret, "VFs of ");
	print_whom(pf, s, last, ret);
	if (act && s->what == SETTING_DRIVER && v->name[0])
		buf_printf(ret, " to %s",
			   strcmp(v->name, SETTING_DRIVER_DEFAULT) == 0
				   ? "the driver that the kernel finds"
				   : v->name);
	if (act)
		return;
	buf_puts(ret, ": ");
	if (v)
		step_print_value(s->what, v, ret);
	else
		buf_puts(ret, setting_name(s->what));
}

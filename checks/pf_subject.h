/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checks of a physical function have in common: whom they judge, and what to say where
 * a register could not be read. */
#ifndef CHECKS_PF_SUBJECT_H
#define CHECKS_PF_SUBJECT_H

#include <sriovctl/check.h>

struct pciconf;
struct pf;

/*
 * NULL, with the verdict in @ret, for a function that is not judged: a VF, a card of a kind
 * that never had VFs, or one that could not be looked at.
 */
const struct pf *pf_subject_get(const struct check_input *in, struct finding *f,
				enum verdict *ret) MUST_USE;
bool pf_subject_is_judged(const struct pf *pf);
/* The same for what only arises where there are VFs to be had. */
const struct pf *pf_subject_with_vfs(const struct check_input *in, struct finding *f,
				     enum verdict *ret) MUST_USE;

/* A capability of the function that could not be looked up: evidence, and how it could be. */
void pf_subject_unread(struct finding *f, const struct host *h, const struct pf *pf, int r);
/* The same of any function, as of the ports above it; @r as pciconf_get() or a look-up. */
void pf_subject_unread_at(struct finding *f, const struct host *h, const char *bdf, int r);

/* pciconf_get(), for what stands in a space: that there is no file (-ENODATA) is no answer. */
int pf_subject_space(const struct host *h, const char *bdf, const struct pciconf **ret) MUST_USE;

#endif

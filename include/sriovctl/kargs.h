/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wanted of a kernel command line, word by word, and the text that has it.
 *
 * A word is "name" or "name=value"; in names '-' and '_' are the same.  It is there when
 * the last word of its name has it: as its whole value, or as one item of its comma list, as
 * "intel_iommu=on,sm_on" has "intel_iommu=on".  To be removed it is taken out of all words of
 * its name, item by item; "name" alone takes them all.  What stands behind "--" is for init,
 * and is neither looked at nor changed.  All else stays as it is, byte for byte.
 */
#ifndef SRIOVCTL_KARGS_H
#define SRIOVCTL_KARGS_H

#include <sriovctl/strv.h>

struct buf;
struct error;

struct kargs {
	struct strv add, remove;
};

void kargs_done(struct kargs *k);
#define AUTO_KARGS CLEANUP(kargs_done)

/*
 * A word that means itself in a shell, in quotes, and in the files of all boot loaders.
 * -EINVAL: it is none, and @e says why.
 */
int kargs_check_word(const char *word, struct error *e) MUST_USE;

/* -EINVAL: a word is both to be added and to be removed. */
int kargs_check(const struct kargs *k, struct error *e) MUST_USE;

bool kargs_has(const char *text, const char *word);
/* Is there anything in @text that removing @word would change? */
bool kargs_has_any(const char *text, const char *word);
/* Is nothing left to be done? */
bool kargs_holds(const char *text, const struct kargs *k);

/* Append @text to @ret without what is to be removed, or with what is to be added. */
void kargs_remove(const char *text, const struct kargs *k, struct buf *ret);
void kargs_add(const char *text, const struct kargs *k, struct buf *ret);
/* Both, one after the other.  In a text with a quote that is not closed nothing can be added: ask
 * kargs_holds() of what comes out. */
void kargs_edit(const char *text, const struct kargs *k, struct buf *ret);

#endif

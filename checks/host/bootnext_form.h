/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of bootnext.c: what its forms have in common. */
#ifndef CHECKS_HOST_BOOTNEXT_FORM_H
#define CHECKS_HOST_BOOTNEXT_FORM_H

#include <sriovctl/bootnext.h>

/* The title of the first entry of a menu, kept among the variables: no name has a blank. */
#define BOOTNEXT_FIRST "first entry"

/* What a menu takes in beside it, where it is there: /etc/grub.d/41_custom of GRUB. */
#define BOOTNEXT_CUSTOM "custom.cfg"

/* Does the word make a boot one for repairs? */
bool bootnext_form_is_rescue(const char *word);

/* Appends the text without the quotes around all of it. */
void bootnext_form_unquote(const char *text, struct buf *ret);

/* The last value that the file sets a variable to; NULL: none. */
const char *bootnext_form_variable(const struct bootnext_file *f, const char *name);

/*
 * Puts the values of variables into the words of an entry, of @files the first that has one.
 * -ENOMEM, or 0; what is not known makes the entry unsure.
 */
int bootnext_form_expand(struct bootnext_entry *e, const struct bootnext_file *const *files,
			 size_t n);

#endif

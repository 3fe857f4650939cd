/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing list of strings it owns.  A zeroed struct strv is empty and valid. */
#ifndef SRIOVCTL_STRV_H
#define SRIOVCTL_STRV_H

#include <sriovctl/base.h>

struct strv {
	char **items;
	size_t n;
};

/* 0 or -ENOMEM.  strv_take() owns @text from the call on, also when it fails. */
int strv_add(struct strv *v, const char *text) MUST_USE;
int strv_take(struct strv *v, char *text) MUST_USE;

bool strv_has(const struct strv *v, const char *text);

/* Numbers inside names count as numbers: vf2 before vf10. */
void strv_sort(struct strv *v);
void strv_done(struct strv *v);
#define AUTO_STRV CLEANUP(strv_done)

#endif

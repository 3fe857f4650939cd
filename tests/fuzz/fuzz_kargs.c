/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../checks/facts/kargs_bootc.h"
#include "../../checks/facts/kargs_entry.h"
#include "../../checks/facts/kargs_grub.h"

#include <sriovctl/kargs.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool it)
{
	if (!it)
		abort();
}

static void want(struct kargs *k)
{
	require(strv_add(&k->add, "a=on") == 0 && strv_add(&k->remove, "b=off") == 0);
}

/* An edit makes what is wanted, and finds nothing to do the second time. */
static void edit_words(const char *text, const struct kargs *k)
{
	AUTO_BUF struct buf once = { 0 }, twice = { 0 };

	kargs_edit(text, k, &once);
	/* What stands behind a quote that is not closed is a part of its word. */
	if (!kargs_holds(buf_text(&once), k)) {
		require(strchr(text, '"') != NULL);
		return;
	}
	kargs_edit(buf_text(&once), k, &twice);
	require(strcmp(buf_text(&once), buf_text(&twice)) == 0);
}

static void edit_grub(const char *text, const struct kargs *k)
{
	char path[] = "/g";
	struct kargs_grub_file once = { .path = path }, twice = { .path = path };

	buf_puts(&once.before, text);
	if (kargs_grub_edit(&once, 1, k, NULL) == 0) {
		buf_puts(&twice.before, buf_text(&once.after));
		require(kargs_grub_edit(&twice, 1, k, NULL) == 0);
		require(strcmp(buf_text(&once.after), buf_text(&twice.after)) == 0);
	}
	buf_done(&once.before);
	buf_done(&once.after);
	buf_done(&twice.before);
	buf_done(&twice.after);
}

/* The block of variables before a NUL-like mark, the entry behind it. */
static void edit_entry(char *text, const struct kargs *k)
{
	AUTO_BUF struct buf once = { 0 }, twice = { 0 }, env = { 0 };
	char *mark = strchr(text, '\1');

	if (mark)
		*mark = '\0';
	if (kargs_entry_edit("/e", mark ? mark + 1 : "", text, k, &once, NULL) == 0) {
		require(kargs_entry_edit("/e", buf_text(&once), text, k, &twice, NULL) == 0);
		require(strcmp(buf_text(&once), buf_text(&twice)) == 0);
	}
	if (kargs_entry_edit_env("/v", text, k, &env, NULL) == 0)
		require(env.len == strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_KARGS struct kargs k = { 0 };
	AUTO_BUF struct buf words = { 0 };
	AUTO_FREE char *text = size ? strndup((const char *)data + 1, size - 1) : NULL;

	if (!text)
		return 0;
	want(&k);
	switch (data[0]) {
	case 'g':
		edit_grub(text, &k);
		(void)!kargs_grub_staged("/c", text, &k, NULL);
		break;
	case 'e':
		edit_entry(text, &k);
		break;
	case 't':
		(void)!kargs_bootc_parse("/t", text, &words, NULL);
		break;
	default:
		edit_words(text, &k);
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tar file is refused with a sentence, or becomes a host whose every name can be asked.
 * Checksums of headers are put right, or nothing would come by them.
 */
#include "../../checks/host/host_index.h"
#include "../../checks/host/host_load.h"
#include "../../checks/host/host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BLOCK	 512
#define SUM_AT	 148
#define SUM_LEN	 8
#define MAGIC_AT 257

static void put_checksums(uint8_t *data, size_t size)
{
	for (size_t at = 0; at + BLOCK <= size; at += BLOCK) {
		uint8_t *block = data + at;
		unsigned sum = 0;
		char text[SUM_LEN];

		if (memcmp(block + MAGIC_AT, "ustar", 5) != 0)
			continue;
		memset(block + SUM_AT, ' ', SUM_LEN);
		for (size_t i = 0; i < BLOCK; i++)
			sum += block[i];
		(void)snprintf(text, sizeof(text), "%06o", sum);
		memcpy(block + SUM_AT, text, SUM_LEN - 1);
	}
}

static int ask(void *arg, uint32_t at, const char *path)
{
	struct host_source *s = arg;
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv names = { 0 };
	enum host_kind kind;

	(void)at;
	(void)s->ops->kind(s, path, &kind);
	(void)s->ops->read(s, path, 65536, &text);
	(void)s->ops->list(s, path, &names);
	(void)s->ops->link(s, path, &text);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_SOURCE struct host_source *source = NULL;
	struct host_store *s = NULL;
	struct error e = { 0 };
	uint8_t *copy = malloc(size + 1);
	AUTO_CLOSE int fd = memfd_create("archive", MFD_CLOEXEC);

	if (!copy || fd < 0)
		abort();
	memcpy(copy, data, size);
	put_checksums(copy, size);
	if (write(fd, copy, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	free(copy);
	if (host_load_archive(fd, &s, &e) < 0) {
		if (!e.text[0])
			abort();
		return 0;
	}
	if (host_store_source(s, &source, NULL) < 0)
		abort();
	return host_index_walk(s, ask, source);
}

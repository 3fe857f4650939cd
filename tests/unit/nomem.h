/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An allocation that fails: nomem_arm(n) has the n-th from then on fail (0: none), and counts
 * them.  The allocator of the C library, or that of AddressSanitizer, is interposed; other
 * processes, such as those of child.h, are spared, and so is a library that ends the program
 * by itself (archive_string.c) when nomem_spare() named it.  For one file of a test.
 */
#ifndef TESTS_NOMEM_H
#define TESTS_NOMEM_H

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *old, size_t size);

static struct {
	pid_t process; /* 0: nothing fails */
	unsigned n, fails_at;
} memory;

static struct {
	uintptr_t from, to;
	const char *name;
} nomem_spared;

static inline int nomem_find_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	if (!strstr(info->dlpi_name, nomem_spared.name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD) {
			uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

			if (!nomem_spared.from)
				nomem_spared.from = from;
			nomem_spared.to = from + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

static inline void nomem_spare(const char *library)
{
	nomem_spared.name = library;
	(void)dl_iterate_phdr(nomem_find_library, NULL);
}

static bool is_out(const void *caller)
{
	uintptr_t from = (uintptr_t)caller;
	bool spared = from >= nomem_spared.from && from < nomem_spared.to;
	bool counts = !spared && memory.process && memory.process == getpid();

	if (counts && ++memory.n == memory.fails_at) {
		errno = ENOMEM;
		return true;
	}
	return false;
}

void *malloc(size_t size)
{
	return is_out(__builtin_return_address(0)) ? NULL : REAL(malloc)(size);
}

void *calloc(size_t n, size_t size)
{
	return is_out(__builtin_return_address(0)) ? NULL : REAL(calloc)(n, size);
}

void *realloc(void *old, size_t size)
{
	return is_out(__builtin_return_address(0)) ? NULL : REAL(realloc)(old, size);
}

/* AddressSanitizer has versions of its own of these, which would not come by here. */
void *reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? NULL : realloc(old, bytes);
}

static char *copy(const char *text, size_t len)
{
	char *to = malloc(len + 1);

	if (!to)
		return NULL;
	to[len] = '\0';
	return memcpy(to, text, len);
}

char *strndup(const char *text, size_t len)
{
	return copy(text, strnlen(text, len));
}

char *strdup(const char *text)
{
	return copy(text, strlen(text));
}

static inline void nomem_arm(unsigned fails_at)
{
	memory.n = 0;
	memory.fails_at = fails_at;
	memory.process = getpid();
}

static inline void nomem_disarm(void)
{
	memory.process = 0;
}

#endif

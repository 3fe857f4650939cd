/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every file may use: attributes and automatic cleanup.  A variable marked
 * AUTO_* is released when it leaves scope; TAKE() hands its value on instead.
 */
#ifndef SRIOVCTL_BASE_H
#define SRIOVCTL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define PRINTF(f, a)  __attribute__((format(printf, f, a)))
#define MUST_USE      __attribute__((warn_unused_result))
#define CLEANUP(fn)   __attribute__((cleanup(fn)))

void base_free(void *pointer_to_pointer);
void base_close(const int *fd);
#define AUTO_FREE  CLEANUP(base_free)
#define AUTO_CLOSE CLEANUP(base_close)

/*
 * Room for one more behind the @n items, each of @size bytes, of an array that grows by this
 * alone.  The array, which may have moved; NULL when out of memory, and it is as it was.
 */
void *base_room(void *items, size_t n, size_t size) MUST_USE;

/* All of it, or a negative errno. */
int base_write(int fd, const void *data, size_t len) MUST_USE;

/* Of a clock that nobody sets. */
int64_t base_now_ms(void);

/* The value of @p; @p is empty afterwards, so that its cleanup does nothing. */
#define TAKE(p)                             \
	({                                  \
		__typeof__(p) taken_ = (p); \
		(p) = NULL;                 \
		taken_;                     \
	})

#endif

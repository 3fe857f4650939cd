/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>

#include <stdlib.h>
#include <unistd.h>

void base_free(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void base_close(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

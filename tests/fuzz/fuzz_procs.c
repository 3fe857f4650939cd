/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>
#include <sriovctl/holders.h>
#include <sriovctl/procs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_pass(const char *text, size_t size)
{
	struct procs p = { 0 };
	int r = procs_parse(text, size, &p, NULL);

	if (r < 0 && (r != -EBADMSG || p.items))
		abort();
	for (size_t i = 0; i < p.n_handles; i++)
		if (p.handles[i].process >= p.n || p.handles[i].kind >= PROCS_KINDS ||
		    !p.handles[i].name)
			abort();
	for (size_t i = 0; i < p.n; i++)
		if (!p.items[i].name || !p.items[i].guest)
			abort();
	for (size_t i = 0; i < p.n_nets; i++)
		if (!p.nets[i].name || !p.nets[i].how)
			abort();
	procs_done(&p);
}

/* What is noted of a mapping or a guest is a part of a pass again. */
static void check_notes(const char *text, size_t size)
{
	AUTO_BUF struct buf pass = { 0 };
	struct procs p = { 0 };

	buf_puts(&pass, "process\t1\tx\t");
	procs_parse_guest(text, size, &pass);
	buf_puts(&pass, "\n");
	procs_parse_mapping(text, size, &pass);
	if (procs_parse(pass.data, pass.len, &p, NULL) < 0)
		abort();
	procs_done(&p);
}

static void check_spaces(const char *text)
{
	AUTO_BUF struct buf link = { 0 }, path = { 0 };
	const char *packets = text;
	uint64_t inode;
	int index;

	(void)!procs_parse_space(text, &inode);
	while (procs_parse_packet(&packets, &index, &link))
		if (index <= 0)
			abort();
	while (procs_parse_net_mount(&text, &link, &path))
		(void)!procs_parse_space(buf_text(&link), &inode);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	AUTO_BUF struct buf found = { 0 };

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check_pass(text, size);
	check_notes(text, size);
	check_spaces(text);
	procs_parse_bdf(text, size, &found);
	(void)procs_parse_rights(text);
	buf_clear(&found);
	holders_parse_mounts(text, "/dev/nvme0n1", "259:0", &found);
	(void)holders_parse_swaps(text, "/dev/nvme0n1");
	free(text);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target on the files named, without libFuzzer, and on each of them cut
 * short at every length, in memory of exactly that size: a sanitizer sees every byte
 * that is read too far.  TAP on stdout.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	return 0;
}

static int run_file(const char *path)
{
	static uint8_t data[INPUT_MAX];
	FILE *in = fopen(path, "rb");
	size_t size;
	int r = 0;

	if (!in)
		return -errno;
	size = fread(data, 1, sizeof(data), in);
	if (ferror(in) || size == sizeof(data))
		r = -EFBIG;
	(void)fclose(in);
	for (size_t cut = 0; r == 0 && cut <= size; cut++)
		r = run(data, cut);
	return r;
}

int main(int argc, char **argv)
{
	int bad = 0;

	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		int r;

		/* Shown only when the file does not come to its end. */
		printf("# %s\n", argv[i]);
		r = run_file(argv[i]);
		if (r < 0)
			printf("# %s\n", strerror(-r));
		printf("%s %d - %s\n", r < 0 ? "not ok" : "ok", i, argv[i]);
		bad += r < 0;
	}
	if (argc < 2) {
		printf("not ok 1 - %s has no corpus\n", argv[0]);
		argc = 2;
		bad = 1;
	}
	printf("1..%d\n", argc - 1);
	return bad != 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/interrupts.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SYSFS_PATH  "/sys/kernel/irq"
#define PROCFS_PATH "/proc/interrupts"
/* 1024 processors by 4096 lines at 11 bytes a count. */
#define PROCFS_MAX (64 * 1024 * 1024)

/* The chips of Arm, none of which has a namesake on x86; false for any other. */
static bool is_of_arm(const char *chip, enum interrupt_kind *ret)
{
	static const struct {
		const char *prefix;
		enum interrupt_kind kind;
	} chips[] = {
		{ .prefix = "ITS-MSI", .kind = INTERRUPT_REMAPPED },
		{ .prefix = "ITS-PCI-MSI", .kind = INTERRUPT_REMAPPED },
		{ .prefix = "GICv2m-PCI-MSI", .kind = INTERRUPT_PLAIN },
		{ .prefix = "MBI-PCI-MSI", .kind = INTERRUPT_PLAIN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		if (!parse_has_prefix(chip, chips[i].prefix))
			continue;
		*ret = chips[i].kind;
		return true;
	}
	*ret = INTERRUPT_PLAIN;
	return strcmp(chip, "MSI") == 0;
}

enum interrupt_kind interrupts_classify(const char *chip, const char *action, bool *ret_is_msi)
{
	static const char *const msi[] = { "PCI-MSI", "PCI_MSI" };
	static const char *const wired[] = { "IO-APIC", "HPET-MSI", "HPET_MSI" };
	bool remapped = parse_has_prefix(chip, "IR-");
	const char *name = chip + (remapped ? 3 : 0);
	enum interrupt_kind kind;

	*ret_is_msi = is_of_arm(chip, &kind);
	if (*ret_is_msi)
		return kind;
	/* The unit that remaps cannot have its own fault interrupts remapped. */
	if (parse_has_prefix(action, "AMD-Vi") || parse_has_prefix(action, "dmar"))
		return INTERRUPT_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(msi); i++)
		if (parse_has_prefix(name, msi[i]))
			*ret_is_msi = true;
	for (size_t i = 0; !*ret_is_msi && i < ARRAY_SIZE(wired); i++)
		if (parse_has_prefix(name, wired[i]))
			/* "IO-APIC-IR": how kernels before 3.x wrote it. */
			return remapped || strstr(name, "-IR") ? INTERRUPT_REMAPPED
							       : INTERRUPT_PLAIN;
	if (!*ret_is_msi)
		return INTERRUPT_OTHER;
	return remapped ? INTERRUPT_REMAPPED : INTERRUPT_PLAIN;
}

/* Owns @chip and @action from the call on. */
static int add(struct interrupts *v, uint32_t number, char *chip, char *action)
{
	struct interrupt *items = base_room(v->items, v->n, sizeof(*items));
	bool is_msi = false;

	if (items)
		v->items = items;
	if (!chip || !action || !items) {
		free(chip);
		free(action);
		return -ENOMEM;
	}
	v->items[v->n++] = (struct interrupt){
		.number = number,
		.kind = interrupts_classify(chip, action, &is_msi),
		.is_msi = is_msi,
		.chip = chip,
		.action = action,
	};
	return 0;
}

static size_t count_words(const char *line, size_t len)
{
	const char *end = line + len, *cursor = line, *word;
	size_t n = 0, word_len;

	while (parse_word(&cursor, &word, &word_len) && word < end)
		n++;
	return n;
}

/* "  33:  12  0  IR-PCI-MSI 524288-edge  eth0"; other rows ("NMI:", "ERR:") are passed over. */
static int parse_row(struct interrupts *v, const char *line, size_t len, size_t n_cpus)
{
	AUTO_FREE char *row = strndup(line, len), *number = NULL;
	const char *cursor = row, *word, *chip;
	size_t word_len, chip_len;
	uint64_t n;

	if (!row)
		return -ENOMEM;
	if (!parse_word(&cursor, &word, &word_len) || word[word_len - 1] != ':')
		return 0;
	number = strndup(word, word_len - 1);
	if (!number)
		return -ENOMEM;
	if (parse_u64(number, 10, UINT32_MAX, &n) < 0)
		return 0;
	for (size_t i = 0; i < n_cpus; i++)
		if (!parse_word(&cursor, &word, &word_len))
			return 0;
	if (!parse_word(&cursor, &chip, &chip_len))
		return 0;
	/* What is left: the hardware number with its trigger on newer kernels, then the actions. */
	word = strrchr(cursor, ' ');
	return add(v, (uint32_t)n, strndup(chip, chip_len), strdup(word ? word + 1 : ""));
}

int interrupts_parse(const char *text, struct interrupts *ret)
{
	struct interrupts v = { .source = PROCFS_PATH };
	const char *line;
	size_t len, n_cpus;
	int r = 0;

	if (!parse_line(&text, &line, &len) || !memmem(line, len, "CPU", 3))
		return -EINVAL;
	n_cpus = count_words(line, len);
	while (r == 0 && parse_line(&text, &line, &len))
		r = parse_row(&v, line, len, n_cpus);
	if (r < 0) {
		interrupts_done(&v);
		return r;
	}
	*ret = v;
	return 0;
}

void interrupts_done(struct interrupts *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].chip);
		free(v->items[i].action);
	}
	free(v->items);
	*v = (struct interrupts){ 0 };
}

static int read_one(const struct host *h, struct interrupts *v, const char *name)
{
	AUTO_BUF struct buf chip = { 0 }, action = { 0 };
	uint64_t number;
	int r;

	if (parse_u64(name, 10, UINT32_MAX, &number) < 0)
		return 0;
	r = host_attr(h, &chip, NULL, SYSFS_PATH "/%s/chip_name", name);
	if (r < 0 || chip.len == 0)
		return r == -ENOMEM ? r : 0;
	r = host_attr(h, &action, NULL, SYSFS_PATH "/%s/actions", name);
	if (r == -ENOMEM)
		return r;
	return add(v, (uint32_t)number, buf_take(&chip), buf_take(&action));
}

static int read_sysfs(const struct host *h, struct interrupts *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, e, SYSFS_PATH);

	ret->source = SYSFS_PATH;
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = read_one(h, ret, names.items[i]);
	if (r == 0 && ret->n == 0)
		return error_set(e, -ENODATA, SYSFS_PATH ": names no interrupt chip");
	return r;
}

static int read_interrupts(const struct host *h, struct interrupts *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = read_sysfs(h, ret, e);

	if (r == 0 || r == -ENOMEM)
		return r;
	interrupts_done(ret);
	r = host_read(h, PROCFS_MAX, &text, e, PROCFS_PATH);
	if (r < 0)
		return r;
	r = interrupts_parse(buf_text(&text), ret);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? error_set(e, r, PROCFS_PATH ": not in the kernel's form") : 0;
}
HOST_FACT_DEFINE(interrupts, read_interrupts)

const struct interrupt *interrupts_find(const struct interrupts *v, uint32_t number)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].number == number)
			return &v->items[i];
	return NULL;
}

size_t interrupts_count(const struct interrupts *v, enum interrupt_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += v->items[i].kind == kind;
	return n;
}

const struct interrupt *interrupts_first(const struct interrupts *v, enum interrupt_kind kind)
{
	const struct interrupt *found = NULL;

	for (size_t i = 0; i < v->n; i++) {
		const struct interrupt *it = &v->items[i];

		if (it->kind == kind && (!found || (it->is_msi && !found->is_msi)))
			found = it;
	}
	return found;
}

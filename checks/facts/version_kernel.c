/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/version_kernel.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>
#include <strings.h>

/*
 * Whose kernel it is, by what its release has behind the three numbers.  Where these are not
 * upstream's whole, the third is that of a build, or stands still.
 */
static const struct mark {
	const char *text, *distribution;
	bool has_patch, is_plain;
} marks[] = {
	/* SUSE's service packs, of which some have the names of Ubuntu's kernels behind. */
	{ .text = "-150300.", .distribution = "SUSE", .has_patch = true },
	{ .text = "-150400.", .distribution = "SUSE", .has_patch = true },
	{ .text = "-150500.", .distribution = "SUSE", .has_patch = true },
	{ .text = "-150600.", .distribution = "SUSE", .has_patch = true },
	{ .text = "-150700.", .distribution = "SUSE", .has_patch = true },
	{ .text = "-160000.", .distribution = "SUSE", .has_patch = true },
	{ .text = "uek", .distribution = "Oracle Linux" },
	{ .text = ".el", .distribution = "RHEL" },
	{ .text = ".fc", .distribution = "Fedora", .has_patch = true, .is_plain = true },
	{ .text = ".amzn", .distribution = "Amazon Linux", .has_patch = true },
	{ .text = ".oe", .distribution = "openEuler" },
	{ .text = ".azl", .distribution = "Azure Linux", .has_patch = true },
	{ .text = ".cm2", .distribution = "Azure Linux", .has_patch = true },
	{ .text = ".ph", .distribution = "Photon OS", .has_patch = true },
	{ .text = "-pve", .distribution = "Proxmox VE" },
	{ .text = "-arch", .distribution = "Arch Linux", .has_patch = true, .is_plain = true },
	{ .text = "-flatcar", .distribution = "Flatcar", .has_patch = true, .is_plain = true },
	{ .text = "+deb", .distribution = "Debian", .has_patch = true, .is_plain = true },
	{ .text = "+rpt", .distribution = "Raspberry Pi OS", .has_patch = true, .is_plain = true },
	{ .text = "-generic", .distribution = "Ubuntu" },
	{ .text = "-lowlatency", .distribution = "Ubuntu" },
	{ .text = "-azure", .distribution = "Ubuntu" },
	{ .text = "-aws", .distribution = "Ubuntu" },
	{ .text = "-gcp", .distribution = "Ubuntu" },
	{ .text = "-oracle", .distribution = "Ubuntu" },
	{ .text = "-kvm", .distribution = "Ubuntu" },
	{ .text = "-oem", .distribution = "Ubuntu" },
	{ .text = "-nvidia", .distribution = "Ubuntu" },
	{ .text = "-realtime", .distribution = "Ubuntu" },
	{ .text = "-raspi", .distribution = "Ubuntu" },
	{ .text = "-gke", .distribution = "Ubuntu" },
	{ .text = "-ibm", .distribution = "Ubuntu" },
	{ .text = "-default", .distribution = "SUSE", .has_patch = true },
	{ .text = "-amd64", .distribution = "Debian" },
	{ .text = "-arm64", .distribution = "Debian" },
	{ .text = "-cloud-amd64", .distribution = "Debian" },
	{ .text = "-rt-amd64", .distribution = "Debian" },
};

static const struct mark *find_mark(const char *rest)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (strstr(rest, marks[i].text))
			return &marks[i];
	return NULL;
}

bool version_kernel_is_known(const char *distribution)
{
	if (strcasecmp(distribution, "upstream") == 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (strcasecmp(marks[i].distribution, distribution) == 0)
			return true;
	return false;
}

static int take_release(const char **text, struct version_release *ret)
{
	uint32_t *const parts[] = { &ret->major, &ret->minor, &ret->patch };
	uint64_t value;

	*ret = (struct version_release){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (i > 0 && **text != '.')
			return i < 2 ? -EINVAL : 0;
		*text += i > 0;
		if (parse_digits(text, 10, UINT32_MAX, &value) < 0 || value > UINT16_MAX)
			return -EINVAL;
		*parts[i] = (uint32_t)value;
	}
	return 0;
}

int version_kernel_release(const char *text, struct version_release *ret, struct error *e)
{
	const char *p = text;

	if (take_release(&p, ret) < 0 || *p)
		return error_set(e, -EINVAL,
				 "\"%s\" is no release of the kernel as \"6.8\" or \"6.6.17\"",
				 text);
	return 0;
}

/* "#1 SMP Debian 6.1.174-1 (2026-05-02)": of 5.10 and later there is "Debian" alone before. */
static bool take_debian(const char *build, struct version_kernel *ret)
{
	static const char word[] = " Debian ";
	struct version_release base;
	const char *p = build ? strstr(build, word) : NULL;

	if (!p)
		return false;
	p += strlen(word);
	ret->distribution = "Debian";
	if (take_release(&p, &base) == 0 && (*p == '-' || *p == '+') &&
	    base.major == ret->base.major && base.minor == ret->base.minor) {
		ret->base = base;
		ret->knows_patch = ret->is_plain = true;
	}
	return true;
}

/* "Ubuntu 5.15.0-91.101-generic 5.15.131": the last word is upstream's. */
static void take_ubuntu(const char *signature, struct version_kernel *ret)
{
	struct version_release base;
	const char *p = signature ? strrchr(signature, ' ') : NULL;

	ret->distribution = "Ubuntu";
	if (!p++ || take_release(&p, &base) < 0 || *p || base.major != ret->base.major ||
	    base.minor != ret->base.minor)
		return;
	ret->base = base;
	ret->knows_patch = true;
}

static void tell_whose(const char *rest, const char *build, const char *signature,
		       struct version_kernel *ret)
{
	const struct mark *mark = find_mark(rest);
	bool is_signed = signature && parse_has_prefix(signature, "Ubuntu ");
	/* "#101-Ubuntu SMP". */
	bool is_ubuntu = is_signed || (build && strstr(build, "-Ubuntu "));

	/* "-rc3", Debian's "~rc3", Fedora's "-0.rc3". */
	ret->is_candidate = strstr(rest, "-rc") || strstr(rest, "~rc") || strstr(rest, ".rc");
	if (take_debian(build, ret))
		return;
	if (is_ubuntu || (mark && strcmp(mark->distribution, "Ubuntu") == 0)) {
		take_ubuntu(is_signed ? signature : NULL, ret);
		return;
	}
	if (mark) {
		ret->distribution = mark->distribution;
		ret->knows_patch = mark->has_patch;
		ret->is_plain = mark->is_plain;
		return;
	}
	/* Who built "6.1.90-custom" may have put into it whatever it was. */
	ret->knows_patch = true;
	ret->is_exact = *rest == '\0';
	ret->is_plain = ret->is_exact || parse_has_prefix(rest, "-rc");
	if (ret->is_plain)
		ret->distribution = "upstream";
}

int version_kernel_parse(const char *release, const char *build, const char *signature,
			 struct version_kernel *ret, struct error *e)
{
	struct version_kernel k = { 0 };
	const char *p = release;

	if (take_release(&p, &k.base) < 0)
		return error_set(e, -EINVAL,
				 "\"%s\" is no release of a kernel: it begins as \"6.1.0\" does",
				 release);
	tell_whose(p, build, signature, &k);
	if (!k.knows_patch)
		k.base.patch = 0;
	*ret = k;
	return 0;
}

static int read_version_kernel(const struct host *h, struct version_kernel *ret, struct error *e)
{
	AUTO_BUF struct buf build = { 0 }, signature = { 0 };
	const struct kernel *k = NULL;
	int r = kernel_get(h, &k, e);

	if (r < 0)
		return r;
	r = host_attr(h, &build, NULL, "/proc/version");
	/* What uname -a tells of it is all that some imports have. */
	if (r < 0 && r != -ENOMEM)
		r = host_attr(h, &build, NULL, "/proc/sys/kernel/version");
	if (r == -ENOMEM || host_attr(h, &signature, NULL, "/proc/version_signature") == -ENOMEM)
		return error_nomem(e);
	return version_kernel_parse(k->release, buf_text(&build), buf_text(&signature), ret, e);
}
HOST_FACT_DEFINE(version_kernel, read_version_kernel)

void version_kernel_done(struct version_kernel *k)
{
	*k = (struct version_kernel){ 0 };
}

static bool is_branch(const struct version_release *a, const struct version_release *b)
{
	return a->major == b->major && a->minor == b->minor;
}

static bool is_before(const struct version_release *a, const struct version_release *b)
{
	if (a->major != b->major)
		return a->major < b->major;
	return a->minor != b->minor ? a->minor < b->minor : a->patch < b->patch;
}

enum version_has version_kernel_has(const struct version_kernel *k,
				    const struct version_release *mainline,
				    const struct version_release *stable, size_t n_stable)
{
	const bool is_in_part = k->is_candidate && is_branch(&k->base, mainline);

	if (!is_before(&k->base, mainline) && !is_in_part)
		return VERSION_HAS;
	for (size_t i = 0; i < n_stable; i++)
		if (is_branch(&k->base, &stable[i]) && !is_before(&k->base, &stable[i]) &&
		    !k->is_candidate)
			return VERSION_HAS;
	return k->is_exact ? VERSION_LACKS : VERSION_MAY_HAVE;
}

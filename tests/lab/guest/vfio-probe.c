/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vfio-probe BDF: does with a PCI function what a virtual machine monitor would do with it, as
 * far as mapping one page for its DMA, and says line by line how far that went: "vfio STEP ok",
 * or "vfio STEP" and the errno's name.  With "hold" it then keeps what it has until it is killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Prints the outcome of a step, and ends the program at the first failure. */
static void step(const char *name, int ok)
{
	printf("vfio %s %s\n", name, ok ? "ok" : strerrorname_np(errno));
	fflush(stdout);
	if (!ok)
		exit(1);
}

static int write_file(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY);
	if (fd < 0)
		return 0;
	int ok = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
	int saved = errno;
	close(fd);
	errno = saved;
	return ok;
}

/* The last part of what a symbolic link in the function's directory points at. */
static int link_name(const char *bdf, const char *link, char name[static PATH_MAX])
{
	char path[PATH_MAX], target[PATH_MAX];
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", bdf, link);
	ssize_t length = readlink(path, target, sizeof target - 1);
	if (length < 0)
		return 0;
	target[length] = '\0';
	snprintf(name, PATH_MAX, "%s", strrchr(target, '/') + 1);
	return 1;
}

/*
 * Gives the function to vfio-pci. The write that starts the probing succeeds
 * whatever came of it: the driver link tells.
 */
static int bind_vfio(const char *bdf)
{
	char path[PATH_MAX], driver[PATH_MAX];
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/driver/unbind", bdf);
	if (!write_file(path, bdf) && errno != ENOENT)
		return 0;
	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/driver_override", bdf);
	if (!write_file(path, "vfio-pci") || !write_file("/sys/bus/pci/drivers_probe", bdf))
		return 0;
	if (!link_name(bdf, "driver", driver))
		return 0;
	errno = EBUSY;
	return strcmp(driver, "vfio-pci") == 0;
}

int main(int argc, char **argv)
{
	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: vfio-probe BDF [hold]\n");
		return 2;
	}
	const char *bdf = argv[1];
	char name[PATH_MAX], path[PATH_MAX + 16];

	step("iommu_group", link_name(bdf, "iommu_group", name));
	step("bind", bind_vfio(bdf));

	snprintf(path, sizeof path, "/dev/vfio/%s", name);
	int group = open(path, O_RDWR);
	step("open", group >= 0);

	struct vfio_group_status status = { .argsz = sizeof status };
	int viable = ioctl(group, VFIO_GROUP_GET_STATUS, &status) == 0;
	if (viable && !(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
		/* Another member of the group has a driver of its own. */
		errno = EBUSY;
		viable = 0;
	}
	step("viable", viable);

	int container = open("/dev/vfio/vfio", O_RDWR);
	step("container", container >= 0);
	step("set_container", ioctl(group, VFIO_GROUP_SET_CONTAINER, &container) == 0);
	step("set_iommu", ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU) == 0);

	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof map,
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (unsigned long)page,
		.iova = 0x10000,
		.size = size,
	};
	step("map", page != MAP_FAILED && ioctl(container, VFIO_IOMMU_MAP_DMA, &map) == 0);
	step("device", ioctl(group, VFIO_GROUP_GET_DEVICE_FD, bdf) >= 0);
	if (argc == 3)
		pause();
	return 0;
}

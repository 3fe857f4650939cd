/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line per area, in the order a report shows them: causes before what they cause. */
#ifndef CHECKS_AREAS_H
#define CHECKS_AREAS_H

#include <sriovctl/check.h>

#define FOREACH_AREA(X)           \
	X(platform_checks)        \
	X(iommu_checks)           \
	X(iommu_domain_checks)    \
	X(iommu_conflicts_checks) \
	X(irq_checks)             \
	X(irq_posted_checks)      \
	X(x2apic_checks)          \
	X(vfio_checks)            \
	X(kernel_checks)          \
	X(compat_kernel_checks)   \
	X(lockdown_checks)        \
	X(cmdline_pending_checks) \
	X(managers_checks)        \
	X(pf_checks)              \
	X(pf_ddp_checks)          \
	X(pf_firmware_checks)     \
	X(compat_checks)          \
	X(pf_mmio_checks)         \
	X(pf_routing_checks)      \
	X(pf_msix_checks)         \
	X(pf_capacity_checks)     \
	X(pf_isolation_checks)    \
	X(pf_reserved_checks)     \
	X(pf_link_checks)         \
	X(pf_path_checks)         \
	X(pf_errors_checks)       \
	X(pf_port_checks)         \
	X(vf_present_checks)      \
	X(vf_checks)              \
	X(vf_mac_checks)          \
	X(vf_driver_checks)       \
	X(vf_persistent_checks)

#define DECLARE_AREA(name) extern const struct check_group name;
FOREACH_AREA(DECLARE_AREA)
#undef DECLARE_AREA

#endif

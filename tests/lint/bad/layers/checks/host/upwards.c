/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: host may not include sriovctl/iommu.h of facts */
#include <sriovctl/iommu.h>

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/host.h>
#include <sriovctl/buf.h>
#include <sriovctl/iommu.h>
#include <stdio.h>

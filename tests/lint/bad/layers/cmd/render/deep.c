/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: render may not include sriovctl/host.h of host */
#include <sriovctl/report.h>
#include <sriovctl/host.h>

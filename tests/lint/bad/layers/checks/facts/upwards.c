/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: facts may not include sriovctl/report.h of checks */
#include <sriovctl/report.h>

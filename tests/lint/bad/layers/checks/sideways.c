/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: checks may not include sriovctl/plan.h of provision */
#include <sriovctl/plan.h>

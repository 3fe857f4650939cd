/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: base may not include sriovctl/host.h of host */
#include <sriovctl/host.h>

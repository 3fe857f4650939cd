/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: provision may not include sriovctl/finding.h of checks */
#include <sriovctl/finding.h>

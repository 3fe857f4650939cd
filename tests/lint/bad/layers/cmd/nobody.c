/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: nobody's header: sriovctl/none.h */
#include <sriovctl/none.h>

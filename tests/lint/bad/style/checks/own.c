/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: sriovctl/own.h is not included first */
#include <sriovctl/silent.h>
#include <sriovctl/own.h>

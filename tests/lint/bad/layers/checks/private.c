/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: "../host/host.h" is not beside this file */
#include "../host/host.h"

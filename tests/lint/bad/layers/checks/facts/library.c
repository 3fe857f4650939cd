/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: <libkmod.h> is for host */
#include <libkmod.h>

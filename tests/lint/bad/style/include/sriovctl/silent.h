/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SRIOVCTL_SILENT_H
#define SRIOVCTL_SILENT_H
/* bad: no comment on what the module promises */
#endif

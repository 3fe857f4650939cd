/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: <cjson/cJSON.h> is for checks/base/json.c */
#include <cjson/cJSON.h>

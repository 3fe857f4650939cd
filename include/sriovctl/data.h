/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data files of data/ as they are inside the program: the text, a NUL after it,
 * and the length without that.  data/embed.S has the list.
 */
#ifndef SRIOVCTL_DATA_H
#define SRIOVCTL_DATA_H

#include <sriovctl/base.h>

/* What firmware setup calls things, by vendor; read by platform.c. */
extern const char data_platforms[];
extern const uint32_t data_platforms_len;

/* Which cards can have VFs, and which drivers make them; read by nics.c. */
extern const char data_nics[];
extern const uint32_t data_nics_len;

/* What systemd, udev and networkd are given (data/systemd); installed by persist.c. */
extern const char data_provision_service[], data_provision_template[], data_carrier_service[],
	data_carrier_path[], data_rules[], data_network[];
extern const uint32_t data_provision_service_len, data_provision_template_len,
	data_carrier_service_len, data_carrier_path_len, data_rules_len, data_network_len;
/* What there is to say of checks; read by explain.c. */
extern const char data_explain[];
extern const uint32_t data_explain_len;

/* How severe checks are; read by profile.c. */
extern const char data_profile_sriov[], data_profile_vfio[];
extern const uint32_t data_profile_sriov_len, data_profile_vfio_len;

#endif

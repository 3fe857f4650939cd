/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data files inside the program, which has to work as a single file.  A name here
 * is declared in <sriovctl/data.h>.  Assembled in the top directory.
 */
.macro embed name, file
	.global \name
	.type \name, %object
\name:
	.incbin "\file"
1:
	.size \name, 1b - \name
	.byte 0
	.balign 4
	.global \name\()_len
	.type \name\()_len, %object
	.size \name\()_len, 4
\name\()_len:
	.long 1b - \name
.endm

	.section .rodata
	.balign 4
	embed data_platforms, "data/platforms.json"
	embed data_nics, "data/nics.json"
	embed data_provision_service, "data/systemd/sriovctl-provision.service"
	embed data_provision_template, "data/systemd/sriovctl-provision@.service"
	embed data_carrier_service, "data/systemd/sriovctl-carrier.service"
	embed data_carrier_path, "data/systemd/sriovctl-carrier.path"
	embed data_rules, "data/systemd/80-sriovctl.rules"
	embed data_network, "data/systemd/00-sriovctl-vf.network"
	embed data_explain, "data/explain.json"
	embed data_profile_sriov, "data/profiles/sriov.json"
	embed data_profile_vfio, "data/profiles/vfio.json"

	.section .note.GNU-stack, "", %progbits

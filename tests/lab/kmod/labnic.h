/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers, in a vendor-specific extended capability, by which a function of labpci tells
 * its driver what to do, and by which the driver sets how many vectors a VF has.
 */
#ifndef LABNIC_H
#define LABNIC_H

#define LABNIC_VSEC_ID 0x1ab
#define LABNIC_SIZE    0x1c

/* 16 bits each, from the beginning of the capability. */
#define LABNIC_TOTAL   0x08 /* VFs that the driver says there are; 0: as the hardware */
#define LABNIC_GRANT   0x0a /* VFs that it makes at most, and no error for more; 0: all */
#define LABNIC_AGAIN   0x0c /* requests that it first answers with EAGAIN */
#define LABNIC_FAIL    0x0e /* errno of every request for VFs; 0: none */
#define LABNIC_BLOCK   0x10 /* requests take until this is cleared (in debugfs) */
#define LABNIC_POOL    0x12 /* vectors that its VFs share; 0: cannot be shared out */
#define LABNIC_NETDEV  0x14 /* it has a network interface */
#define LABNIC_PORT    0x16 /* Gbit/s that the interface says it runs at; 0: it does not say */
#define LABNIC_VF      0x18 /* selects a VF ... */
#define LABNIC_VECTORS 0x1a /* ... whose vectors these are */

#endif

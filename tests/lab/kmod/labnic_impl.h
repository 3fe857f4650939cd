/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the driver share: one function, and what is kept of each of its VFs. */
#ifndef LABNIC_IMPL_H
#define LABNIC_IMPL_H

#include <linux/etherdevice.h>
#include <linux/if_link.h>
#include <linux/pci.h>

/* What the administrator sets of a VF, through the network interface of its PF. */
struct labnic_vf {
	u8 mac[ETH_ALEN];
	u16 vlan;
	u8 qos;
	__be16 protocol;
	bool is_trusted, is_checked, is_queried;
	int link_state;
	int min_rate, max_rate;
	u32 vectors; /* given from the pool; 0: none, it has those it was made with */
};

struct labnic {
	struct pci_dev *pdev;
	int mailbox;
	struct net_device *netdev;
	struct dentry *directory;
	struct labnic_vf *vfs; /* TotalVFs of them */
	u16 port;	       /* Gbit/s; 0: the interface does not tell */
	u32 grant, again, fail, block, pool;
	struct devlink *devlink; /* NULL: it is told of nothing by that */
	char info[1024];
};

/* labnic_net.c */
int labnic_net_add(struct labnic *nic);
void labnic_net_remove(struct labnic *nic);

/* labnic_info.c */
int labnic_info_add(struct labnic *nic);
void labnic_info_remove(struct labnic *nic);

#endif

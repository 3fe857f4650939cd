/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A network interface that carries nothing and keeps what is set for VFs. What it refuses is
 * what drivers commonly refuse.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>

#include "labnic_impl.h"

#define QOS_MAX	 7
#define RATE_MAX 10000 /* Mbit/s */

static struct labnic *nic_of(struct net_device *netdev)
{
	return *(struct labnic **)netdev_priv(netdev);
}

static struct labnic_vf *find_vf(struct net_device *netdev, int i)
{
	struct labnic *nic = nic_of(netdev);

	return i >= 0 && i < pci_num_vf(nic->pdev) ? &nic->vfs[i] : NULL;
}

static netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}

static int labnic_set_mac(struct net_device *netdev, int i, u8 *mac)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf || is_multicast_ether_addr(mac))
		return -EINVAL;
	ether_addr_copy(vf->mac, mac);
	return 0;
}

static int labnic_set_vlan(struct net_device *netdev, int i, u16 vlan, u8 qos, __be16 protocol)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf || vlan >= VLAN_N_VID || qos > QOS_MAX)
		return -EINVAL;
	if (protocol != htons(ETH_P_8021Q) && protocol != htons(ETH_P_8021AD))
		return -EPROTONOSUPPORT;
	vf->vlan = vlan;
	vf->qos = qos;
	vf->protocol = protocol;
	return 0;
}

static int labnic_set_rate(struct net_device *netdev, int i, int min_rate, int max_rate)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf || min_rate > RATE_MAX || max_rate > RATE_MAX)
		return -EINVAL;
	vf->min_rate = min_rate;
	vf->max_rate = max_rate;
	return 0;
}

static int labnic_set_spoofchk(struct net_device *netdev, int i, bool on)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf)
		return -EINVAL;
	vf->is_checked = on;
	return 0;
}

static int labnic_set_trust(struct net_device *netdev, int i, bool on)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf)
		return -EINVAL;
	vf->is_trusted = on;
	return 0;
}

static int labnic_set_query_rss(struct net_device *netdev, int i, bool on)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf)
		return -EINVAL;
	vf->is_queried = on;
	return 0;
}

static int labnic_set_link_state(struct net_device *netdev, int i, int state)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf || state < IFLA_VF_LINK_STATE_AUTO || state > IFLA_VF_LINK_STATE_DISABLE)
		return -EINVAL;
	vf->link_state = state;
	return 0;
}

static int labnic_get_vf(struct net_device *netdev, int i, struct ifla_vf_info *info)
{
	struct labnic_vf *vf = find_vf(netdev, i);

	if (!vf)
		return -EINVAL;
	info->vf = i;
	ether_addr_copy(info->mac, vf->mac);
	info->vlan = vf->vlan;
	info->qos = vf->qos;
	info->vlan_proto = vf->protocol ? vf->protocol : htons(ETH_P_8021Q);
	info->spoofchk = vf->is_checked;
	info->trusted = vf->is_trusted;
	info->rss_query_en = vf->is_queried;
	info->linkstate = vf->link_state;
	info->min_tx_rate = vf->min_rate;
	info->max_tx_rate = vf->max_rate;
	return 0;
}

/* --- the port ------------------------------------------------------------------------ */

static int labnic_get_link(struct net_device *netdev, struct ethtool_link_ksettings *s)
{
	u16 gigabits = nic_of(netdev)->port;

	ethtool_link_ksettings_zero_link_mode(s, supported);
	ethtool_link_ksettings_zero_link_mode(s, advertising);
	switch (gigabits) {
	case 0:
		return -EOPNOTSUPP;
	case 10:
		ethtool_link_ksettings_add_link_mode(s, supported, 10000baseSR_Full);
		break;
	case 25:
		ethtool_link_ksettings_add_link_mode(s, supported, 25000baseSR_Full);
		break;
	default:
		ethtool_link_ksettings_add_link_mode(s, supported, 100000baseSR4_Full);
	}
	s->base.speed = gigabits * 1000;
	s->base.duplex = DUPLEX_FULL;
	return 0;
}

static const struct ethtool_ops port_operations = {
	.get_link_ksettings = labnic_get_link,
};

static const struct net_device_ops operations = {
	.ndo_start_xmit = labnic_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_set_vf_mac = labnic_set_mac,
	.ndo_set_vf_vlan = labnic_set_vlan,
	.ndo_set_vf_rate = labnic_set_rate,
	.ndo_set_vf_spoofchk = labnic_set_spoofchk,
	.ndo_set_vf_trust = labnic_set_trust,
	.ndo_set_vf_rss_query_en = labnic_set_query_rss,
	.ndo_set_vf_link_state = labnic_set_link_state,
	.ndo_get_vf_config = labnic_get_vf,
};

int labnic_net_add(struct labnic *nic)
{
	struct net_device *netdev = alloc_etherdev(sizeof(struct labnic *));
	int r;

	if (!netdev)
		return -ENOMEM;
	*(struct labnic **)netdev_priv(netdev) = nic;
	netdev->netdev_ops = &operations;
	netdev->ethtool_ops = &port_operations;
	eth_hw_addr_random(netdev);
	SET_NETDEV_DEV(netdev, &nic->pdev->dev);
	r = register_netdev(netdev);
	if (r < 0) {
		free_netdev(netdev);
		return r;
	}
	nic->netdev = netdev;
	return 0;
}

void labnic_net_remove(struct labnic *nic)
{
	if (!nic->netdev)
		return;
	unregister_netdev(nic->netdev);
	free_netdev(nic->netdev);
}

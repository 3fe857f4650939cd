# SPDX-License-Identifier: GPL-2.0-or-later
"""A host with 8 cards of 64 VFs each, made of one of tests/hosts that has one card of 4: what no
lab has, and what a fleet has. Its faults are those that people make, each on many VFs."""

import re
import struct

import hostfile

CARDS, VFS = 8, 64
BASE = "vf-settled"
PORT, CARD, VF = "0000:00:03.0", "0000:01:00.0", "0000:01:10.0"
ROOT = "/sys/devices/pci0000:00"
LINKS = "/.sriovctl/links/0.9"
INDEX = "/.sriovctl/index"
MODES = "/.sriovctl/linkmodes"
FIRST_BUS, FIRST_GROUP = 0x20, 100
# Linux include/uapi/linux/if_link.h
ADDRESS, IFNAME, NUM_VF, VFINFO_LIST, PERM_ADDRESS, PARENT = 1, 3, 21, 22, 54, 56
VF_MAC, VF_SPOOFCHK, VF_STATS, VF_TRUST, VF_VLAN_LIST = 1, 4, 8, 9, 12
EXT_SRIOV = 0x10


def bus(card):
    return FIRST_BUS + card


def card_at(card):
    return f"0000:{bus(card):02x}:00.0"


def vf_at(card, vf):
    return f"0000:{bus(card):02x}:{16 + vf // 8:02x}.{vf % 8}"


# --- rtnetlink -------------------------------------------------------------------------------

def attributes(data):
    at = 0
    while at + 4 <= len(data):
        size, kind = struct.unpack_from("<HH", data, at)
        yield kind & 0x3fff, data[at + 4:at + size]
        at += (size + 3) & ~3


def attribute(kind, data):
    return struct.pack("<HH", len(data) + 4, kind) + data + bytes(-len(data) % 4)


def messages(data):
    at = 0
    while at + 16 <= len(data):
        size, = struct.unpack_from("<I", data, at)
        yield data[at:at + size]
        at += (size + 3) & ~3


def link_name(message):
    return next((v.rstrip(b"\0").decode() for k, v in attributes(message[32:]) if k == IFNAME), "")


def changed_link(message, index, changes):
    """The message about another interface; a change of None takes the attribute away."""
    left = dict(changes)
    body = b""
    for kind, data in attributes(message[32:]):
        data = left.pop(kind) if kind in left else data
        if data is not None:
            body += attribute(kind, data)
    body += b"".join(attribute(kind, data) for kind, data in left.items() if data is not None)
    head = message[:20] + struct.pack("<i", index) + message[24:32]
    return struct.pack("<I", len(head) + len(body)) + head[4:] + body


def vf_info(pattern, vf, mac, spoofchk, trust):
    body = b""
    for kind, data in attributes(pattern):
        number = struct.pack("<I", vf)
        if kind == VF_VLAN_LIST:
            data = b"".join(attribute(k, number + v[4:]) for k, v in attributes(data))
        elif kind != VF_STATS:
            data = number + data[4:]
        if kind == VF_MAC:
            data = data[:4] + mac + data[10:]
        elif kind in (VF_SPOOFCHK, VF_TRUST):
            data = struct.pack("<II", vf, spoofchk if kind == VF_SPOOFCHK else trust)
        body += attribute(kind, data)
    return attribute(1, body)


# --- what is wrong ---------------------------------------------------------------------------

def is_addressed(card, _vf):
    return card >= 3


def mac_of(card, vf):
    if not is_addressed(card, vf):
        return bytes(6)
    # One that was copied from its neighbour.
    return bytes((2, 0, 0, 0, card, vf if (card, vf) != (5, 9) else 8))


def is_trusted(card, vf):
    return card == 4 and vf % 3 == 0


def is_bound(card, _vf):
    return card != 7


# --- the tree --------------------------------------------------------------------------------

def config_of(base):
    """As many VFs as there are, one behind the other."""
    config = bytearray(base)
    at = 0x100
    while struct.unpack_from("<H", config, at)[0] != EXT_SRIOV:
        at = struct.unpack_from("<H", config, at + 2)[0] >> 4
    struct.pack_into("<HHH", config, at + 0x0c, VFS, VFS, VFS)
    struct.pack_into("<HH", config, at + 0x14, 0x80, 1)
    return bytes(config)


def bridge_of(base, number):
    config = bytearray(base)
    config[0x19] = config[0x1a] = number
    return bytes(config)


def resource_of(base):
    rows = base.decode().splitlines()
    for i in range(7, 13):
        start, end, flags = (int(word, 16) for word in rows[i].split())
        if flags:
            end = start + (end - start + 1) * VFS // 8 - 1
            rows[i] = f"0x{start:016x} 0x{end:016x} 0x{flags:016x}"
    return ("\n".join(rows) + "\n").encode()


class Many:
    def __init__(self):
        self.base = hostfile.load(BASE)
        self.modes = hostfile.load("intel-ready").tree[f"{MODES}/eth0"]  # of the same card
        self.tree = {}
        self.index = []
        self.links = []

    def is_of_cards(self, path):
        return any(word in path for word in (PORT, "0000:01:"))

    def copy_rest(self):
        for path, entry in self.base.tree.items():
            if not self.is_of_cards(path) and not self.is_of_cards(str(entry)):
                self.tree[path] = entry
        lines = self.base.tree[INDEX].decode().splitlines()
        self.index = [line for line in lines if not self.is_of_cards(line)]
        all_links = list(messages(self.base.tree[LINKS]))
        self.links = [m for m in all_links if not link_name(m).startswith("eth")]
        self.pattern = {link_name(m): m for m in all_links}

    def clone(self, source, target, names):
        """All below @source, as @target; @names: what else is called otherwise."""
        def rename(text):
            for old, new in names:
                text = re.sub(old, new, text)
            return text

        for path, entry in self.base.tree.items():
            if path != source and not path.startswith(source + "/"):
                continue
            if isinstance(entry, hostfile.Link):
                entry = hostfile.Link(rename(entry))
            self.tree[rename(target + path[len(source):])] = entry
        for line in self.base.tree[INDEX].decode().splitlines():
            what, _, path = line.partition(" ")
            if path == source or path.startswith(source + "/"):
                self.index.append(rename(f"{what} {target}{path[len(source):]}"))

    def group(self, number, bdf, path):
        self.tree[f"{path}/iommu_group"] = hostfile.Link(
            "../" * (path.count("/") - 1) + f"kernel/iommu_groups/{number}")
        folder = f"/sys/kernel/iommu_groups/{number}"
        self.tree[f"{folder}/devices/{bdf}"] = hostfile.Link(f"../../../..{path[4:]}")
        self.tree[f"{folder}/type"] = b"DMA-FQ\n"
        self.tree[f"{folder}/reserved_regions"] = b"0x00000000fee00000 0x00000000feefffff msi\n"
        self.index += [f"all {folder}", f"all {folder}/devices"]

    def bus_link(self, bdf, path):
        self.tree[f"/sys/bus/pci/devices/{bdf}"] = hostfile.Link(f"../../..{path[4:]}")

    def add_port(self, card):
        bdf, path = f"0000:00:{8 + card:02x}.0", f"{ROOT}/0000:00:{8 + card:02x}.0"
        inside = [p for p in self.base.tree if p.startswith(f"{ROOT}/{PORT}/0000:01:")]
        self.clone(f"{ROOT}/{PORT}", path, [])
        for old in inside:
            self.tree.pop(path + old[len(f"{ROOT}/{PORT}"):], None)
        self.index = [line for line in self.index
                      if not line.partition(" ")[2].startswith(f"{path}/0000:01:")]
        self.tree[f"{path}/config"] = bridge_of(self.tree[f"{path}/config"], bus(card))
        for name in ("secondary_bus_number", "subordinate_bus_number"):
            self.tree[f"{path}/{name}"] = f"{bus(card)}\n".encode()
        self.bus_link(bdf, path)
        self.group(FIRST_GROUP + card, bdf, path)
        return path

    def add_card(self, card):
        port = self.add_port(card)
        path = f"{port}/{card_at(card)}"
        self.clone(f"{ROOT}/{PORT}/{CARD}", path, [(r"\beth0\b", f"ens{card}")])
        for vf in range(4):
            self.tree.pop(f"{path}/virtfn{vf}")
        self.tree[f"{path}/config"] = config_of(self.tree[f"{path}/config"])
        self.tree[f"{path}/resource"] = resource_of(self.tree[f"{path}/resource"])
        self.tree[f"{path}/sriov_totalvfs"] = self.tree[f"{path}/sriov_numvfs"] = b"%d\n" % VFS
        self.tree[f"{path}/sriov_stride"] = b"1\n"
        self.tree[f"{path}/sriov_drivers_autoprobe"] = b"1\n" if is_bound(card, 0) else b"0\n"
        self.tree[f"/sys/class/net/ens{card}"] = hostfile.Link(f"../..{path[4:]}/net/ens{card}")
        self.tree[f"{MODES}/ens{card}"] = self.modes
        self.tree[f"/.sriovctl/drvinfo/ens{card}"] = \
            f"firmware 1.2.1\nbus {card_at(card)}\n".encode()
        self.bus_link(card_at(card), path)
        self.group(FIRST_GROUP + CARDS + card, card_at(card), path)
        for vf in range(VFS):
            self.add_vf(card, vf, port)
        self.add_link(card)

    def add_vf(self, card, vf, port):
        bdf, path = vf_at(card, vf), f"{port}/{vf_at(card, vf)}"
        netdev = f"ens{card}v{vf}"
        self.clone(f"{ROOT}/{PORT}/{VF}", path, [(r"\beth1\b", netdev), (CARD, card_at(card))])
        self.tree[f"{port}/{card_at(card)}/virtfn{vf}"] = hostfile.Link(f"../{bdf}")
        if not is_bound(card, vf):
            del self.tree[f"{path}/driver"]
            for name in [p for p in self.tree if p == f"{path}/net" or
                         p.startswith(f"{path}/net/")]:
                del self.tree[name]
            self.index = [line for line in self.index if f"{path}/net" not in line]
        self.bus_link(bdf, path)
        self.group(FIRST_GROUP + 2 * CARDS + card * VFS + vf, bdf, path)
        if is_bound(card, vf):
            self.links.append(changed_link(self.pattern["eth1"], 1000 + card * VFS + vf, {
                IFNAME: netdev.encode() + b"\0", PARENT: bdf.encode() + b"\0",
                ADDRESS: bytes((2, 0, 0, 1, card, vf)), PERM_ADDRESS: None}))

    def add_link(self, card):
        message = self.pattern["eth0"]
        infos = next(v for k, v in attributes(message[32:]) if k == VFINFO_LIST)
        pattern = next(v for k, v in attributes(infos) if k == 1)
        vfs = b"".join(vf_info(pattern, vf, mac_of(card, vf), not is_trusted(card, vf),
                               is_trusted(card, vf)) for vf in range(VFS))
        mac = bytes((0x52, 0x54, 0, 0, 0xff, card))
        self.links.append(changed_link(message, 100 + card, {
            IFNAME: f"ens{card}".encode() + b"\0", PARENT: card_at(card).encode() + b"\0",
            ADDRESS: mac, PERM_ADDRESS: mac, NUM_VF: struct.pack("<I", VFS), VFINFO_LIST: vfs}))

    def make(self):
        self.copy_rest()
        for card in range(CARDS):
            self.add_card(card)
        self.tree[LINKS] = b"".join(m + bytes(-len(m) % 4) for m in self.links)
        self.tree[INDEX] = ("\n".join(dict.fromkeys(self.index)) + "\n").encode()
        host = hostfile.Host()
        # A folder above an entry comes into being with it.
        for path, entry in self.tree.items():
            parts = path.split("/")
            for i in range(2, len(parts)):
                host.tree.setdefault("/".join(parts[:i]), hostfile.Directory())
            host.tree[path] = entry
        return host


def make():
    return Many().make()

# SPDX-License-Identifier: GPL-2.0-or-later
"""Topologies for labpci, made up at random from a seed: cards with VFs whose number is limited by
bus numbers, address space, the port's routing, the capability or the driver, at the edge of
each limit. One domain for each; several go into one text, as plugging in costs time."""

import random

KIB, MIB = 1 << 10, 1 << 20
PAGE = 4 * KIB
CARDS_PER_TEXT = 16  # labpci has address space for 32 bridges


def edge(rng, exact, step=1):
    """What is just enough, a little less or more, or plenty."""
    return max(0, exact + step * rng.choice([-2, -1, -1, 0, 0, 0, 1, 2, 64]))


def vf_bars(rng):
    """{place: (size of one VF, bits, prefetchable)}"""
    shapes = [
        {0: (16 * KIB, 64, 1)},
        {0: (16 * KIB, 64, 1), 3: (16 * KIB, 64, 1)},
        {0: (64 * KIB, 64, 1), 2: (8 * KIB, 64, 0)},
        {0: (16 * KIB, 32, 0)},
        {0: (PAGE, 32, 0), 1: (32 * KIB, 32, 0)},
        {0: (MIB, 64, 1), 2: (16 * KIB, 64, 1), 4: (PAGE, 64, 1)},
        {0: (16 * KIB, 32, 1), 2: (PAGE, 64, 0)},
        {0: (2 * KIB, 64, 1)},
    ]
    return rng.choice(shapes)


def places(rng, functions):
    """First VF offset and stride: keys, and the pair that holds while no VFs are on. The VFs of
    two functions take turns."""
    offset = rng.choice([1, 1, 2, 4][functions * 4 - 4:] + [8, 16, 128, 240, 254, 255, 256, 300])
    stride = functions * rng.choice([1, 1, 1, 2, 4, 8, 64, 256])
    keys = [f"offset={offset}", f"stride={stride}"]
    kind = rng.random()
    if kind < 0.12:  # another one with NumVFs set
        keys[0] = f"offset={offset}/{rng.choice([10, 128, 250, 256])}"
    elif kind < 0.2:
        keys[1] = f"stride={stride}/{functions * rng.choice([1, 2, 4])}"
    elif kind < 0.3:  # another one in an ARI hierarchy
        wide = rng.choice([8, 128, 256])
        keys[0] = f"offset={offset}/{offset}/{wide}"
    return keys, offset, stride


def buses_for(devfn, offset, stride, vfs):
    """Bus numbers beyond the function's own that its VFs take."""
    return (devfn + offset + stride * (vfs - 1)) >> 8


class Card:
    """One domain with a card in it."""

    def __init__(self, rng, domain):
        self.rng = rng
        self.name = f"h{domain}"
        self.domain = domain
        self.vfs = rng.choice([1, 2, 4, 7, 8, 8, 16, 16, 32, 64, 100, 127])
        self.bars = vf_bars(rng)
        self.pages = rng.choice(["0x553", "0x553", "0x553", "0x550"])
        self.functions = rng.choice([1, 1, 1, 2])
        self.place_keys, self.offset, self.stride = places(rng, self.functions)
        self.shape = rng.choices(["port", "switch", "root bus"], [6, 2, 1])[0]

    def needs(self, pref):
        """Bytes that the VFs of all functions take of one kind of window."""
        least = 64 * KIB if self.pages == "0x550" else PAGE
        return self.functions * self.vfs * sum(
            max(size, least) for size, bits, prefetchable in self.bars.values()
            if (prefetchable and bits == 64) == pref)

    def windows(self):
        """The host bridge's: enough, scarce by a page, or scarce by a quarter."""
        rng = self.rng
        mem, pref = self.needs(False), self.needs(True)
        kind = rng.random()
        if kind < 0.55:
            return 64 * MIB + 4 * mem, 64 * MIB + 4 * pref
        if kind < 0.65:  # no prefetchable one: all goes through the other
            return 64 * MIB + 4 * (mem + pref), 0
        if kind < 0.8 and self.shape == "root bus":
            return edge(rng, mem + 128 * KIB, PAGE), edge(rng, pref, PAGE)
        return 2 * MIB + edge(rng, mem // MIB * MIB, MIB), 2 * MIB + edge(rng, pref // MIB * MIB, MIB)

    def function_keys(self, number):
        rng = self.rng
        keys = [f"at=0.{number}" if self.shape != "root bus" else f"at=2.{number}"]
        keys += [f"vfs={self.vfs}", f"pages={self.pages}", f"bar0=16K/32/0", "msix=5", "vfmsix=3"]
        keys += self.place_keys
        keys += [f"vfbar{n}={size}/{bits}/{pref}" for n, (size, bits, pref) in self.bars.items()]
        keys.append(f"ari={int(rng.random() < 0.8)}")
        odd = rng.random()
        if odd < 0.08:
            keys.append(f"total={rng.randint(1, self.vfs)}")
        elif odd < 0.11:
            keys.append(f"initial={rng.randint(0, self.vfs + 1)}")
        elif odd < 0.14:
            keys += [f"initial={rng.randint(1, self.vfs)}", "migration=1"]
        elif odd < 0.2:
            keys.append(f"link={rng.choice([0, 1, 1, 8, 32])}")
        return keys

    def port_windows(self):
        """As firmware sets them, for some: the kernel keeps those."""
        rng = self.rng
        if rng.random() < 0.65:
            return []
        mem = MIB * max(1, edge(rng, self.needs(False) // MIB + 1))
        pref = MIB * edge(rng, self.needs(True) // MIB + 1)
        return [f"mem={mem}"] + [f"pref={pref}"] * (pref > 0)

    def lines(self):
        rng = self.rng
        mem, pref = self.windows()
        beyond = buses_for(self.functions - 1, self.offset, self.stride, self.vfs)
        room = max(0, min(200, edge(rng, beyond)))
        ari = f"ari={int(rng.random() < 0.75)}"
        windows = self.port_windows()
        if windows:
            mem, pref = mem + 64 * MIB, pref + 64 * MIB + 4 * self.needs(True)
        if self.shape == "root bus":
            first = rng.choice([0, 0, 0x40])
            last = min(0xff, first + room) if rng.random() < 0.5 else 0xff
            yield f"host {self.name} domain={self.domain} bus={first}-{last} mem={mem} pref={pref}"
            above = self.name
        elif self.shape == "port":
            last = 1 + room if rng.random() < 0.7 else 0xff
            yield f"host {self.name} domain={self.domain} bus=0-{last} mem={mem} pref={pref}"
            # Given by firmware, or left to the kernel, which makes room while there is some.
            given = [f"bus=1-{1 + room}"] if rng.random() < 0.6 else []
            yield " ".join([f"rootport {self.name}p on={self.name} at=1.0", ari, *given, *windows])
            above = f"{self.name}p"
        else:
            yield f"host {self.name} domain={self.domain} mem={mem} pref={pref}"
            yield " ".join([f"rootport {self.name}p on={self.name} at=1.0 bus=1-{3 + room}", *windows])
            yield " ".join([f"upstream {self.name}u on={self.name}p bus=2-{3 + room}", *windows])
            yield " ".join([f"downstream {self.name}d on={self.name}u at=3.0 bus=3-{3 + room}",
                            ari, *windows])
            above = f"{self.name}d"
        for number in range(self.functions):
            yield " ".join([f"function {self.name}f{number} on={above}", *self.function_keys(number)])


def texts(seed, count):
    """Texts with @count cards in all."""
    rng = random.Random(seed)
    for first in range(0, count, CARDS_PER_TEXT):
        lines = []
        for n in range(first, min(count, first + CARDS_PER_TEXT)):
            lines += Card(rng, 1 + n - first).lines()
        yield "\n".join(lines) + "\n"

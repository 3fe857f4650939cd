# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the lab and what it makes are, and the program under test."""

import os
from pathlib import Path

LAB = Path(__file__).resolve().parent
ROOT = LAB.parent.parent
OUT = ROOT / "build" / "lab"
LOGS = OUT / "logs"
BINARY = Path(os.environ.get("SRIOVCTL_BIN") or ROOT / "build" / "sriovctl")

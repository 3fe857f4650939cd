# SPDX-License-Identifier: GPL-2.0-or-later
# bad: often: its text stands 2 times in plan.c
MUTANTS = [
    ("once", "plan.c", "int once;", ""),
    ("often", "plan.c", "int often;", ""),
]

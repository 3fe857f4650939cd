# SPDX-License-Identifier: GPL-2.0-or-later
# bad: gone: its text stands 0 times in plan.c
MUTANTS = [("gone", "plan.c", "int gone;", "")]

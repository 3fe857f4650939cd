/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts and wishes drawn by a seed: the same on every machine. */
#ifndef TESTS_RANDOM_HOST_H
#define TESTS_RANDOM_HOST_H

#include "sim.h"

/* xorshift64*, of G. Marsaglia and S. Vigna. */
struct draw {
	uint64_t state; /* never 0 */
};
uint32_t draw_below(struct draw *d, uint32_t n);

/* A host that random writes have led to. */
void random_host(struct draw *d, struct sim_host *ret);
/* What may be asked of it, some of it impossible. */
void random_wish(struct draw *d, const struct sim_host *h, struct pfstates *ret);

#endif

/*
 * random: numbers that are the same on every machine for the same seed.
 *
 * splitmix64, after Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014: the state is the seed.
 */
#ifndef FORKLOAD_BASE_RANDOM_H
#define FORKLOAD_BASE_RANDOM_H

#include <stdint.h>

/* The next 64 bits; moves *state on. */
uint64_t random_next(uint64_t *state);

#endif

/* The setups behind groth16-vectors.txt. */
#ifndef CUZK_TESTS_TOY_SETUPS_H
#define CUZK_TESTS_TOY_SETUPS_H

#include "groth16/setup.h"
#include "support/toy_circuits.h"

/* xor_seed: everything from the test-seed XorShiftRng, which goes on to give r and s. */
void toy_setup_seeded(groth16_toxic *toxic, xorshift_rng *rng);
/* xor_fixed and dens: standard generators, small numbers. */
void toy_setup_fixed(groth16_toxic *toxic);

/* mimc: ChaCha20 seed 0 gives constants, setup, two scalars of the aggregation keys, then xl, xr,
 * r, s of each proof. */
typedef struct mimc_setup {
    chacha_rng rng;
    fr constants[MIMC_ROUNDS];
    groth16_toxic toxic;
    fr srs[2];
} mimc_setup;
void mimc_setup_init(mimc_setup *m);
/* The next proof's witness and blinding. */
void mimc_setup_next(mimc_setup *m, mimc_demo *demo, fr_plain *r, fr_plain *s);

#endif

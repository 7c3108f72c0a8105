/* The SnarkPack setting of groth16-vectors.txt: eight MiMC proofs of one key, and the test SRS
 * drawn after that key. */
#ifndef CUZK_TESTS_MIMC_DRAWS_H
#define CUZK_TESTS_MIMC_DRAWS_H

#include "groth16/aggregate_srs.h"
#include "groth16/groth16.h"
#include "srs/vk_file.h"
#include "support/known_answers.h"

enum { MIMC_PROOFS = 8, MIMC_ROUNDS = 322 };

typedef struct mimc_setting {
    srs_vk vk;
    aggregate_srs *srs;
    groth16_proof proofs[MIMC_PROOFS];
    fr_plain images[MIMC_PROOFS]; /* the public input of each */
} mimc_setting;

void mimc_setting_init(mimc_setting *s, const known_answers *answers);
void mimc_setting_clear(mimc_setting *s);

#endif

#include "support/toy_setups.h"

void toy_setup_seeded(groth16_toxic *toxic, xorshift_rng *rng) {
    static const uint8_t seed[16] = {0x59, 0x62, 0xbe, 0x5d, 0x76, 0x3d, 0x31, 0x8d,
                                     0x17, 0xdb, 0x37, 0x32, 0x54, 0x06, 0xbc, 0xe5};
    cuzk_xorshift_init(rng, seed);
    const rng_source source = cuzk_rng_from_xorshift(rng);
    cuzk_groth16_toxic_draw(toxic, &source);
}

void toy_setup_fixed(groth16_toxic *toxic) {
    toxic->g1 = cuzk_g1_generator;
    toxic->g2 = cuzk_g2_generator;
    fr_from_u64(&toxic->alpha, 48577);
    fr_from_u64(&toxic->beta, 22580);
    fr_from_u64(&toxic->gamma, 53332);
    fr_from_u64(&toxic->delta, 5481);
    fr_from_u64(&toxic->tau, 3673);
}

void mimc_setup_init(mimc_setup *m) {
    cuzk_chacha20_seed_u64(&m->rng, 0);
    const rng_source source = cuzk_rng_from_chacha(&m->rng);
    for (int i = 0; i < MIMC_ROUNDS; i++) {
        cuzk_fr_random(&m->constants[i], &source);
    }
    cuzk_groth16_toxic_draw(&m->toxic, &source);
    cuzk_fr_random(&m->srs[0], &source);
    cuzk_fr_random(&m->srs[1], &source);
}

void mimc_setup_next(mimc_setup *m, mimc_demo *demo, fr_plain *r, fr_plain *s) {
    const rng_source source = cuzk_rng_from_chacha(&m->rng);
    fr blinding[2];
    demo->constants = m->constants;
    cuzk_fr_random(&demo->xl, &source);
    cuzk_fr_random(&demo->xr, &source);
    cuzk_fr_random(&blinding[0], &source);
    cuzk_fr_random(&blinding[1], &source);
    fr_to_plain(r, &blinding[0]);
    fr_to_plain(s, &blinding[1]);
}

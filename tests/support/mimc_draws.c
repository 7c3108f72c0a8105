/* The SnarkPack setting of groth16-vectors.txt. */
#include "support/mimc_draws.h"

#include <stdio.h>
#include <stdlib.h>

#include "groth16/setup.h"

void mimc_setting_init(mimc_setting *s, const known_answers *answers) {
    const cuzk_ctx ctx = {0};
    memset(s, 0, sizeof *s);
    chacha_rng chacha;
    cuzk_chacha20_seed_u64(&chacha, 0);
    const rng_source rng = cuzk_rng_from_chacha(&chacha);
    for (int i = 0; i < MIMC_ROUNDS; i++) {
        fr constant;
        cuzk_fr_random(&constant, &rng);
    }
    groth16_toxic toxic;
    cuzk_groth16_toxic_draw(&toxic, &rng);
    assert_int_equal(cuzk_aggregate_srs_fake(&s->srs, &ctx, &rng, MIMC_PROOFS, NULL), CUZK_OK);

    size_t len;
    uint8_t *vk = known_answers_bytes(answers, "mimc.vk", &len);
    assert_int_equal(cuzk_srs_vk_decode(&s->vk, &ctx, "mimc.vk", vk, len, NULL), CUZK_OK);
    free(vk);
    for (int i = 0; i < MIMC_PROOFS; i++) {
        char key[32];
        uint8_t bytes[GROTH16_PROOF_BYTES];
        fr image;
        snprintf(key, sizeof key, "mimc.%d.proof", i);
        known_answers_exact(answers, key, bytes, sizeof bytes);
        assert_int_equal(cuzk_groth16_proof_read(&s->proofs[i], bytes, NULL), CUZK_OK);
        snprintf(key, sizeof key, "mimc.%d.fr_be_image", i);
        known_answers_fr_be(answers, key, &image);
        fr_to_plain(&s->images[i], &image);
    }
}

void mimc_setting_clear(mimc_setting *s) {
    cuzk_aggregate_srs_destroy(s->srs);
    cuzk_srs_vk_clear(&s->vk);
}

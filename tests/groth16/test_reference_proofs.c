/* LABELS: levels */
/* Proofs of the reference for every kind of small request verify under its keys with the public
 * inputs of the request, alone and all together; with another request's inputs they do not. */
#include <stdio.h>
#include <stdlib.h>

#include "srs/vk_file.h"
#include "support/manifest.h"
#include "support/support.h"

#define POREP_VK                                                                                   \
    "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"             \
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk"
#define UPDATE_VK                                                                                  \
    "v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"                                    \
    "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194.vk"
#define POST_VK "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"

typedef struct key_proofs {
    const char *vk; /* NULL ends the list */
    struct {
        const char *input, *proof;
    } proofs[16];
} key_proofs;

static const key_proofs keys[] = {
    {POREP_VK,
     {{"porep-2KiB-v1", "porep-2KiB-v1.fixed"},
      {"porep-2KiB-v1_1", "porep-2KiB-v1_1.fixed"},
      {"porep-2KiB-v1_1", "porep-2KiB-v1_1.random"},
      {"porep-2KiB-synthetic", "porep-2KiB-synthetic.fixed"},
      {"porep-2KiB-ni", "porep-2KiB-ni.fixed"}}},
    {UPDATE_VK, {{"update-2KiB", "update-2KiB.fixed"}, {"update-2KiB", "update-2KiB.random"}}},
    {POST_VK "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.vk",
     {{"window-2KiB-1", "window-2KiB-1.fixed"},
      {"window-2KiB-1", "window-2KiB-1.random"},
      {"window-2KiB-1", "window-2KiB-1.zero"},
      {"window-2KiB-2", "window-2KiB-2.fixed"},
      {"window-2KiB-2", "window-2KiB-2.random"},
      {"window-2KiB-2", "window-2KiB-2.zero"},
      {"window-2KiB-3", "window-2KiB-3.fixed"},
      {"window-2KiB-3", "window-2KiB-3.random"},
      {"window-2KiB-3", "window-2KiB-3.zero"},
      {"window-2KiB-v1-3", "window-2KiB-v1-3.fixed"},
      {"window-2KiB-v1-3", "window-2KiB-v1-3.random"},
      {"window-2KiB-v1-3", "window-2KiB-v1-3.zero"}}},
    {POST_VK "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e.vk",
     {{"winning-2KiB", "winning-2KiB.fixed"},
      {"winning-2KiB", "winning-2KiB.random"},
      {"winning-2KiB", "winning-2KiB.zero"}}},
    {NULL, {{NULL, NULL}}},
};

enum { MAX_PROOFS = 64 };

/* All proofs of a key with their inputs in rows. */
typedef struct collection {
    size_t n_x, n;
    groth16_proof proofs[MAX_PROOFS];
    fr_plain *x;
} collection;

static void collect(collection *c, const char *input, const char *proof) {
    char name[300];
    size_t len;
    snprintf(name, sizeof name, "proofs/%s.bin", proof);
    uint8_t *bytes = test_read_vector(name, &len);
    snprintf(name, sizeof name, "inputs/%s", input);
    test_manifest *manifest = test_manifest_open(name);
    const size_t n_partitions = test_manifest_partitions(manifest);
    assert_int_equal(len, n_partitions * GROTH16_PROOF_BYTES);
    assert_true(c->n + n_partitions <= MAX_PROOFS);
    for (size_t k = 0; k < n_partitions; k++, c->n++) {
        assert_int_equal(
            cuzk_groth16_proof_read(&c->proofs[c->n], bytes + k * GROTH16_PROOF_BYTES, NULL),
            CUZK_OK);
        assert_int_equal(test_manifest_n_inputs(manifest, k), c->n_x);
        for (size_t i = 0; i < c->n_x; i++) {
            uint8_t value[FR_BYTES];
            test_manifest_input(manifest, k, i, value);
            assert_true(cuzk_fr_plain_read_le(&c->x[c->n * c->n_x + i], value));
        }
    }
    test_manifest_close(manifest);
    free(bytes);
}

static void check_key(const key_proofs *key) {
    const cuzk_ctx ctx = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/params/%s", CUZK_TEST_VECTORS, key->vk);
    srs_vk vk = {0};
    groth16_pvk *pvk = NULL;
    assert_int_equal(cuzk_srs_vk_open(&vk, &ctx, path, NULL), CUZK_OK);
    assert_int_equal(cuzk_groth16_pvk_create(&pvk, &vk.vk, NULL), CUZK_OK);
    collection c = {.n_x = vk.vk.n_ic - 1};
    c.x = calloc(MAX_PROOFS * c.n_x, sizeof *c.x);
    assert_non_null(c.x);
    for (int i = 0; key->proofs[i].input != NULL; i++) {
        collect(&c, key->proofs[i].input, key->proofs[i].proof);
    }
    for (size_t i = 0; i < c.n; i++) {
        fr_plain *x = c.x + i * c.n_x;
        assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &c.proofs[i], x, c.n_x, NULL), CUZK_OK);
        x[0].l[0] ^= 1;
        assert_int_equal(cuzk_groth16_verify(&ctx, pvk, &c.proofs[i], x, c.n_x, NULL),
                         CUZK_E_PROOF_INVALID);
        x[0].l[0] ^= 1;
    }
    assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, c.proofs, c.x, c.n_x, c.n, NULL),
                     CUZK_OK);
    c.x[c.n * c.n_x - 1].l[0] ^= 1;
    assert_int_equal(cuzk_groth16_verify_batch(&ctx, pvk, c.proofs, c.x, c.n_x, c.n, NULL),
                     CUZK_E_PROOF_INVALID);
    free(c.x);
    cuzk_groth16_pvk_destroy(pvk);
    cuzk_srs_vk_clear(&vk);
}

static void test_all(void **state) {
    (void)state;
    for (const key_proofs *key = keys; key->vk != NULL; key++) {
        check_key(key);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

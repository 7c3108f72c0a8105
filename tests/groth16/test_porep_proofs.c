/* LABELS: slow */
/* A 2 KiB sector from the request to the proof: setup of the reference's key (1.1 GB in memory),
 * then every proof with the reference's blinding, byte for byte. */
#include <stdio.h>
#include <stdlib.h>

#include "filecoin/c1_reader.h"
#include "groth16/setup.h"
#include "hash/sha256.h"
#include "srs/vk_file.h"
#include "support/porep_support.h"
#include "support/toy_setups.h"

#define POREP_VK                                                                                   \
    "params/v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"      \
    "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk"

/* SHA-256 of "oracle|blinding|NAME|K", little-endian, top two bits clear. */
static void fixed_blinding(fr_plain *out, char name, unsigned partition) {
    char text[64];
    uint8_t hash[SHA256_BYTES];
    snprintf(text, sizeof text, "oracle|blinding|%c|%u", name, partition);
    cuzk_sha256(hash, text, strlen(text));
    hash[31] &= 0x3f;
    assert_true(cuzk_fr_plain_read_le(out, hash));
}

typedef struct fixture {
    cuzk_ctx ctx;
    groth16_memory_key *key;
    r1cs_densities densities;
} fixture;

static void prove_partition(const fixture *f, const porep_proof *proof, unsigned partition,
                            uint8_t bytes[GROTH16_PROOF_BYTES]) {
    porep_circuit self;
    const r1cs_circuit circuit = test_porep_circuit(&self, proof, partition);
    r1cs_witness witness;
    cuzk_error err;
    if (cuzk_r1cs_witness_create(&witness, &f->ctx, &circuit, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    fr_plain r, s;
    fixed_blinding(&r, 'r', partition);
    fixed_blinding(&s, 's', partition);
    groth16_proof made;
    groth16_timing t;
    if (cuzk_groth16_prove(&f->ctx, &made, &t, cuzk_groth16_memory_key_pk(f->key), &f->densities,
                           &witness.assignment, &r, &s, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    print_message("quotient %.2f, l a b %.2f, h %.2f CPU s\n", (double)t.quotient.cpu_ns * 1e-9,
                  (double)groth16_witness_cpu_ns(&t) * 1e-9,
                  (double)t.sections[GROTH16_H].cpu_ns * 1e-9);
    cuzk_groth16_proof_write(bytes, &made);
    cuzk_r1cs_witness_clear(&witness);
}

static void check_input(const fixture *f, const char *input, const unsigned *partitions, size_t n) {
    char name[128];
    size_t len;
    snprintf(name, sizeof name, "proofs/%s.fixed.bin", input);
    uint8_t *expected = test_read_vector(name, &len);
    snprintf(name, sizeof name, "inputs/%s", input);
    porep_proof proof;
    test_read_c1(&proof, name);
    for (size_t i = 0; i < n; i++) {
        uint8_t got[GROTH16_PROOF_BYTES];
        assert_true((partitions[i] + 1) * sizeof got <= len);
        prove_partition(f, &proof, partitions[i], got);
        assert_memory_equal(got, expected + partitions[i] * sizeof got, sizeof got);
    }
    cuzk_porep_proof_clear(&proof);
    free(expected);
}

static void test_2_kib(void **state) {
    (void)state;
    fixture f = {0};
    assert_int_equal(cuzk_pool_create(&f.ctx.pool, 0, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_create(&f.ctx.account, SIZE_MAX, NULL), CUZK_OK);
    porep_proof proof;
    test_read_c1(&proof, "inputs/porep-2KiB-v1_1");
    porep_circuit blank;
    const porep_shape shape = cuzk_porep_shape_of(proof.type->size);
    assert_int_equal(cuzk_porep_circuit_init(&blank, &shape, NULL, 0, NULL), CUZK_OK);
    cuzk_porep_proof_clear(&proof);
    const r1cs_circuit circuit = cuzk_porep_circuit(&blank);
    assert_int_equal(cuzk_r1cs_densities(&f.densities, &f.ctx, &circuit, NULL), CUZK_OK);
    xorshift_rng rng;
    groth16_toxic toxic;
    toy_setup_seeded(&toxic, &rng);
    assert_int_equal(cuzk_groth16_memory_key_create(&f.key, &f.ctx, &circuit, &toxic, NULL),
                     CUZK_OK);

    const groth16_vk *vk = cuzk_groth16_memory_key_pk(f.key)->vk;
    size_t len;
    uint8_t *expected = test_read_vector(POREP_VK, &len), *got = malloc(srs_vk_bytes(vk->n_ic));
    assert_int_equal(len, srs_vk_bytes(vk->n_ic));
    cuzk_srs_vk_encode(got, vk);
    assert_memory_equal(got, expected, len);
    free(got);
    free(expected);

    static const unsigned first[] = {0}, first_and_last[] = {0, 12};
    check_input(&f, "porep-2KiB-v1", first, 1);
    check_input(&f, "porep-2KiB-v1_1", first, 1);
    check_input(&f, "porep-2KiB-synthetic", first, 1);
    check_input(&f, "porep-2KiB-ni", first_and_last, 2);

    cuzk_groth16_memory_key_destroy(f.key);
    cuzk_r1cs_densities_clear(&f.densities);
    cuzk_pool_destroy(f.ctx.pool);
    cuzk_account_destroy(f.ctx.account);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_2_kib)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Times synthesis of a PoRep circuit of 32 GiB shape, per row: streaming the structure, its digest
 * with densities, and a witness. The witness is of random values, which costs the same as a right
 * one. */
#include <stdlib.h>

#include "circuits/porep_circuit.h"
#include "r1cs/witness.h"
#include "support/harness.h"

#define N_CHALLENGES 2

typedef struct synthesis {
    const bench *b;
    porep_proof proof;
    digest *digests; /* what paths and columns refer to */
    porep_circuit blank, filled;
    uint64_t n_rows;
} synthesis;

static cuzk_status count_terms(void *arg, uint64_t index, const r1cs_row *row,
                               const r1cs_coeffs *coeffs, cuzk_error *err) {
    (void)index;
    (void)coeffs;
    (void)err;
    *(uint64_t *)arg += row->a.n + row->b.n + row->c.n;
    return CUZK_OK;
}

static void structure(void *arg) {
    synthesis *s = arg;
    const r1cs_circuit circuit = cuzk_porep_circuit(&s->blank);
    uint64_t n_terms = 0;
    r1cs_dims dims = {0};
    CUZK_ASSERT(cuzk_r1cs_stream(&s->b->ctx, &circuit, count_terms, &n_terms, &dims, NULL) ==
                CUZK_OK);
    s->n_rows = dims.n_constraints;
}

static void structure_digest(void *arg) {
    synthesis *s = arg;
    const r1cs_circuit circuit = cuzk_porep_circuit(&s->blank);
    uint8_t hash[32];
    r1cs_densities d;
    CUZK_ASSERT(cuzk_r1cs_digest(&s->b->ctx, hash, &circuit, &d, NULL) == CUZK_OK);
    cuzk_r1cs_densities_clear(&d);
}

static void witness(void *arg) {
    synthesis *s = arg;
    const r1cs_circuit circuit = cuzk_porep_circuit(&s->filled);
    r1cs_witness w;
    CUZK_ASSERT(cuzk_r1cs_witness_create(&w, &s->b->ctx, &circuit, NULL) == CUZK_OK);
    cuzk_r1cs_witness_clear(&w);
}

static void fill_path(merkle_proof *path, const merkle_shape *tree, const digest *siblings) {
    path->n_levels = tree->n_levels;
    path->siblings = siblings;
    for (unsigned i = 0; i < tree->n_levels; i++) {
        path->position[i] = (uint8_t)(i % tree->arity[i]);
    }
}

static void fill_proof(synthesis *s) {
    enum { N_DIGESTS = 8 * MERKLE_GADGET_MAX_LEVELS };
    uint64_t state = BENCH_RNG_START;
    s->digests = malloc(N_DIGESTS * sizeof *s->digests);
    s->proof.challenges = calloc(N_CHALLENGES, sizeof *s->proof.challenges);
    CUZK_ASSERT(s->digests != NULL && s->proof.challenges != NULL);
    for (unsigned i = 0; i < N_DIGESTS; i++) {
        for (unsigned k = 0; k < DIGEST_BYTES; k++) {
            s->digests[i].bytes[k] = k < DIGEST_BYTES - 1 ? (uint8_t)bench_rng(&state) : 0;
        }
    }
    s->proof.n_partitions = 1;
    s->proof.n_challenges = N_CHALLENGES;
    for (unsigned i = 0; i < N_CHALLENGES; i++) {
        porep_challenge_proof *c = &s->proof.challenges[i];
        c->node = bench_rng(&state);
        fill_path(&c->comm_d, &s->blank.tree_d, s->digests);
        fill_path(&c->comm_r_last, &s->blank.tree_r, s->digests);
        fill_path(&c->c_x.inclusion, &s->blank.tree_r, s->digests);
        for (unsigned p = 0; p < POREP_PARENTS; p++) {
            c->parents[p].rows = s->digests + p;
            fill_path(&c->parents[p].inclusion, &s->blank.tree_r, s->digests + p);
        }
    }
}

int main(int argc, char **argv) {
    bench b;
    bench_init(&b, argc, argv);
    synthesis s = {.b = &b};
    porep_shape shape = cuzk_porep_shape_of(cuzk_sector_size_by_bytes(32ull << 30));
    shape.n_challenges = N_CHALLENGES;
    CUZK_ASSERT(cuzk_porep_circuit_init(&s.blank, &shape, NULL, 0, NULL) == CUZK_OK);
    fill_proof(&s);
    CUZK_ASSERT(cuzk_porep_circuit_init(&s.filled, &shape, &s.proof, 0, NULL) == CUZK_OK);
    structure(&s);
    bench_run(&b, "r1cs_structure", s.n_rows, (double)s.n_rows, structure, &s);
    bench_run(&b, "r1cs_digest", s.n_rows, (double)s.n_rows, structure_digest, &s);
    bench_run(&b, "r1cs_witness", s.n_rows, (double)s.n_rows, witness, &s);
    free(s.digests);
    free(s.proof.challenges);
    bench_clear(&b);
    return 0;
}

/* Times a WindowPoSt of 32 GiB sectors: the native check, per sector, and synthesis of the witness,
 * per row. */
#include "circuits/fallback_post.h"
#include "filecoin/fabricate_post.h"
#include "filecoin/post_check.h"
#include "r1cs/witness.h"
#include "support/harness.h"

#define N_SECTORS 16

typedef struct post_bench {
    const bench *b;
    post_sector_proof proofs[N_SECTORS];
    post_sector sectors[N_SECTORS];
    post_statement s;
    fallback_post circuit;
} post_bench;

static void check(void *arg) {
    post_bench *p = arg;
    CUZK_ASSERT(cuzk_post_check(&p->b->ctx, p->proofs, &p->s, NULL, NULL) == CUZK_OK);
}

static void witness(void *arg) {
    post_bench *p = arg;
    const r1cs_circuit circuit = cuzk_fallback_post_circuit(&p->circuit);
    r1cs_witness w;
    CUZK_ASSERT(cuzk_r1cs_witness_create(&w, &p->b->ctx, &circuit, NULL) == CUZK_OK);
    cuzk_r1cs_witness_clear(&w);
}

static uint64_t count_rows(const post_bench *p) {
    const r1cs_circuit circuit = cuzk_fallback_post_circuit(&p->circuit);
    r1cs_densities d;
    CUZK_ASSERT(cuzk_r1cs_densities(&d, &p->b->ctx, &circuit, NULL) == CUZK_OK);
    uint64_t n = d.dims.n_constraints;
    cuzk_r1cs_densities_clear(&d);
    return n;
}

int main(int argc, char **argv) {
    static post_bench p;
    bench b;
    bench_init(&b, argc, argv);
    const post_proof_type *type = cuzk_post_proof_by_number(13);
    p.b = &b;
    p.s = (post_statement){.type = type, .sectors = p.sectors, .n_sectors = N_SECTORS};
    for (unsigned i = 0; i < N_SECTORS; i++) {
        CUZK_ASSERT(cuzk_fabricate_post_sector(&p.proofs[i], &b.ctx, type, 1, &p.s.randomness, i, i,
                                               NULL) == CUZK_OK);
    }
    cuzk_post_sectors_of(p.sectors, p.proofs, N_SECTORS);
    const post_shape shape = {.log2_nodes = type->size->log2_nodes,
                              .tree = type->size->shape,
                              .n_sectors = N_SECTORS,
                              .n_challenges = WINDOW_CHALLENGES};
    CUZK_ASSERT(cuzk_fallback_post_init(&p.circuit, &shape, p.proofs, N_SECTORS, 0, NULL) ==
                CUZK_OK);
    uint64_t n_rows = count_rows(&p);
    bench_run(&b, "post_check", 1, N_SECTORS, check, &p);
    bench_run(&b, "post_witness", n_rows, (double)n_rows, witness, &p);
    for (unsigned i = 0; i < N_SECTORS; i++) {
        cuzk_post_sector_clear(&p.proofs[i]);
    }
    bench_clear(&b);
    return 0;
}

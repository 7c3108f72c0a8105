/* The PoSt circuit. */
#include "circuits/fallback_post.h"

#include <inttypes.h>
#include <stdio.h>

#include "gadgets/poseidon_gadget.h"

/* ---- shapes ---- */

post_shape cuzk_post_shape_of(const param_set *set) {
    CUZK_ASSERT(set->kind == CIRCUIT_WINNING || set->kind == CIRCUIT_WINDOW);
    return (post_shape){.log2_nodes = set->log2_nodes,
                        .tree = set->shape,
                        .n_sectors = set->n_sectors,
                        .n_challenges = set->n_challenges};
}

/* All inclusion proofs are in one vanilla proof. */
static bool is_spread(const fallback_post *c) {
    return c->n_proofs == 1 &&
           c->proofs[0].n_challenges == (uint64_t)c->shape.n_sectors * c->shape.n_challenges;
}

static cuzk_status proof_does_not_fit(const fallback_post *c, const post_sector_proof *p,
                                      int64_t challenge, const char *what, cuzk_error *err) {
    cuzk_fail(err, CUZK_E_INCONSISTENT, "partition %u: sector %" PRIu64 ": %s", c->partition,
              p->sector_id, what);
    if (err != NULL) {
        err->partition = c->partition;
        err->sector = (int64_t)p->sector_id;
        err->challenge = challenge;
    }
    return CUZK_E_INCONSISTENT;
}

static cuzk_status proof_fits(const fallback_post *c, const post_sector_proof *p, cuzk_error *err) {
    if (!is_spread(c) && p->n_challenges != c->shape.n_challenges) {
        return proof_does_not_fit(c, p, CUZK_NOWHERE,
                                  "the number of inclusion proofs is not the circuit's", err);
    }
    for (unsigned i = 0; i < p->n_challenges; i++) {
        if (!cuzk_path_fits(&p->inclusions[i], &c->tree)) {
            char what[80];
            snprintf(what, sizeof what, "challenge %u: the path is not one of this sector size", i);
            return proof_does_not_fit(c, p, i, what, err);
        }
    }
    return CUZK_OK;
}

cuzk_status cuzk_fallback_post_init(fallback_post *c, const post_shape *shape,
                                    const post_sector_proof *proofs, size_t n_proofs,
                                    unsigned partition, cuzk_error *err) {
    *c = (fallback_post){
        .shape = *shape, .proofs = proofs, .n_proofs = n_proofs, .partition = partition};
    if (shape->n_sectors == 0 || shape->n_challenges == 0 ||
        !cuzk_tree_levels(&c->tree, TREE_POSEIDON, &shape->tree, shape->log2_nodes)) {
        return cuzk_fail(err, CUZK_E_RANGE, "no PoSt circuit has this shape");
    }
    if (proofs == NULL) {
        return CUZK_OK;
    }
    if (n_proofs == 0 || n_proofs > shape->n_sectors) {
        cuzk_fail(err, CUZK_E_INCONSISTENT, "partition %u has %zu sectors, the circuit %u",
                  partition, n_proofs, shape->n_sectors);
        if (err != NULL) {
            err->partition = partition;
        }
        return CUZK_E_INCONSISTENT;
    }
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < n_proofs; i++) {
        status = proof_fits(c, &proofs[i], err);
    }
    return status;
}

/* ---- synthesis ---- */

/* The vanilla proof a sector of the circuit shows, and which of its inclusion proofs come first;
 * NULL without values. */
static const post_sector_proof *proof_of(const fallback_post *c, size_t sector, unsigned *first) {
    *first = 0;
    if (c->proofs == NULL) {
        return NULL;
    }
    if (is_spread(c)) {
        *first = (unsigned)sector * c->shape.n_challenges;
        return &c->proofs[0];
    }
    return &c->proofs[sector < c->n_proofs ? sector : c->n_proofs - 1];
}

static void failed_at(const fallback_post *c, const post_sector_proof *p, int64_t challenge,
                      r1cs_cs *cs) {
    if (challenge == CUZK_NOWHERE) {
        cuzk_error_prefix(&cs->error, "partition %u: sector %" PRIu64 ": ", c->partition,
                          p->sector_id);
    } else {
        cuzk_error_prefix(&cs->error, "partition %u: sector %" PRIu64 ": challenge %" PRId64 ": ",
                          c->partition, p->sector_id, challenge);
    }
    cs->error.partition = c->partition;
    cs->error.sector = (int64_t)p->sector_id;
    cs->error.challenge = challenge;
}

static void sector(const void *arg, size_t index, r1cs_cs *cs) {
    const fallback_post *c = arg;
    unsigned first;
    const post_sector_proof *p = proof_of(c, index, &first);
    int64_t challenge = CUZK_NOWHERE;

    num comm_r_last =
        cuzk_num_alloc_bytes(cs, digest_bytes(p ? &p->comm_r_last : NULL), "comm_r_last");
    num comm_c = cuzk_num_alloc_bytes(cs, digest_bytes(p ? &p->comm_c : NULL), "comm_c");
    num comm_r = cuzk_num_alloc_bytes(cs, digest_bytes(p ? &p->comm_r : NULL), "comm_r");
    cuzk_num_inputize(cs, &comm_r);
    const num roots[2] = {comm_c, comm_r_last};
    num hash = cuzk_poseidon_gadget(cs, POSEIDON_2, roots);
    cuzk_num_equal(cs, &comm_r, &hash);
    for (unsigned i = 0; i < c->shape.n_challenges && cuzk_cs_go_on(cs); i++) {
        const merkle_proof *inclusion = p == NULL ? NULL : &p->inclusions[first + i];
        const merkle_path path = path_values(inclusion);
        num leaf =
            cuzk_num_alloc_bytes(cs, digest_bytes(inclusion ? &inclusion->leaf : NULL), "the leaf");
        cuzk_merkle_prove(cs, &c->tree, &path, &leaf, &comm_r_last);
        challenge = first + i;
    }
    if (cs->want_values && cs->status != CUZK_OK) {
        failed_at(c, p, challenge, cs);
    }
}

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    const fallback_post *c = self;
    if (cs->want_values && c->proofs == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "this circuit has no values");
    }
    cuzk_cs_parts(cs, R1CS_DENSE, c->shape.n_sectors, sector, c);
    return CUZK_OK;
}

r1cs_circuit cuzk_fallback_post_circuit(const fallback_post *c) {
    return (r1cs_circuit){.self = c, .synthesize = synthesize};
}

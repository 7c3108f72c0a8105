/* Aggregate proofs as bytes: groth16.md 5.7. */
#include "base/bytes.h"
#include "curve/pairing.h"
#include "curve/point_encoding.h"
#include "groth16/aggregate_internal.h"

enum {
    COUNT_AT = 5 * GT_COMPRESSED_BYTES + G1_COMPRESSED_BYTES,
    FIXED_BYTES = COUNT_AT + 4 + 6 * G1_COMPRESSED_BYTES + 5 * G2_COMPRESSED_BYTES,
    ROUND_BYTES = 10 * GT_COMPRESSED_BYTES + 2 * G1_COMPRESSED_BYTES
};
_Static_assert(FIXED_BYTES == 2260 && ROUND_BYTES == 2976, "aggregate layout");

size_t cuzk_aggregate_padded(size_t n_proofs) {
    size_t n = 2;
    while (n < n_proofs) {
        if (n == AGGREGATE_MAX_PROOFS) {
            return 0;
        }
        n *= 2;
    }
    return n;
}

size_t cuzk_aggregate_bytes(size_t n_proofs) {
    return FIXED_BYTES + (size_t)ROUND_BYTES * aggregate_rounds_of(n_proofs);
}

/* One walk over the fields serves both directions: exactly one of in and out is set. */
typedef struct cursor {
    const uint8_t *in;
    uint8_t *out;
    size_t at;
    bool failed; /* at the field that begins at `at`; nothing more is done */
    const char *reason;
} cursor;

static void fail(cursor *c, const char *reason) {
    c->failed = true;
    c->reason = reason;
}

static void walk_gt(cursor *c, fp12 *a) {
    if (c->failed) {
        return;
    }
    if (c->out != NULL ? !cuzk_gt_write_compressed(c->out + c->at, a)
                       : !cuzk_gt_read_compressed(a, c->in + c->at)) {
        fail(c, c->out != NULL ? "1 has no compressed form" : "not an element of Gt");
        return;
    }
    c->at += GT_COMPRESSED_BYTES;
}

static void walk_g1(cursor *c, g1_affine *p) {
    if (c->failed) {
        return;
    }
    if (c->out != NULL) {
        cuzk_g1_write_compressed(c->out + c->at, p);
    } else {
        point_status status = cuzk_g1_read_compressed(p, c->in + c->at, POINT_CHECK_SUBGROUP);
        if (status != POINT_OK) {
            fail(c, cuzk_point_status_text(status));
            return;
        }
    }
    c->at += G1_COMPRESSED_BYTES;
}

static void walk_g2(cursor *c, g2_affine *p) {
    if (c->failed) {
        return;
    }
    if (c->out != NULL) {
        cuzk_g2_write_compressed(c->out + c->at, p);
    } else {
        point_status status = cuzk_g2_read_compressed(p, c->in + c->at, POINT_CHECK_SUBGROUP);
        if (status != POINT_OK) {
            fail(c, cuzk_point_status_text(status));
            return;
        }
    }
    c->at += G2_COMPRESSED_BYTES;
}

static void walk_commitment(cursor *c, aggregate_commitment *com) {
    walk_gt(c, &com->t);
    walk_gt(c, &com->u);
}

static void walk(cursor *c, aggregate_proof *proof) {
    walk_commitment(c, &proof->com_ab);
    walk_commitment(c, &proof->com_c);
    walk_gt(c, &proof->ip_ab);
    walk_g1(c, &proof->agg_c);
    c->at += c->failed ? 0 : 4; /* the count */
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        walk_commitment(c, &proof->rounds[i].tab_l);
        walk_commitment(c, &proof->rounds[i].tab_r);
    }
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        walk_commitment(c, &proof->rounds[i].tuc_l);
        walk_commitment(c, &proof->rounds[i].tuc_r);
    }
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        walk_gt(c, &proof->rounds[i].zab_l);
        walk_gt(c, &proof->rounds[i].zab_r);
    }
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        walk_g1(c, &proof->rounds[i].zc_l);
        walk_g1(c, &proof->rounds[i].zc_r);
    }
    walk_g1(c, &proof->a);
    walk_g2(c, &proof->b);
    walk_g1(c, &proof->c);
    walk_g2(c, &proof->v[0]);
    walk_g2(c, &proof->v[1]);
    walk_g1(c, &proof->w[0]);
    walk_g1(c, &proof->w[1]);
    walk_g2(c, &proof->v_opening[0]);
    walk_g2(c, &proof->v_opening[1]);
    walk_g1(c, &proof->w_opening[0]);
    walk_g1(c, &proof->w_opening[1]);
}

static cuzk_status at_offset(cuzk_error *err, cuzk_status status, size_t offset,
                             const char *reason) {
    cuzk_fail(err, status, "aggregate proof at offset %zu: %s", offset, reason);
    if (err != NULL) {
        err->offset = (int64_t)offset;
    }
    return status;
}

cuzk_status cuzk_aggregate_write(uint8_t *bytes, const aggregate_proof *proof, cuzk_error *err) {
    cursor c = {.out = bytes};
    store_le32(bytes + COUNT_AT, (uint32_t)proof->n_proofs);
    walk(&c, (aggregate_proof *)proof); /* only read from */
    return c.failed ? at_offset(err, CUZK_E_INCONSISTENT, c.at, c.reason) : CUZK_OK;
}

size_t cuzk_aggregate_n_proofs(const uint8_t *bytes, size_t len_bytes) {
    const size_t n = len_bytes < FIXED_BYTES ? 0 : load_le32(bytes + COUNT_AT);
    return aggregate_count_is_possible(n) ? n : 0;
}

cuzk_status cuzk_aggregate_read(aggregate_proof *proof, size_t *used, const uint8_t *bytes,
                                size_t len_bytes, cuzk_error *err) {
    if (len_bytes < FIXED_BYTES) {
        return at_offset(err, CUZK_E_INPUT, len_bytes, "too short");
    }
    const size_t n = cuzk_aggregate_n_proofs(bytes, len_bytes);
    if (n == 0) {
        return at_offset(err, CUZK_E_INPUT, COUNT_AT,
                         "the number of proofs is not a power of two within bounds");
    }
    if (len_bytes < cuzk_aggregate_bytes(n)) {
        return at_offset(err, CUZK_E_INPUT, len_bytes, "too short for its number of proofs");
    }
    proof->n_proofs = n;
    proof->n_rounds = aggregate_rounds_of(n);
    cursor c = {.in = bytes};
    walk(&c, proof);
    if (c.failed) {
        return at_offset(err, CUZK_E_INPUT, c.at, c.reason);
    }
    if (used != NULL) {
        *used = c.at;
    }
    return CUZK_OK;
}

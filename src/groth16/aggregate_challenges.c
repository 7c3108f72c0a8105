/* The challenges of an aggregate, groth16.md 5.5. */
#include <stdio.h>

#include "groth16/aggregate_internal.h"
#include "groth16/transcript.h"

static void add_commitment(transcript *t, const aggregate_commitment *c) {
    cuzk_transcript_gt(t, &c->t);
    cuzk_transcript_gt(t, &c->u);
}

static void add_round(transcript *t, const aggregate_round *round) {
    cuzk_transcript_gt(t, &round->zab_l);
    cuzk_transcript_gt(t, &round->zab_r);
    cuzk_transcript_g1(t, &round->zc_l);
    cuzk_transcript_g1(t, &round->zc_r);
    add_commitment(t, &round->tab_l);
    add_commitment(t, &round->tab_r);
    add_commitment(t, &round->tuc_l);
    add_commitment(t, &round->tuc_r);
}

static void add_final_points(transcript *t, const aggregate_proof *proof) {
    cuzk_transcript_g1(t, &proof->a);
    cuzk_transcript_g2(t, &proof->b);
    cuzk_transcript_g1(t, &proof->c);
}

void cuzk_aggregate_challenge_start(aggregate_challenges *challenges, const aggregate_proof *proof,
                                    const uint8_t *include, size_t include_len_bytes) {
    transcript t;
    cuzk_transcript_init(&t, "hcom");
    add_commitment(&t, &proof->com_ab);
    add_commitment(&t, &proof->com_c);
    cuzk_transcript_challenge(&challenges->hcom, &t);

    cuzk_transcript_init(&t, "random-r");
    cuzk_transcript_fr(&t, &challenges->hcom);
    cuzk_transcript_bytes(&t, include, include_len_bytes);
    cuzk_transcript_challenge(&challenges->r, &t);
}

/* The challenge before any round. */
static void challenge_before(fr *r, const aggregate_challenges *challenges,
                             const aggregate_proof *proof) {
    transcript t;
    cuzk_transcript_init(&t, "gipa-0");
    cuzk_transcript_fr(&t, &challenges->hcom);
    cuzk_transcript_gt(&t, &proof->ip_ab);
    cuzk_transcript_g1(&t, &proof->agg_c);
    cuzk_transcript_fr(&t, &challenges->r);
    cuzk_transcript_challenge(r, &t);
}

void cuzk_aggregate_challenge_round(aggregate_challenges *challenges, const aggregate_proof *proof,
                                    unsigned i, aggregate_version version) {
    fr previous;
    if (i == 0) {
        challenge_before(&previous, challenges, proof);
    } else {
        previous = challenges->c_inv[i - 1];
    }
    if (i == 0 && version == AGGREGATE_V1) {
        challenges->c_inv[0] = previous;
    } else {
        char tag[16]; /* V2 uses "gipa-0" twice */
        snprintf(tag, sizeof tag, "gipa-%u", i);
        transcript t;
        cuzk_transcript_init(&t, tag);
        cuzk_transcript_fr(&t, &previous);
        add_round(&t, &proof->rounds[i]);
        cuzk_transcript_challenge(&challenges->c_inv[i], &t);
    }
    cuzk_fr_inv(&challenges->c[i], &challenges->c_inv[i]);
}

void cuzk_aggregate_challenge_end(aggregate_challenges *challenges, const aggregate_proof *proof,
                                  aggregate_version version) {
    const unsigned last = proof->n_rounds - 1;
    transcript t;
    cuzk_transcript_init(&t, "gipa-extra-link");
    cuzk_transcript_fr(&t, &challenges->c[last]);
    add_final_points(&t, proof);
    add_round(&t, &proof->rounds[last]);
    cuzk_transcript_challenge(&challenges->extra, &t);

    cuzk_transcript_init(&t, "random-z");
    cuzk_transcript_fr(&t, version == AGGREGATE_V1 ? &challenges->c[last] : &challenges->extra);
    cuzk_transcript_g2(&t, &proof->v[0]);
    cuzk_transcript_g2(&t, &proof->v[1]);
    cuzk_transcript_g1(&t, &proof->w[0]);
    cuzk_transcript_g1(&t, &proof->w[1]);
    if (version != AGGREGATE_V1) {
        add_final_points(&t, proof);
    }
    cuzk_transcript_challenge(&challenges->z, &t);
}

void cuzk_aggregate_challenges(aggregate_challenges *challenges, const aggregate_proof *proof,
                               aggregate_version version, const uint8_t *include,
                               size_t include_len_bytes) {
    cuzk_aggregate_challenge_start(challenges, proof, include, include_len_bytes);
    for (unsigned i = 0; i < proof->n_rounds; i++) {
        cuzk_aggregate_challenge_round(challenges, proof, i, version);
    }
    cuzk_aggregate_challenge_end(challenges, proof, version);
}

void cuzk_aggregate_key_value(fr *r, const fr *k, unsigned n_rounds, const fr *x) {
    const fr one = FR_ONE;
    fr power = *x, product = FR_ONE, t;
    for (unsigned j = 0; j < n_rounds; j++) {
        fr_mul(&t, &k[n_rounds - 1 - j], &power);
        fr_add(&t, &t, &one);
        fr_mul(&product, &product, &t);
        fr_sqr(&power, &power);
    }
    *r = product;
}

#include "support/random_assignment.h"

#include <stdlib.h>

static void random_bits(bit_vector *v, uint64_t n, unsigned percent, test_rng *rng) {
    v->n = n;
    v->n_set = 0;
    v->words = calloc(n / 64 + 1, sizeof *v->words);
    assert_non_null(v->words);
    for (uint64_t i = 0; i < n; i++) {
        if (test_rng_u64(rng) % 100 < percent) {
            v->words[i / 64] |= 1ull << (i % 64);
            v->n_set++;
        }
    }
}

static void random_segment(r1cs_aux_segment *s, uint64_t first, uint64_t count, test_rng *rng) {
    *s = (r1cs_aux_segment){.first = first, .count = count};
    if (test_rng_u64(rng) % 3 == 0) {
        fr_plain *dense = malloc((count + 1) * sizeof *dense);
        for (uint64_t i = 0; i < count; i++) {
            test_rng_fr_plain(&dense[i], rng);
        }
        s->kind = R1CS_DENSE;
        s->dense = dense;
        return;
    }
    /* exactly as many words as there are bits, so that a sanitizer sees reads beyond */
    uint64_t *bits = calloc((count + 63) / 64 + (count == 0), sizeof *bits);
    uint32_t *at = malloc((count + 1) * sizeof *at);
    fr_plain *wide = malloc((count + 1) * sizeof *wide);
    const unsigned rare = 1 + (unsigned)(test_rng_u64(rng) % 100);
    for (uint64_t i = 0; i < count; i++) {
        if (test_rng_u64(rng) % rare == 0) {
            at[s->n_wide] = (uint32_t)i;
            test_rng_fr_plain(&wide[s->n_wide++], rng);
        } else {
            bits[i / 64] |= (test_rng_u64(rng) & 1) << (i % 64);
        }
    }
    s->kind = R1CS_BITS;
    s->bits = bits;
    s->wide_at = at;
    s->wide = wide;
}

void sample_init(sample *t, uint64_t n_aux, unsigned percent, test_rng *rng) {
    t->n_aux = n_aux;
    for (int i = 0; i < SAMPLE_INPUTS; i++) {
        test_rng_fr_plain(&t->inputs[i], rng);
    }
    uint64_t first = 0;
    for (int i = 0; i < SAMPLE_SEGMENTS; i++) {
        uint64_t left = n_aux - first;
        uint64_t count = i == SAMPLE_SEGMENTS - 1 ? left : test_rng_u64(rng) % (left / 2 + 1);
        random_segment(&t->segments[i], first, count, rng);
        first += count;
    }
    t->w = (r1cs_assignment){.n_inputs = SAMPLE_INPUTS,
                             .inputs = t->inputs,
                             .n_aux = n_aux,
                             .n_aux_segments = SAMPLE_SEGMENTS,
                             .aux = t->segments};
    random_bits(&t->aux_density, n_aux, percent, rng);
    random_bits(&t->input_density, SAMPLE_INPUTS, 30, rng);
    for (size_t i = 0, n = 0; i < SAMPLE_INPUTS; i++) {
        if (t->input_density.words[i / 64] >> (i % 64) & 1) {
            t->chosen_inputs[n++] = t->inputs[i];
        }
    }
    t->aux = malloc((n_aux + 1) * sizeof *t->aux);
    cuzk_r1cs_aux_expand(&t->w, 0, n_aux, t->aux);
}

void sample_clear(sample *t) {
    for (int i = 0; i < SAMPLE_SEGMENTS; i++) {
        free((void *)t->segments[i].bits);
        free((void *)t->segments[i].wide_at);
        free((void *)t->segments[i].wide);
        free((void *)t->segments[i].dense);
    }
    free(t->aux_density.words);
    free(t->input_density.words);
    free(t->aux);
}

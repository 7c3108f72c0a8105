/* The constants of passes in lanes, for ntt_avx512ifma.c. All are plain, with quotients (fr8.h).
 *
 * The lanes of a unit are eight columns of a block, or eight blocks of adjacent elements. Columns
 * share the constants T(layer, i) e^(..) of ntt_kernels.h. Blocks have eight numbers e, so
 *   - the layers before twist_layer have constants in lanes, each used for many rows;
 *   - row t of every stretch of that layer is then multiplied by e^t, which replaces X by e X:
 *   - from there on the constants are T(layer, i), whatever e is.
 * Merges take these steps backwards. */
#ifndef CUZK_NTT_NTT_LANE_ROOTS_H
#define CUZK_NTT_NTT_LANE_ROOTS_H

#include "field/fr8.h"
#include "ntt/ntt_kernels.h"

/* Words of a vector. */
#define VECTOR_WORDS ((size_t)LANES * FR8_LIMBS)

/* Vector i of an array. */
LANES_INLINE void vector_load(fr8 *r, const uint64_t *vectors, size_t i) {
    LANES_UNROLL for (int k = 0; k < FR8_LIMBS; k++) {
        r->l[k] = _mm512_load_si512(vectors + i * VECTOR_WORDS + (size_t)k * LANES);
    }
}
LANES_INLINE void vector_store(uint64_t *vectors, size_t i, const fr8 *a) {
    LANES_UNROLL for (int k = 0; k < FR8_LIMBS; k++) {
        _mm512_store_si512(vectors + i * VECTOR_WORDS + (size_t)k * LANES, a->l[k]);
    }
}
/* All lanes element i of an array of vectors. */
LANES_INLINE void element_load(fr8 *r, const uint64_t *vectors, size_t i) {
    const uint64_t *p = vectors + i / LANES * VECTOR_WORDS + i % LANES;
    LANES_UNROLL for (int k = 0; k < FR8_LIMBS; k++) { r->l[k] = lanes_set(p[k * LANES]); }
}

/* Eight fr in the Montgomery form of lanes, below 1.34 r; all lanes one fr. */
static inline void lane_form(fr8 *r, const fr a[LANES]) {
    fr8_load_times_16(r, a);
    fr8_reduce(r, r);
}
static inline void lane_form_of_one(fr8 *r, const fr *a) {
    fr eight[LANES];
    for (int i = 0; i < LANES; i++) {
        eight[i] = *a;
    }
    lane_form(r, eight);
}

/* An array of constants: vectors, or elements of vectors. */
typedef struct lane_constants {
    const uint64_t *values, *quotients;
} lane_constants;

#define NO_LAYER UINT32_MAX

typedef struct lane_roots {
    lane_constants layer[NTT_MAX_ROWS_LOG2]; /* 2^j of layer j of the pass */
    lane_constants twist;                    /* vectors: e^t at t */
    unsigned twist_layer;                    /* NO_LAYER for columns */
    unsigned ones_layer; /* from this layer on a layer's first constant is 1; NO_LAYER: none */
} lane_roots;

/* Whether a layer's constants are vectors. */
LANES_INLINE bool in_lanes(const lane_roots *r, unsigned layer) {
    return r->twist_layer != NO_LAYER && layer < r->twist_layer;
}

LANES_INLINE void constant_load(fr8_constant *w, const lane_constants *c, size_t i, bool vectors) {
    if (vectors) {
        vector_load(&w->w, c->values, i);
        vector_load(&w->quotient, c->quotients, i);
    } else {
        element_load(&w->w, c->values, i);
        element_load(&w->quotient, c->quotients, i);
    }
}

/* ---- scratch: all roots of a pass, in lane form and as constants; constants of a block or eight;
 * a unit of rows ---- */

/* The layer before which eight blocks are twisted: then constants in lanes and powers of e are
 * fewest. */
static inline unsigned twist_layer_of(unsigned rows_log2) { return rows_log2 / 2; }

static inline size_t at_least_a_vector(size_t n_elements) {
    return n_elements < LANES ? LANES : n_elements;
}
static inline size_t roots_vectors(unsigned rows_log2) {
    return at_least_a_vector((size_t)1 << rows_log2 >> 1) / LANES;
}
static inline size_t block_vectors(unsigned rows_log2, bool blocks) {
    unsigned twist_layer = twist_layer_of(rows_log2);
    if (blocks) {
        return 2 * (((size_t)1 << twist_layer) + ((size_t)1 << (rows_log2 - twist_layer)));
    }
    size_t n = 0;
    for (unsigned j = 0; j < rows_log2; j++) {
        n += 2 * at_least_a_vector((size_t)1 << j) / LANES;
    }
    return n;
}

typedef struct pass_scratch {
    uint64_t *roots;      /* in lane form */
    lane_constants first; /* the roots as constants */
    uint64_t *constants;
    fr8 *unit;
} pass_scratch;

static inline size_t lanes_scratch_bytes(unsigned rows_log2, bool blocks) {
    return (3 * roots_vectors(rows_log2) + block_vectors(rows_log2, blocks) +
            ((size_t)1 << rows_log2)) *
           sizeof(fr8);
}

/* Vector i of constants of the lane form. */
static inline void constant_store(uint64_t *values, uint64_t *quotients, size_t i,
                                  const fr8 *root) {
    fr8_constant c;
    fr8_constant_of(&c, root);
    vector_store(values, i, &c.w);
    vector_store(quotients, i, &c.quotient);
}

static inline pass_scratch lay_out(void *scratch, const ntt_pass *p, bool blocks) {
    size_t n = roots_vectors(p->rows_log2);
    pass_scratch s = {.roots = scratch};
    uint64_t *values = s.roots + n * VECTOR_WORDS, *quotients = values + n * VECTOR_WORDS;
    s.first = (lane_constants){values, quotients};
    s.constants = quotients + n * VECTOR_WORDS;
    s.unit = (fr8 *)(s.constants + block_vectors(p->rows_log2, blocks) * VECTOR_WORDS);
    for (size_t i = 0; i < n; i++) {
        fr8 t;
        lane_form(&t, p->direction->roots + i * LANES);
        vector_store(s.roots, i, &t);
        constant_store(values, quotients, i, &t);
    }
    return s;
}

/* ---- the constants of a block ---- */

static inline void find_column_roots(lane_roots *r, const pass_scratch *s, const ntt_pass *p,
                                     size_t block) {
    bool is_first = block == 0 && !p->coset;
    *r = (lane_roots){.twist_layer = NO_LAYER, .ones_layer = is_first ? 0 : NO_LAYER};
    if (is_first) {
        for (unsigned j = 0; j < p->rows_log2; j++) {
            r->layer[j] = s->first;
        }
        return;
    }
    fr base;
    fr8 power, root;
    ntt_block_base(&base, p, block);
    lane_form_of_one(&power, &base);
    uint64_t *end = s->constants;
    for (unsigned j = p->rows_log2; j-- > 0;) {
        size_t n = at_least_a_vector((size_t)1 << j) / LANES;
        uint64_t *values = end, *quotients = end + n * VECTOR_WORDS;
        for (size_t i = 0; i < n; i++) {
            vector_load(&root, s->roots, i);
            fr8_mul(&root, &root, &power);
            constant_store(values, quotients, i, &root);
        }
        r->layer[j] = (lane_constants){values, quotients};
        end = quotients + n * VECTOR_WORDS;
        fr8_sqr(&power, &power);
    }
}

/* ---- the constants of eight blocks ---- */

/* Group c of blocks: lane k is the block whose number, reversed, is 8 c + k. */
static inline size_t lane_block(const ntt_pass *p, size_t group, unsigned lane) {
    return ntt_reverse(group * LANES + lane, p->first_layer);
}

/* The numbers e of a group. */
static inline void group_base(fr8 *e, const ntt_pass *p, size_t group) {
    fr bases[LANES];
    for (unsigned k = 0; k < LANES; k++) {
        ntt_block_base(&bases[k], p, lane_block(p, group, k));
    }
    lane_form(e, bases);
}
/* The factor between those of a group and the next one. */
static inline void group_step(fr8 *step, const ntt_pass *p) {
    fr power = FR_ONE;
    ntt_times_power(&power, p, LANES);
    lane_form_of_one(step, &power);
}

static inline void find_group_roots(lane_roots *r, const pass_scratch *s, const ntt_pass *p,
                                    const fr8 *e) {
    unsigned twist_layer = twist_layer_of(p->rows_log2);
    size_t stretch = (size_t)1 << (p->rows_log2 - twist_layer);
    uint64_t *values = s->constants, *quotients = values + stretch * VECTOR_WORDS;
    fr8 powers[(size_t)1 << (NTT_MAX_ROWS_LOG2 + 1) / 2];
    *r = (lane_roots){
        .twist = {values, quotients}, .twist_layer = twist_layer, .ones_layer = twist_layer};
    powers[1] = *e;
    for (size_t t = 1; t < stretch; t++) {
        if (t > 1) {
            fr8_mul(&powers[t], &powers[t / 2], &powers[t - t / 2]);
        }
        constant_store(values, quotients, t, &powers[t]);
    }
    for (unsigned j = twist_layer; j < p->rows_log2; j++) {
        r->layer[j] = s->first;
    }
    fr8 power = powers[stretch / 2], root;
    uint64_t *end = quotients + stretch * VECTOR_WORDS;
    for (unsigned j = twist_layer; j-- > 0;) { /* power: e^(2^(rows_log2 - 1 - j)) */
        size_t n = (size_t)1 << j;
        fr8_sqr(&power, &power);
        values = end;
        quotients = end + n * VECTOR_WORDS;
        for (size_t i = 0; i < n; i++) {
            element_load(&root, s->roots, i);
            fr8_mul(&root, &root, &power);
            constant_store(values, quotients, i, &root);
        }
        r->layer[j] = (lane_constants){values, quotients};
        end = quotients + n * VECTOR_WORDS;
    }
}

#endif

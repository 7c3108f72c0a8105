/* ntt_kernels with AVX-512 IFMA: eight transforms at a time in lanes (fr8.h).
 *
 * Where a pass has a stride, the lanes of a vector are eight adjacent columns, which share their
 * constants; where it has none, they are eight blocks, each with constants of its own, and elements
 * are transposed on loading and storing. Passes over fewer than eight blocks are left to the ADX
 * kernels.
 *
 * Ranges. Elements are below 2^256, 2.2 r, in memory, and raw between butterflies; constants in
 * lane form are below 1.34 r. A product of a constant and an element below 26 r is below 2 r. So a
 * split adds at most 2 r to each element, and ten layers stay below 23 r. A merge doubles sums:
 * from 3 r to 24 r in three layers, the last of which reduces them. */
#include "field/fr8.h"
#include "ntt/ntt_kernels.h"

/* Words of a vector. */
#define VECTOR_WORDS ((size_t)LANES * FR8_LIMBS)

/* ---- constants ---- */

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
static void lane_form(fr8 *r, const fr a[LANES]) {
    fr8_load_times_16(r, a);
    fr8_reduce(r, r);
}
static void lane_form_of_one(fr8 *r, const fr *a) {
    fr eight[LANES];
    for (int i = 0; i < LANES; i++) {
        eight[i] = *a;
    }
    lane_form(r, eight);
}

/* The constants of a block, 2^j of layer j of the pass: elements of an array of vectors, or, where
 * each lane has its own, vectors. Shared ones serve many products: they are plain, with quotients;
 * others are in lane form, below 1.34 r, without. */
typedef struct lane_roots {
    const uint64_t *layer[NTT_MAX_ROWS_LOG2];
    const uint64_t *quotients[NTT_MAX_ROWS_LOG2];
    bool each_lane;
    bool starts_with_one; /* each layer's first constant is 1; not with each_lane */
} lane_roots;

LANES_INLINE void root_load(fr8_constant *w, const lane_roots *r, unsigned layer, size_t i,
                            bool each_lane) {
    if (each_lane) {
        vector_load(&w->w, r->layer[layer], i);
    } else {
        element_load(&w->w, r->layer[layer], i);
        element_load(&w->quotient, r->quotients[layer], i);
    }
}

/* ---- scratch: all roots of a pass, the constants of a block, a unit of rows ---- */

static size_t at_least_a_vector(size_t n_elements) {
    return n_elements < LANES ? LANES : n_elements;
}

/* Vectors of the constants of a layer, without quotients, and of all layers with them. Each layer
 * starts with a vector where lanes share constants. */
static size_t layer_vectors(unsigned layer, bool each_lane) {
    size_t n = (size_t)1 << layer;
    return each_lane ? n : at_least_a_vector(n) / LANES;
}
static size_t constants_vectors(unsigned rows_log2, bool each_lane) {
    size_t n = 0;
    for (unsigned j = 0; j < rows_log2; j++) {
        n += layer_vectors(j, each_lane) * (each_lane ? 1 : 2);
    }
    return n;
}

static size_t roots_vectors(unsigned rows_log2) {
    return at_least_a_vector((size_t)1 << rows_log2 >> 1) / LANES;
}

static size_t pass_scratch_bytes(unsigned rows_log2, unsigned columns_log2, unsigned stride_log2) {
    (void)columns_log2;
    size_t vectors = roots_vectors(rows_log2) + constants_vectors(rows_log2, stride_log2 == 0) +
                     ((size_t)1 << rows_log2);
    return vectors * sizeof(fr8);
}

typedef struct pass_scratch {
    uint64_t *roots, *constants;
    fr8 *unit;
} pass_scratch;

static pass_scratch lay_out(void *scratch, const ntt_pass *p) {
    pass_scratch s = {.roots = scratch};
    s.constants = s.roots + roots_vectors(p->rows_log2) * VECTOR_WORDS;
    s.unit =
        (fr8 *)(s.constants + constants_vectors(p->rows_log2, p->stride_log2 == 0) * VECTOR_WORDS);
    return s;
}

static void convert_roots(const pass_scratch *s, const ntt_pass *p) {
    for (size_t i = 0; i < roots_vectors(p->rows_log2); i++) {
        fr8 t;
        lane_form(&t, p->direction->roots + i * LANES);
        vector_store(s->roots, i, &t);
    }
}

/* Vector i of shared constants and their quotients, of the lane form. */
static void store_shared(uint64_t *values, uint64_t *quotients, size_t i, const fr8 *root) {
    fr8_constant c;
    fr8_constant_of(&c, root);
    vector_store(values, i, &c.w);
    vector_store(quotients, i, &c.quotient);
}

/* Block 0 has the roots themselves: those of the last layer serve all. */
static void find_first_roots(lane_roots *r, const pass_scratch *s, const ntt_pass *p) {
    size_t n = roots_vectors(p->rows_log2);
    uint64_t *quotients = s->constants + n * VECTOR_WORDS;
    for (size_t i = 0; i < n; i++) {
        fr8 root;
        vector_load(&root, s->roots, i);
        store_shared(s->constants, quotients, i, &root);
    }
    for (unsigned j = 0; j < p->rows_log2; j++) {
        r->layer[j] = s->constants;
        r->quotients[j] = quotients;
    }
}

/* The constants of one block, or of the eight from `block` on. */
static void find_roots(lane_roots *r, const pass_scratch *s, const ntt_pass *p, size_t block) {
    bool each_lane = p->stride_log2 == 0;
    *r = (lane_roots){.each_lane = each_lane,
                      .starts_with_one = block == 0 && !p->coset && !each_lane};
    if (r->starts_with_one) {
        find_first_roots(r, s, p);
        return;
    }
    fr bases[LANES];
    for (size_t k = 0; k < LANES; k++) {
        if (k == 0 || each_lane) {
            ntt_block_base(&bases[k], p, block + k);
        } else {
            bases[k] = bases[0];
        }
    }
    fr8 power, root;
    lane_form(&power, bases);
    uint64_t *end = s->constants;
    for (unsigned j = p->rows_log2; j-- > 0;) {
        size_t n = layer_vectors(j, each_lane);
        uint64_t *values = end, *quotients = end + n * VECTOR_WORDS;
        for (size_t i = 0; i < n; i++) {
            if (each_lane) {
                element_load(&root, s->roots, i);
                fr8_mul(&root, &root, &power);
                vector_store(values, i, &root);
            } else {
                vector_load(&root, s->roots, i);
                fr8_mul(&root, &root, &power);
                store_shared(values, quotients, i, &root);
            }
        }
        r->layer[j] = values;
        r->quotients[j] = quotients;
        end += (each_lane ? 1 : 2) * n * VECTOR_WORDS;
        fr8_sqr(&power, &power);
    }
}

/* ---- butterflies ---- */

/* r = v w, raw, below 2 r. v, raw, is below 26 r. */
LANES_INLINE void times_root(fr8 *r, const fr8 *v, const fr8_constant *w, bool each_lane) {
    fr8 t = *v;
    fr8_carry_factor(&t);
    if (each_lane) {
        fr8_mul_raw(r, &t, &w->w);
    } else {
        fr8_mul_constant(r, &t, w);
    }
}

/* (u, v) = (u + w v, u - w v): adds 2 r to the bounds. */
LANES_INLINE void split(fr8 *u, fr8 *v, const fr8_constant *w, bool each_lane) {
    fr8 a = *u, t;
    times_root(&t, v, w, each_lane);
    fr8_sub(v, &a, &t, 2);
    fr8_add(u, &a, &t);
}

/* (u, v) = (u + v, (u - v) w), both below k r: u is then below 2 k r, v below 2 r. */
LANES_INLINE void merge(fr8 *u, fr8 *v, const fr8_constant *w, int k, bool reduces,
                        bool each_lane) {
    fr8 a = *u, b = *v, t;
    fr8_sub(&t, &a, &b, k);
    fr8_add(&a, &a, &b);
    if (reduces) {
        fr8_reduce(&a, &a);
    }
    *u = a;
    times_root(v, &t, w, each_lane);
}

/* Both where w = 1: below 2 k r. */
LANES_INLINE void cross(fr8 *u, fr8 *v, int k, bool reduces) {
    fr8 a = *u, b = *v, t;
    fr8_sub(&t, &a, &b, k);
    fr8_add(&a, &a, &b);
    if (reduces) {
        fr8_reduce(&a, &a);
        fr8_reduce(&t, &t);
    }
    *u = a;
    *v = t;
}

/* ---- layers ----
 *
 * One layer after the other over what fits the first-level cache: the butterflies of a layer do not
 * wait for each other. */

/* Stretches index .. index + n - 1 of a layer, 2 half rows each, starting at x. */
LANES_INLINE void split_stretches(fr8 *x, const lane_roots *r, unsigned layer, size_t index,
                                  size_t n, size_t half, bool each_lane) {
    for (size_t s = 0; s < n; s++, x += 2 * half) {
        if (r->starts_with_one && index + s == 0) {
            for (size_t i = 0; i < half; i++) {
                cross(&x[i], &x[i + half], 3, true);
            }
            continue;
        }
        fr8_constant w;
        root_load(&w, r, layer, index + s, each_lane);
        for (size_t i = 0; i < half; i++) {
            split(&x[i], &x[i + half], &w, each_lane);
        }
    }
}

/* Bounds grow from 3 r to 6, 12, 24 r in three layers, the last of which reduces. */
LANES_INLINE void merge_stretches(fr8 *x, const lane_roots *r, unsigned layer, size_t index,
                                  size_t n, size_t half, bool each_lane, int k, bool reduces) {
    for (size_t s = 0; s < n; s++, x += 2 * half) {
        if (r->starts_with_one && index + s == 0) {
            for (size_t i = 0; i < half; i++) {
                cross(&x[i], &x[i + half], k, reduces);
            }
            continue;
        }
        fr8_constant w;
        root_load(&w, r, layer, index + s, each_lane);
        for (size_t i = 0; i < half; i++) {
            merge(&x[i], &x[i + half], &w, k, reduces, each_lane);
        }
    }
}

/* Two functions for constants of lanes and of vectors, so that neither asks in its loops. */
static void split_layer(fr8 *x, const lane_roots *r, unsigned layer, size_t index, size_t n,
                        size_t half) {
    if (r->each_lane) {
        split_stretches(x, r, layer, index, n, half, true);
    } else {
        split_stretches(x, r, layer, index, n, half, false);
    }
}

static void merge_layer(fr8 *x, const lane_roots *r, unsigned layer, size_t index, size_t n,
                        size_t half) {
    unsigned done = (unsigned)__builtin_ctzll(half) % 3;
    if (r->each_lane && done == 2) {
        merge_stretches(x, r, layer, index, n, half, true, 12, true);
    } else if (r->each_lane) {
        merge_stretches(x, r, layer, index, n, half, true, 3 << done, false);
    } else if (done == 2) {
        merge_stretches(x, r, layer, index, n, half, false, 12, true);
    } else {
        merge_stretches(x, r, layer, index, n, half, false, 3 << done, false);
    }
}

/* Rows that fit a first-level cache of 32 KiB. */
#define SMALL_ROWS_LOG2 6

/* The rows of the next unit, 256 bytes every stride_bytes: fetched bit by bit while one is worked
 * on. */
typedef struct rows_ahead {
    const uint8_t *next; /* NULL for none */
    size_t stride_bytes;
} rows_ahead;

LANES_INLINE void fetch_ahead(rows_ahead *a, size_t n_rows) {
    if (a->next == NULL) {
        return;
    }
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t line = 0; line < LANES * sizeof(fr_plain); line += 64) {
            __builtin_prefetch(a->next + line, 0, 2);
        }
        a->next += a->stride_bytes;
    }
}

/* Results below 2 r, or below r, times the scale if there is one. */
LANES_INLINE void finish(fr8 *x, const ntt_pass *p, const fr8 *scale) {
    if (p->scale != NULL) {
        fr8_carry_factor(x);
        fr8_mul(x, x, scale);
    } else {
        fr8_reduce(x, x);
    }
    if (p->finishes) {
        fr8_canonical(x, x);
    }
}

/* The columns that rows come from and go to: then the first layer done loads them and the last one
 * stores them, so that conversions run beside products. NULL elsewhere. */
typedef struct columns {
    fr_plain *x;
    const fr8 *unit;
    const ntt_pass *pass;
    const fr8 *scale; /* of the pass */
} columns;

LANES_INLINE fr_plain *column_row(const columns *c, size_t row) {
    return c->x + (row << c->pass->stride_log2);
}
LANES_INLINE void column_store(const columns *c, size_t row, fr8 *v) {
    finish(v, c->pass, c->scale);
    fr8_store(column_row(c, row), v);
}

/* The first layer of a split, the last of a merge: one stretch, of all 2 half rows. */
static void split_columns_first(fr8 *x, const columns *c, const lane_roots *r, size_t half) {
    fr8_constant w;
    root_load(&w, r, 0, 0, false);
    for (size_t i = 0; i < half; i++) {
        fr8_load(&x[i], column_row(c, i));
        fr8_load(&x[i + half], column_row(c, i + half));
        if (r->starts_with_one) {
            cross(&x[i], &x[i + half], 3, true);
        } else {
            split(&x[i], &x[i + half], &w, false);
        }
    }
}
static void merge_columns_last(fr8 *x, const columns *c, const lane_roots *r, size_t half) {
    int k = 3 << (unsigned)__builtin_ctzll(half) % 3;
    fr8_constant w;
    root_load(&w, r, 0, 0, false);
    for (size_t i = 0; i < half; i++) {
        fr8 u = x[i], v = x[i + half];
        if (r->starts_with_one) {
            cross(&u, &v, k, false);
        } else {
            merge(&u, &v, &w, k, false, false);
        }
        column_store(c, i, &u);
        column_store(c, i + half, &v);
    }
}

/* The last layer of a split, the first of a merge: n stretches of two rows. */
static void split_columns_last(fr8 *x, const columns *c, const lane_roots *r, unsigned layer,
                               size_t index, size_t n) {
    for (size_t s = 0; s < n; s++, x += 2) {
        fr8 u = x[0], v = x[1];
        fr8_constant w;
        if (r->starts_with_one && index + s == 0) {
            cross(&u, &v, 3, true);
        } else {
            root_load(&w, r, layer, index + s, false);
            split(&u, &v, &w, false);
        }
        size_t row = (size_t)(x - c->unit);
        column_store(c, row, &u);
        column_store(c, row + 1, &v);
    }
}
static void merge_columns_first(fr8 *x, const columns *c, const lane_roots *r, unsigned layer,
                                size_t index, size_t n) {
    for (size_t s = 0; s < n; s++, x += 2) {
        fr8_constant w;
        size_t row = (size_t)(x - c->unit);
        fr8_load(&x[0], column_row(c, row));
        fr8_load(&x[1], column_row(c, row + 1));
        if (r->starts_with_one && index + s == 0) {
            cross(&x[0], &x[1], 3, false);
        } else {
            root_load(&w, r, layer, index + s, false);
            merge(&x[0], &x[1], &w, 3, false, false);
        }
    }
}

/* The layers from `layer` to the pass's last for stretch `index` of that layer, 2^rows_log2 rows at
 * x; depth first, so that small stretches stay in the first-level cache. */
static void split_rows(fr8 *x, const lane_roots *r, unsigned layer, size_t index,
                       unsigned rows_log2, const columns *c, rows_ahead *ahead) {
    size_t n = (size_t)1 << rows_log2;
    if (rows_log2 > SMALL_ROWS_LOG2) {
        split_layer(x, r, layer, index, 1, n / 2);
        split_rows(x, r, layer + 1, 2 * index, rows_log2 - 1, c, ahead);
        split_rows(x + n / 2, r, layer + 1, 2 * index + 1, rows_log2 - 1, c, ahead);
        return;
    }
    for (unsigned j = 0; j < rows_log2; j++) {
        fetch_ahead(ahead, n * (j + 1) / rows_log2 - n * j / rows_log2);
        if (c != NULL && j + 1 == rows_log2) {
            split_columns_last(x, c, r, layer + j, index << j, (size_t)1 << j);
        } else {
            split_layer(x, r, layer + j, index << j, (size_t)1 << j, n >> (j + 1));
        }
    }
}

static void merge_rows(fr8 *x, const lane_roots *r, unsigned layer, size_t index,
                       unsigned rows_log2, const columns *c, rows_ahead *ahead) {
    size_t n = (size_t)1 << rows_log2;
    if (rows_log2 > SMALL_ROWS_LOG2) {
        merge_rows(x, r, layer + 1, 2 * index, rows_log2 - 1, c, ahead);
        merge_rows(x + n / 2, r, layer + 1, 2 * index + 1, rows_log2 - 1, c, ahead);
        merge_layer(x, r, layer, index, 1, n / 2);
        return;
    }
    for (unsigned j = rows_log2; j-- > 0;) {
        fetch_ahead(ahead, n * (j + 1) / rows_log2 - n * j / rows_log2);
        if (c != NULL && j + 1 == rows_log2) {
            merge_columns_first(x, c, r, layer + j, index << j, (size_t)1 << j);
        } else {
            merge_layer(x, r, layer + j, index << j, (size_t)1 << j, n >> (j + 1));
        }
    }
}

/* Eight columns. */
static void run_columns(fr_plain *x, const ntt_pass *p, const lane_roots *r, fr8 *unit,
                        const fr8 *scale, rows_ahead ahead) {
    const columns c = {.x = x, .unit = unit, .pass = p, .scale = scale};
    size_t half = (size_t)1 << p->rows_log2 >> 1;
    if (!p->merges) {
        split_columns_first(unit, &c, r, half);
        split_rows(unit, r, 1, 0, p->rows_log2 - 1, &c, &ahead);
        split_rows(unit + half, r, 1, 1, p->rows_log2 - 1, &c, &ahead);
    } else {
        merge_rows(unit, r, 1, 0, p->rows_log2 - 1, &c, &ahead);
        merge_rows(unit + half, r, 1, 1, p->rows_log2 - 1, &c, &ahead);
        merge_columns_last(unit, &c, r, half);
    }
}

/* ---- blocks ---- */

/* v[i], lane k = v[k], lane i */
static void transpose_eight(fr8 v[LANES]) {
    for (int limb = 0; limb < FR8_LIMBS; limb++) {
        lanes t[LANES];
        LANES_UNROLL for (int k = 0; k < LANES; k++) { t[k] = v[k].l[limb]; }
        lanes_transpose(t, t);
        LANES_UNROLL for (int k = 0; k < LANES; k++) { v[k].l[limb] = t[k]; }
    }
}

/* The element at place i of block b has index reverse_m(i) 2^(log2_n - m) + reverse(b). */
static void spread_all(fr8 *unit, const ntt_pass *p, size_t block) {
    fr bases[LANES];
    for (size_t k = 0; k < LANES; k++) {
        uint64_t e = ntt_reverse(block + k, p->first_layer);
        cuzk_fr_pow(&bases[k], &p->direction->shift[p->log2_n], &e, 1);
    }
    fr8 power, eight, factor;
    lane_form(&power, bases);
    for (size_t i = 0; i < (size_t)1 << p->rows_log2; i++) {
        if (i % LANES == 0) {
            lane_form(&eight, p->direction->spread + i);
        }
        element_load(&factor, (const uint64_t *)&eight, i % LANES);
        fr8_mul(&factor, &factor, &power);
        fr8_carry_factor(&unit[i]);
        fr8_mul(&unit[i], &unit[i], &factor);
    }
}

/* Eight blocks of adjacent elements, one after the other at x. */
static void run_blocks(fr_plain *x, const ntt_pass *p, const lane_roots *r, fr8 *unit, size_t block,
                       const fr8 *scale, rows_ahead ahead) {
    size_t n_rows = (size_t)1 << p->rows_log2;
    for (size_t row = 0; row < n_rows; row += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            fr8_load(&unit[row + k], x + k * n_rows + row);
        }
        transpose_eight(&unit[row]);
    }
    if (p->spreads && p->merges) {
        spread_all(unit, p, block);
    }
    if (p->merges) {
        merge_rows(unit, r, 0, 0, p->rows_log2, NULL, &ahead);
    } else {
        split_rows(unit, r, 0, 0, p->rows_log2, NULL, &ahead);
    }
    if (p->spreads && !p->merges) {
        spread_all(unit, p, block);
    }
    for (size_t row = 0; row < n_rows; row += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            finish(&unit[row + k], p, scale);
        }
        transpose_eight(&unit[row]);
        for (size_t k = 0; k < LANES; k++) {
            fr8_store(x + k * n_rows + row, &unit[row + k]);
        }
    }
}

/* ---- units ---- */

/* Where unit i starts. */
static fr_plain *unit_start(const ntt_pass *p, size_t i) {
    unsigned units_log2 = p->stride_log2 - p->columns_log2; /* of a block */
    size_t block = i >> units_log2, column = (i - (block << units_log2)) << p->columns_log2;
    return p->x + (block << (p->rows_log2 + p->stride_log2)) + column;
}

static void run_units(const ntt_pass *p, size_t first, size_t count, void *scratch) {
    bool blocks = p->stride_log2 == 0;
    if (blocks ? first % LANES != 0 || count % LANES != 0 || p->rows_log2 < 3
               : p->columns_log2 != 3 || p->rows_log2 < 2) {
        cuzk_ntt_kernels_adx.run(p, first, count, scratch);
        return;
    }
    pass_scratch s = lay_out(scratch, p);
    lane_roots roots;
    fr8 scale;
    if (p->scale != NULL) {
        lane_form_of_one(&scale, p->scale);
    }
    convert_roots(&s, p);
    size_t known = SIZE_MAX, step = blocks ? LANES : 1; /* the block whose roots these are */
    for (size_t i = first; i < first + count; i += step) {
        size_t block = i >> (p->stride_log2 - p->columns_log2);
        fr_plain *x = unit_start(p, i);
        rows_ahead ahead = {.stride_bytes = sizeof *x << (blocks ? 3 : p->stride_log2)};
        if (i + step < first + count) {
            ahead.next = (const uint8_t *)unit_start(p, i + step);
        }
        if (block != known) {
            find_roots(&roots, &s, p, block);
            known = block;
        }
        if (blocks) {
            run_blocks(x, p, &roots, s.unit, block, &scale, ahead);
        } else {
            run_columns(x, p, &roots, s.unit, &scale, ahead);
        }
    }
}

/* A single pass has one block, for which there are no lanes. */
const ntt_kernels cuzk_ntt_kernels_avx512ifma = {
    .two_passes_log2 = 9, .scratch_bytes = pass_scratch_bytes, .run = run_units};

/* ntt_kernels with AVX-512 IFMA: eight transforms at a time in lanes (fr8.h).
 *
 * Where a pass has a stride, the lanes of a vector are eight adjacent columns; where it has none,
 * they are eight blocks, and elements are transposed on loading and storing. The eight are those
 * with adjacent reversed numbers: in natural order their elements are adjacent. Passes over fewer
 * than eight blocks are left to the ADX kernels.
 *
 * Ranges. Elements are below 2^256, 2.2 r, in memory, and raw between butterflies. A product of a
 * constant and an element below 26 r is below 2 r. So a split adds at most 2 r to each element, and
 * ten layers from 6 r, which the first may leave, stay below 26 r. A merge doubles sums: from 3 r
 * to 24 r in three layers, the last of which reduces them. */
#include "field/fr8.h"
#include "ntt/ntt_kernels.h"
#include "ntt/ntt_lane_roots.h"

/* ---- butterflies ---- */

/* r = v w, raw, below 2 r. v, raw, is below 26 r. */
LANES_INLINE void times_root(fr8 *r, const fr8 *v, const fr8_constant *w) {
    fr8 t = *v;
    fr8_carry_factor(&t);
    fr8_mul_constant(r, &t, w);
}

/* (u, v) = (u + w v, u - w v): adds 2 r to the bounds. */
LANES_INLINE void split(fr8 *u, fr8 *v, const fr8_constant *w) {
    fr8 a = *u, t;
    times_root(&t, v, w);
    fr8_sub(v, &a, &t, 2);
    fr8_add(u, &a, &t);
}

/* (u, v) = (u + v, (u - v) w), both below k r: u is then below 2 k r, v below 2 r. */
LANES_INLINE void merge(fr8 *u, fr8 *v, const fr8_constant *w, int k, bool reduces) {
    fr8 a = *u, b = *v, t;
    fr8_sub(&t, &a, &b, k);
    fr8_add(&a, &a, &b);
    if (reduces) {
        fr8_reduce(&a, &a);
    }
    *u = a;
    times_root(v, &t, w);
}

/* Both where w = 1, v below k r: adds k r to the bounds, at most. */
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

/* ---- units ---- */

/* Where the rows of a unit come from and go to. */
typedef enum unit_kind {
    COLUMNS, /* eight adjacent columns of a block */
    BLOCKS,  /* eight blocks of adjacent elements */
    SOURCE   /* the same, from a source */
} unit_kind;

/* Rows of the next unit, fetched bit by bit while one is worked on: four lines a row. */
typedef struct rows_ahead {
    const uint8_t *next;                 /* NULL for none */
    ptrdiff_t line_bytes, step_bytes[2]; /* from an even row on, from an odd one */
    size_t row;
} rows_ahead;

typedef struct unit {
    const ntt_pass *pass;
    const lane_roots *roots;
    const fr8 *scale; /* of the pass */
    fr8 *rows;
    fr_plain *x;         /* columns: of row 0 */
    size_t block[LANES]; /* blocks: where each starts in the pass's x */
    fr8 spread;          /* blocks: s^index of row 0 */
    const ntt_source *source;
    const ntt_run *runs; /* of all rows, by index */
    unsigned column;     /* of the runs */
    rows_ahead ahead;
} unit;

LANES_INLINE void fetch_ahead(rows_ahead *a, size_t n_rows) {
    if (a->next == NULL) {
        return;
    }
    for (size_t i = 0; i < n_rows; i++) {
        for (int line = 0; line < 4; line++) {
            __builtin_prefetch(a->next + line * a->line_bytes, 0, 2);
        }
        a->next += a->step_bytes[a->row++ % 2];
    }
}

/* Eight values of an adjacent run, below r: -1 is r - 1. */
LANES_INLINE void run_load(fr8 *r, const unit *u, const ntt_run *run) {
    if (run->values != NULL) {
        fr8_load(r, run->values + u->column);
        return;
    }
    if (run->a == NULL || (run->wide >> u->column & 0xff) != 0) {
        fr_plain values[LANES];
        u->source->read(u->source->arg, run, u->column, LANES, values);
        fr8_load(r, values);
        return;
    }
    lanes v = _mm512_cvtepi8_epi64(_mm_loadl_epi64((const void *)(run->a + u->column)));
    if (run->b != NULL) {
        lanes b = _mm512_cvtepi8_epi64(_mm_loadl_epi64((const void *)(run->b + u->column)));
        v = _mm512_mul_epi32(v, b);
    }
    lane_mask negative = _mm512_movepi64_mask(v);
    r->l[0] = _mm512_mask_add_epi64(v, negative, v, lanes_set(fr8_modulus[0]));
    LANES_UNROLL for (int i = 1; i < FR8_LIMBS; i++) {
        r->l[i] = _mm512_maskz_mov_epi64(negative, lanes_set(fr8_modulus[i]));
    }
}

/* The element at place i of block b has index reverse_m(i) 2^(log2_n - m) + reverse(b): times s to
 * that. */
LANES_INLINE void spread(fr8 *r, const unit *u, size_t row) {
    fr8 factor;
    lane_form_of_one(&factor, &u->pass->direction->spread[row]);
    fr8_mul(&factor, &factor, &u->spread);
    fr8_carry_factor(r);
    fr8_mul(r, r, &factor);
}

/* Rows `row` and the next one. */
LANES_INLINE void load_two(fr8 *first, fr8 *second, const unit *u, size_t row, unit_kind kind) {
    const ntt_pass *p = u->pass;
    if (kind == COLUMNS) {
        fr8_load(first, u->x + (row << p->stride_log2));
        fr8_load(second, u->x + ((row + 1) << p->stride_log2));
        return;
    }
    if (kind == SOURCE) {
        run_load(first, u, &u->runs[ntt_reverse(row, p->rows_log2)]);
        run_load(second, u, &u->runs[ntt_reverse(row + 1, p->rows_log2)]);
    } else {
        lanes words[LANES];
        LANES_UNROLL for (int k = 0; k < LANES; k++) {
            words[k] = _mm512_loadu_si512(p->x + u->block[k] + row);
        }
        lanes_transpose(words, words);
        fr8_of_words(first, words);
        fr8_of_words(second, words + 4);
    }
    if (p->spreads && p->merges) {
        spread(first, u, row);
        spread(second, u, row + 1);
    }
}

/* Results below 2 r, or below r, times the scale if there is one. */
LANES_INLINE void finish(fr8 *r, const unit *u) {
    if (u->pass->scale != NULL) {
        fr8_carry_factor(r);
        fr8_mul(r, r, u->scale);
    } else {
        fr8_reduce(r, r);
    }
    if (u->pass->finishes) {
        fr8_canonical(r, r);
    }
}

LANES_INLINE void store_two(const unit *u, size_t row, fr8 *first, fr8 *second, unit_kind kind) {
    const ntt_pass *p = u->pass;
    if (kind != COLUMNS && p->spreads && !p->merges) {
        spread(first, u, row);
        spread(second, u, row + 1);
    }
    finish(first, u);
    finish(second, u);
    if (kind == COLUMNS) {
        fr8_store(u->x + (row << p->stride_log2), first);
        fr8_store(u->x + ((row + 1) << p->stride_log2), second);
        return;
    }
    lanes words[LANES];
    fr8_to_words(words, first);
    fr8_to_words(words + 4, second);
    lanes_transpose(words, words);
    LANES_UNROLL for (int k = 0; k < LANES; k++) {
        _mm512_storeu_si512(p->x + u->block[k] + row, words[k]);
    }
}

/* ---- layers ----
 *
 * One layer after the other over what fits the first-level cache: the butterflies of a layer do not
 * wait for each other. Loads and stores of a unit go with its first and last layer, so that
 * conversions run beside products. */

LANES_INLINE bool is_one(const lane_roots *r, unsigned layer, size_t index) {
    return index == 0 && r->ones_layer <= layer;
}

/* Sums without products: every second layer reduces them, from 3 r to below 6 r in one layer, and
 * blocks, whose rows come with more, in the first. */
LANES_INLINE bool split_reduces(const lane_roots *r, unsigned layer) {
    return ((layer - r->ones_layer) % 2 == 0) == (r->twist_layer != NO_LAYER);
}

/* Stretches index .. index + n - 1 of a layer, 2 half rows each, starting at x. */
LANES_INLINE void split_stretches(fr8 *x, const lane_roots *r, unsigned layer, size_t index,
                                  size_t n, size_t half, bool vectors) {
    for (size_t s = 0; s < n; s++, x += 2 * half) {
        if (is_one(r, layer, index + s) && split_reduces(r, layer)) {
            for (size_t i = 0; i < half; i++) {
                cross(&x[i], &x[i + half], 6, true);
            }
        } else if (is_one(r, layer, index + s)) {
            for (size_t i = 0; i < half; i++) {
                cross(&x[i], &x[i + half], 3, false);
            }
        } else {
            fr8_constant w;
            constant_load(&w, &r->layer[layer], index + s, vectors);
            for (size_t i = 0; i < half; i++) {
                split(&x[i], &x[i + half], &w);
            }
        }
    }
}

LANES_INLINE void merge_stretches(fr8 *x, const lane_roots *r, unsigned layer, size_t index,
                                  size_t n, size_t half, bool vectors, int k, bool reduces) {
    for (size_t s = 0; s < n; s++, x += 2 * half) {
        if (is_one(r, layer, index + s)) {
            for (size_t i = 0; i < half; i++) {
                cross(&x[i], &x[i + half], k, reduces);
            }
            continue;
        }
        fr8_constant w;
        constant_load(&w, &r->layer[layer], index + s, vectors);
        for (size_t i = 0; i < half; i++) {
            merge(&x[i], &x[i + half], &w, k, reduces);
        }
    }
}

/* Functions for constants of either kind, so that none asks in its loops. */
static void split_layer(fr8 *x, const lane_roots *r, unsigned layer, size_t index, size_t n,
                        size_t half) {
    if (in_lanes(r, layer)) {
        split_stretches(x, r, layer, index, n, half, true);
    } else {
        split_stretches(x, r, layer, index, n, half, false);
    }
}

/* Layers since the last that reduced all sums, modulo 3: bounds are 3 r times two to this. */
LANES_INLINE unsigned merge_state(const lane_roots *r, unsigned layer, unsigned rows_log2) {
    return (in_lanes(r, layer) ? r->twist_layer - 1 - layer : rows_log2 - 1 - layer) % 3;
}

static void merge_layer(fr8 *x, const unit *u, unsigned layer, size_t index, size_t n,
                        size_t half) {
    const lane_roots *r = u->roots;
    unsigned state = merge_state(r, layer, u->pass->rows_log2);
    if (in_lanes(r, layer) && state == 2) {
        merge_stretches(x, r, layer, index, n, half, true, 12, true);
    } else if (in_lanes(r, layer)) {
        merge_stretches(x, r, layer, index, n, half, true, 3 << state, false);
    } else if (state == 2) {
        merge_stretches(x, r, layer, index, n, half, false, 12, true);
    } else {
        merge_stretches(x, r, layer, index, n, half, false, 3 << state, false);
    }
}

/* Row t of each of n stretches of `stretch` rows times e^t; row 0 is reduced where that is asked.
 */
LANES_INLINE void twist(fr8 *x, const lane_roots *r, size_t n, size_t stretch, bool reduces) {
    for (size_t s = 0; s < n && reduces; s++) {
        fr8_reduce(&x[s * stretch], &x[s * stretch]);
    }
    for (size_t t = 1; t < stretch; t++) {
        fr8_constant w;
        constant_load(&w, &r->twist, t, true);
        for (size_t s = 0; s < n; s++) {
            fr8 *v = &x[s * stretch + t];
            times_root(v, v, &w);
        }
    }
}

/* The first layer of a split, the last of a merge: one stretch, of all 2 half rows. */
LANES_INLINE void split_first(const unit *u, unit_kind kind) {
    fr8 *x = u->rows;
    const lane_roots *r = u->roots;
    size_t half = (size_t)1 << u->pass->rows_log2 >> 1;
    bool one = is_one(r, 0, 0);
    fr8_constant w;
    constant_load(&w, &r->layer[0], 0, kind != COLUMNS);
    for (size_t i = 0; i < half; i += 2) {
        fr8 a[2], b[2];
        load_two(&a[0], &a[1], u, i, kind);
        load_two(&b[0], &b[1], u, i + half, kind);
        LANES_UNROLL for (size_t k = 0; k < 2; k++) {
            if (one) {
                cross(&a[k], &b[k], 3, false);
            } else {
                split(&a[k], &b[k], &w);
            }
            x[i + k] = a[k];
            x[i + k + half] = b[k];
        }
    }
}
LANES_INLINE void merge_last(const unit *u, unit_kind kind) {
    const fr8 *x = u->rows;
    const lane_roots *r = u->roots;
    size_t half = (size_t)1 << u->pass->rows_log2 >> 1;
    int bound = 3 << merge_state(r, 0, u->pass->rows_log2);
    bool one = is_one(r, 0, 0);
    fr8_constant w;
    constant_load(&w, &r->layer[0], 0, kind != COLUMNS);
    for (size_t i = 0; i < half; i += 2) {
        fr8 a[2], b[2];
        LANES_UNROLL for (size_t k = 0; k < 2; k++) {
            a[k] = x[i + k];
            b[k] = x[i + k + half];
            if (one) {
                cross(&a[k], &b[k], bound, false);
            } else {
                merge(&a[k], &b[k], &w, bound, false);
            }
        }
        store_two(u, i, &a[0], &a[1], kind);
        store_two(u, i + half, &b[0], &b[1], kind);
    }
}

/* The last layer of a split, the first of a merge: n stretches of two rows. */
LANES_INLINE void split_last(fr8 *x, const unit *u, unsigned layer, size_t index, size_t n,
                             unit_kind kind) {
    const lane_roots *r = u->roots;
    for (size_t s = 0; s < n; s++, x += 2) {
        fr8 a = x[0], b = x[1];
        fr8_constant w;
        if (is_one(r, layer, index + s)) {
            cross(&a, &b, 6, false);
        } else {
            constant_load(&w, &r->layer[layer], index + s, false);
            split(&a, &b, &w);
        }
        store_two(u, (size_t)(x - u->rows), &a, &b, kind);
    }
}
LANES_INLINE void merge_first(fr8 *x, const unit *u, unsigned layer, size_t index, size_t n,
                              unit_kind kind) {
    const lane_roots *r = u->roots;
    for (size_t s = 0; s < n; s++, x += 2) {
        fr8 a, b;
        fr8_constant w;
        load_two(&a, &b, u, (size_t)(x - u->rows), kind);
        if (is_one(r, layer, index + s)) {
            cross(&a, &b, 3, false);
        } else {
            constant_load(&w, &r->layer[layer], index + s, false);
            merge(&a, &b, &w, 3, false);
        }
        x[0] = a;
        x[1] = b;
    }
}

static void split_last_of(fr8 *x, const unit *u, unsigned layer, size_t index, size_t n) {
    if (u->roots->twist_layer == NO_LAYER) {
        split_last(x, u, layer, index, n, COLUMNS);
    } else {
        split_last(x, u, layer, index, n, BLOCKS);
    }
}
static void merge_first_of(fr8 *x, const unit *u, unsigned layer, size_t index, size_t n) {
    if (u->source != NULL) {
        merge_first(x, u, layer, index, n, SOURCE);
    } else if (u->roots->twist_layer == NO_LAYER) {
        merge_first(x, u, layer, index, n, COLUMNS);
    } else {
        merge_first(x, u, layer, index, n, BLOCKS);
    }
}

/* Rows that fit a first-level cache of 32 KiB. */
#define SMALL_ROWS_LOG2 6

/* The layers from `layer`, not the first, to the pass's last for stretch `index` of that layer,
 * 2^rows_log2 rows at x; depth first, so that small stretches stay in the first-level cache. */
static void split_rows(fr8 *x, unit *u, unsigned layer, size_t index, unsigned rows_log2) {
    const lane_roots *r = u->roots;
    size_t n = (size_t)1 << rows_log2;
    if (rows_log2 > SMALL_ROWS_LOG2) {
        if (layer == r->twist_layer) {
            twist(x, r, 1, n, false);
        }
        split_layer(x, r, layer, index, 1, n / 2);
        split_rows(x, u, layer + 1, 2 * index, rows_log2 - 1);
        split_rows(x + n / 2, u, layer + 1, 2 * index + 1, rows_log2 - 1);
        return;
    }
    for (unsigned j = 0; j < rows_log2; j++) {
        fetch_ahead(&u->ahead, n * (j + 1) / rows_log2 - n * j / rows_log2);
        if (layer + j == r->twist_layer) {
            twist(x, r, (size_t)1 << j, n >> j, false);
        }
        if (j + 1 == rows_log2) {
            split_last_of(x, u, layer + j, index << j, (size_t)1 << j);
        } else {
            split_layer(x, r, layer + j, index << j, (size_t)1 << j, n >> (j + 1));
        }
    }
}

static void merge_rows(fr8 *x, unit *u, unsigned layer, size_t index, unsigned rows_log2) {
    const lane_roots *r = u->roots;
    size_t n = (size_t)1 << rows_log2;
    if (rows_log2 > SMALL_ROWS_LOG2) {
        merge_rows(x, u, layer + 1, 2 * index, rows_log2 - 1);
        merge_rows(x + n / 2, u, layer + 1, 2 * index + 1, rows_log2 - 1);
        merge_layer(x, u, layer, index, 1, n / 2);
        if (layer == r->twist_layer) {
            twist(x, r, 1, n, true);
        }
        return;
    }
    for (unsigned j = rows_log2; j-- > 0;) {
        fetch_ahead(&u->ahead, n * (j + 1) / rows_log2 - n * j / rows_log2);
        if (j + 1 == rows_log2) {
            merge_first_of(x, u, layer + j, index << j, (size_t)1 << j);
        } else {
            merge_layer(x, u, layer + j, index << j, (size_t)1 << j, n >> (j + 1));
        }
        if (layer + j == r->twist_layer) {
            twist(x, r, (size_t)1 << j, n >> j, true);
        }
    }
}

LANES_INLINE void run_unit(unit *u, unit_kind kind) {
    unsigned half_log2 = u->pass->rows_log2 - 1;
    fr8 *second = u->rows + ((size_t)1 << half_log2);
    if (u->pass->merges) {
        merge_rows(u->rows, u, 1, 0, half_log2);
        merge_rows(second, u, 1, 1, half_log2);
        merge_last(u, kind);
    } else {
        split_first(u, kind);
        split_rows(u->rows, u, 1, 0, half_log2);
        split_rows(second, u, 1, 1, half_log2);
    }
}

/* ---- columns ---- */

static void run_columns(const ntt_pass *p, size_t first, size_t count, void *scratch) {
    pass_scratch s = lay_out(scratch, p, false);
    lane_roots roots;
    fr8 scale;
    if (p->scale != NULL) {
        lane_form_of_one(&scale, p->scale);
    }
    unsigned units_log2 = p->stride_log2 - p->columns_log2; /* of a block */
    size_t known = SIZE_MAX;                                /* the block whose roots these are */
    ptrdiff_t stride = (ptrdiff_t)(sizeof(fr_plain) << p->stride_log2);
    fr_plain *next = NULL;
    for (size_t i = first; i <= first + count; i++) {
        size_t block = i >> units_log2, column = (i - (block << units_log2)) << p->columns_log2;
        fr_plain *x = next;
        next = p->x + (block << (p->rows_log2 + p->stride_log2)) + column;
        if (i == first) {
            continue;
        }
        block = (i - 1) >> units_log2;
        if (block != known) {
            find_column_roots(&roots, &s, p, block);
            known = block;
        }
        unit u = {.pass = p, .roots = &roots, .scale = &scale, .rows = s.unit, .x = x};
        if (i < first + count) {
            u.ahead = (rows_ahead){(const uint8_t *)next, 64, {stride, stride}, 0};
        }
        run_unit(&u, COLUMNS);
    }
}

/* ---- blocks ---- */

/* Groups one after the other: their numbers e. */
typedef struct group_walk {
    fr8 e, step, spread, spread_step;
} group_walk;

static void walk_start(group_walk *w, const ntt_pass *p, size_t group) {
    group_base(&w->e, p, group);
    group_step(&w->step, p);
    if (p->spreads) {
        fr powers[LANES];
        uint64_t e = LANES;
        cuzk_fr_pow(&powers[0], &p->direction->shift[p->log2_n], &e, 1);
        lane_form_of_one(&w->spread_step, &powers[0]);
        for (size_t k = 0; k < LANES; k++) {
            e = group * LANES + k;
            cuzk_fr_pow(&powers[k], &p->direction->shift[p->log2_n], &e, 1);
        }
        lane_form(&w->spread, powers);
    }
}
static void walk_on(group_walk *w, const ntt_pass *p) {
    fr8_mul(&w->e, &w->e, &w->step);
    if (p->spreads) {
        fr8_mul(&w->spread, &w->spread, &w->spread_step);
    }
}

LANES_INLINE void run_group(const ntt_pass *p, const pass_scratch *s, const fr8 *scale,
                            const group_walk *w, size_t group, const unit *from, unit_kind kind) {
    lane_roots roots;
    unit u = *from;
    u.pass = p;
    u.roots = &roots;
    u.scale = scale;
    u.rows = s->unit;
    u.spread = w->spread;
    for (unsigned k = 0; k < LANES; k++) {
        u.block[k] = lane_block(p, group, k) << p->rows_log2;
    }
    find_group_roots(&roots, s, p, &w->e);
    run_unit(&u, kind);
}

static void run_blocks(const ntt_pass *p, size_t first, size_t count, void *scratch) {
    pass_scratch s = lay_out(scratch, p, true);
    group_walk walk;
    fr8 scale;
    if (p->scale != NULL) {
        lane_form_of_one(&scale, p->scale);
    }
    walk_start(&walk, p, first);
    /* the reversed lane number is on top of a block's number */
    ptrdiff_t lane_bytes = (ptrdiff_t)(sizeof(fr_plain) << (p->log2_n - 3));
    for (size_t i = first; i < first + count; i++) {
        unit u = {.source = NULL};
        if (i + 1 < first + count) {
            size_t next = lane_block(p, i + 1, 0) << p->rows_log2;
            u.ahead = (rows_ahead){(const uint8_t *)(p->x + next),
                                   lane_bytes,
                                   {4 * lane_bytes, 64 - 4 * lane_bytes},
                                   0};
        }
        run_group(p, &s, &scale, &walk, i, &u, BLOCKS);
        walk_on(&walk, p);
    }
}

static void run_units(const ntt_pass *p, size_t first, size_t count, void *scratch) {
    bool blocks = p->stride_log2 == 0;
    if (blocks ? count % LANES != 0 || p->rows_log2 < 3
               : p->columns_log2 != 3 || p->rows_log2 < 2) {
        cuzk_ntt_kernels_adx.run(p, first, count, scratch);
    } else if (blocks) {
        run_blocks(p, first / LANES, count / LANES, scratch);
    } else {
        run_columns(p, first, count, scratch);
    }
}

/* ---- a source ---- */

static void fetch_runs(const ntt_run *runs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (runs[i].a != NULL) {
            __builtin_prefetch(runs[i].a + NTT_RUN, 0, 2);
        }
        if (runs[i].b != NULL) {
            __builtin_prefetch(runs[i].b + NTT_RUN, 0, 2);
        }
    }
}

static void run_source(const ntt_pass *p, const ntt_source *source, size_t first, size_t count,
                       void *scratch) {
    const size_t n_rows = (size_t)1 << p->rows_log2, n_groups = NTT_RUN / LANES;
    pass_scratch s = lay_out(scratch, p, true);
    ntt_run *runs = (ntt_run *)(s.unit + n_rows);
    group_walk walk;
    fr8 scale;
    if (p->scale != NULL) {
        lane_form_of_one(&scale, p->scale);
    }
    walk_start(&walk, p, first * n_groups);
    memset(runs, 0, n_rows * sizeof *runs);
    for (size_t i = first; i < first + count; i++) {
        for (size_t row = 0; row < n_rows; row++) {
            size_t index = (row << p->first_layer) + i * NTT_RUN;
            source->find(source->arg, &runs[row], index, NTT_RUN);
        }
        for (size_t k = 0; k < n_groups; k++) {
            const unit u = {.source = source, .runs = runs, .column = (unsigned)(k * LANES)};
            fetch_runs(runs + n_rows / n_groups * k, n_rows / n_groups);
            run_group(p, &s, &scale, &walk, i * n_groups + k, &u, SOURCE);
            walk_on(&walk, p);
        }
    }
}

static size_t pass_scratch_bytes(unsigned rows_log2, unsigned columns_log2, unsigned stride_log2) {
    (void)columns_log2;
    return lanes_scratch_bytes(rows_log2, stride_log2 == 0);
}
static size_t source_scratch_bytes(unsigned rows_log2) {
    return lanes_scratch_bytes(rows_log2, true) + (sizeof(ntt_run) << rows_log2);
}

/* A single pass has one block, for which there are no lanes. */
const ntt_kernels cuzk_ntt_kernels_avx512ifma = {.max_rows_log2 = NTT_MAX_ROWS_LOG2,
                                                 .two_passes_log2 = 9,
                                                 .scratch_bytes = pass_scratch_bytes,
                                                 .run = run_units,
                                                 .run_source = run_source,
                                                 .source_scratch_bytes = source_scratch_bytes};

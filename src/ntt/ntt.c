/* Transforms as passes over memory. N = L1 x L2 x ..., each pass transforms columns of L rows that
 * lie a stride apart and multiplies by w^(row column) between passes (four-step method,
 * performance.md 7.2). Decimation in frequency walks the passes from the largest stride down and
 * leaves bit-reversed order; decimation in time is its transpose. */
#include "ntt/ntt.h"

#include <stdlib.h>
#include <string.h>

#include "ntt/ntt_kernels.h"

#define MAX_PASSES 4
/* Columns of one task; their factors are computed once. */
#define BLOCKS_PER_TASK 32
/* Elements of one task where a pass goes straight through memory. */
#define LINE_ELEMENTS ((size_t)1 << 14)

/* Columns of 2^log2_rows rows, 2^log2_stride elements apart. */
typedef struct ntt_pass {
    unsigned log2_rows, log2_stride;
} ntt_pass;

/* base^e for e below 2^log2_n from two tables: low[e mod 2^split] * high[e >> split] */
typedef struct power_table {
    unsigned split;
    fr *low, *high;
} power_table;

struct ntt_domain {
    unsigned log2_n, n_passes;
    ntt_pass passes[MAX_PASSES];
    power_table w[2];    /* of w and 1/w */
    unsigned log2_roots; /* of the largest number of rows */
    fr *roots[2];        /* powers of the root of that order and of its inverse, half of them */
    fr n_inverse, coset, coset_inverse; /* 1/n, 7, 1/7 */
    cuzk_block block;
};

/* ---- the domain ---- */

static void plan_passes(ntt_domain *d) {
    unsigned most = d->log2_n <= 2 * NTT_MAX_LOG2_ROWS ? NTT_MAX_LOG2_ROWS : NTT_MAX_LOG2_ROWS - 1;
    d->n_passes = (d->log2_n + most - 1) / most;
    if (d->n_passes == 0) {
        return;
    }
    unsigned left = d->log2_n;
    for (unsigned i = 0; i < d->n_passes; i++) {
        unsigned rows = (left + d->n_passes - i - 1) / (d->n_passes - i);
        left -= rows;
        d->passes[i] = (ntt_pass){.log2_rows = rows, .log2_stride = left};
    }
    d->log2_roots = d->passes[0].log2_rows;
}

static void fill_powers(fr *out, const fr *base, size_t n) {
    out[0] = FR_ONE;
    for (size_t i = 1; i < n; i++) {
        fr_mul(&out[i], &out[i - 1], base);
    }
}

static void fill_table(power_table *t, const fr *base, unsigned log2_n) {
    fr big = *base;
    for (unsigned i = 0; i < t->split; i++) {
        fr_sqr(&big, &big);
    }
    fill_powers(t->low, base, (size_t)1 << t->split);
    fill_powers(t->high, &big, (size_t)1 << (log2_n - t->split));
}

static void table_power(fr *r, const power_table *t, uint64_t e) {
    fr_mul(r, &t->low[e & (((uint64_t)1 << t->split) - 1)], &t->high[e >> t->split]);
}

/* Elements of each table, and the bytes of all. */
typedef struct table_sizes {
    size_t n_low, n_high, n_roots, len_bytes;
} table_sizes;

static table_sizes sizes_of(const ntt_domain *d) {
    unsigned split = d->log2_n / 2;
    table_sizes t = {.n_low = (size_t)1 << split,
                     .n_high = (size_t)1 << (d->log2_n - split),
                     .n_roots = ((size_t)1 << d->log2_roots) / 2 + 1};
    t.len_bytes = 2 * (scratch_need(t.n_low, sizeof(fr)) + scratch_need(t.n_high, sizeof(fr)) +
                       scratch_need(t.n_roots, sizeof(fr)));
    return t;
}

size_t cuzk_ntt_domain_bytes(unsigned log2_n) {
    ntt_domain d = {.log2_n = log2_n};
    plan_passes(&d);
    return sizes_of(&d).len_bytes;
}

cuzk_status cuzk_ntt_domain_create(ntt_domain **domain, const cuzk_ctx *ctx, unsigned log2_n,
                                   cuzk_error *err) {
    *domain = NULL;
    if (log2_n > FR_TWO_ADICITY) {
        return cuzk_fail(err, CUZK_E_RANGE, "a domain of 2^%u points: at most 2^%d exist", log2_n,
                         FR_TWO_ADICITY);
    }
    ntt_domain *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a domain");
    }
    d->log2_n = log2_n;
    plan_passes(d);
    table_sizes sizes = sizes_of(d);
    unsigned split = log2_n / 2;
    size_t n_low = sizes.n_low, n_high = sizes.n_high, n_roots = sizes.n_roots;
    size_t len = sizes.len_bytes;
    cuzk_status status = cuzk_block_alloc(&d->block, ctx->account, len, "roots of a domain", err);
    if (status != CUZK_OK) {
        free(d);
        return status;
    }
    cuzk_scratch scratch = cuzk_block_scratch(&d->block);
    fr root[2], short_root[2], n;
    cuzk_fr_root_of_unity(&root[0], log2_n);
    cuzk_fr_inv(&root[1], &root[0]);
    cuzk_fr_root_of_unity(&short_root[0], d->log2_roots);
    cuzk_fr_inv(&short_root[1], &short_root[0]);
    for (int i = 0; i < 2; i++) {
        d->w[i] = (power_table){.split = split,
                                .low = scratch_take(&scratch, n_low, sizeof(fr)),
                                .high = scratch_take(&scratch, n_high, sizeof(fr))};
        fill_table(&d->w[i], &root[i], log2_n);
        d->roots[i] = scratch_take(&scratch, n_roots, sizeof(fr));
        fill_powers(d->roots[i], &short_root[i], n_roots);
    }
    fr_from_u64(&n, (uint64_t)1 << log2_n);
    cuzk_fr_inv(&d->n_inverse, &n);
    d->coset = (fr){FR_GENERATOR_MONT};
    cuzk_fr_inv(&d->coset_inverse, &d->coset);
    *domain = d;
    return CUZK_OK;
}

void cuzk_ntt_domain_destroy(ntt_domain *domain) {
    if (domain != NULL) {
        cuzk_block_free(&domain->block);
        free(domain);
    }
}

unsigned cuzk_ntt_domain_log2(const ntt_domain *domain) { return domain->log2_n; }

/* ---- one transform ---- */

typedef struct transform {
    const ntt_kernels *kernels;
    const ntt_domain *domain;
    fr_plain *x;
    bool inverse, in_time;
    /* outputs are multiplied by first * step^index: step = 1 in time */
    const fr *first, *step;
    bool scales;
    /* the running pass */
    const ntt_pass *pass;
    unsigned n_columns;
    size_t n_groups, n_blocks,
        n_chunks; /* of columns; of stretches that repeat; of those in tasks */
    uint8_t *buffers;
    size_t buffer_bytes; /* of one worker */
} transform;

/* One worker's buffers: block, factors, and two values a row. */
static size_t buffer_need(const ntt_domain *d) {
    size_t rows = (size_t)1 << d->log2_roots;
    size_t columns = d->log2_roots > NTT_MAX_LOG2_ROWS - 1 ? NTT_MAX_COLUMNS / 2 : NTT_MAX_COLUMNS;
    return scratch_need(rows * columns, sizeof(fr_plain)) +
           scratch_need(rows * columns, sizeof(fr)) + 2 * scratch_need(rows, sizeof(fr));
}

size_t cuzk_ntt_bytes(const cuzk_ctx *ctx, unsigned log2_n) {
    ntt_domain d = {.log2_n = log2_n};
    plan_passes(&d);
    return cuzk_ctx_workers(ctx) * buffer_need(&d);
}

/* The low n_bits (0..64) of v in reverse. */
static uint64_t reverse_bits(uint64_t v, unsigned n_bits) {
    v = (v >> 1 & 0x5555555555555555ull) | (v & 0x5555555555555555ull) << 1;
    v = (v >> 2 & 0x3333333333333333ull) | (v & 0x3333333333333333ull) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0full) | (v & 0x0f0f0f0f0f0f0f0full) << 4;
    return n_bits == 0 ? 0 : __builtin_bswap64(v) >> (64 - n_bits);
}

/* factors[row place][column] = w_B^(row column) for columns column .. column + n_columns - 1, B the
 * stretch of the pass; row = reverse(row place), as rows are bit-reversed between passes. */
static void twiddle_factors(const transform *t, fr *factors, fr *start, fr *step, uint64_t column) {
    const ntt_pass *p = t->pass;
    unsigned shift = t->domain->log2_n - p->log2_rows - p->log2_stride; /* w_B = w^(2^shift) */
    size_t n_rows = (size_t)1 << p->log2_rows;
    const power_table *table = &t->domain->w[t->inverse];
    for (size_t place = 0; place < n_rows; place++) {
        uint64_t row = reverse_bits(place, p->log2_rows);
        table_power(&start[place], table, (row * column) << shift);
        table_power(&step[place], table, row << shift);
    }
    t->kernels->powers(factors, start, step, t->n_columns, n_rows);
}

/* Last pass in frequency: element (place r, stretch o) has index reverse(r) * (N / L) + reverse(o),
 * so its factor is first * (step^(N/L))^reverse(r) * step^reverse(o). row_scale[r] has the first
 * two; it is made once a task. */
static void scale_rows(const transform *t, fr *row_scale) {
    unsigned log2_rows = t->pass->log2_rows;
    fr big = *t->step;
    for (unsigned i = log2_rows; i < t->domain->log2_n; i++) {
        fr_sqr(&big, &big);
    }
    fr power = *t->first;
    for (size_t row = 0; row < (size_t)1 << log2_rows; row++) {
        row_scale[reverse_bits(row, log2_rows)] = power;
        fr_mul(&power, &power, &big);
    }
}

static void scale_factors(const transform *t, fr *factors, const fr *row_scale, uint64_t stretch,
                          unsigned n_columns) {
    unsigned log2_rows = t->pass->log2_rows;
    unsigned log2_stretches = t->domain->log2_n - log2_rows;
    size_t n_rows = (size_t)1 << log2_rows;
    for (unsigned c = 0; c < n_columns; c++) {
        uint64_t e = reverse_bits(stretch + c, log2_stretches);
        fr power;
        cuzk_fr_pow(&power, t->step, &e, 1);
        for (size_t r = 0; r < n_rows; r++) {
            fr_mul(&factors[r * n_columns + c], &row_scale[r], &power);
        }
    }
}

/* A pass with a stride: group of adjacent columns, over a chunk of the stretches. */
static void strided_task(const transform *t, size_t index, ntt_block *b, fr *factors, fr *start,
                         fr *step) {
    const ntt_pass *p = t->pass;
    size_t group = index / t->n_chunks;
    size_t chunk = index % t->n_chunks;
    size_t stretch = (size_t)1 << (p->log2_rows + p->log2_stride);
    size_t last = (chunk + 1) * BLOCKS_PER_TASK;
    if (last > t->n_blocks) {
        last = t->n_blocks;
    }
    twiddle_factors(t, factors, start, step, group * t->n_columns);
    b->row_stride = (size_t)1 << p->log2_stride;
    b->column_stride = 1;
    b->n_columns = t->n_columns;
    b->factors = factors;
    for (size_t o = chunk * BLOCKS_PER_TASK; o < last; o++) {
        b->x = t->x + o * stretch + group * t->n_columns;
        (t->in_time ? t->kernels->dit : t->kernels->dif)(b);
    }
}

/* The pass without a stride: its columns are the stretches themselves. */
static void adjacent_task(const transform *t, size_t index, ntt_block *b, fr *factors,
                          fr *row_scale) {
    size_t stretch = (size_t)1 << t->pass->log2_rows;
    size_t first = index * BLOCKS_PER_TASK;
    size_t last = first + BLOCKS_PER_TASK < t->n_blocks ? first + BLOCKS_PER_TASK : t->n_blocks;
    bool scales = t->scales && !t->in_time;
    if (scales) {
        scale_rows(t, row_scale);
    }
    b->row_stride = 1;
    b->column_stride = stretch;
    for (size_t o = first; o < last; o += b->n_columns) {
        b->n_columns = last - o < t->n_columns ? (unsigned)(last - o) : t->n_columns;
        b->x = t->x + o * stretch;
        b->factors = NULL;
        if (scales) {
            scale_factors(t, factors, row_scale, o, b->n_columns);
            b->factors = factors;
        }
        (t->in_time ? t->kernels->dit : t->kernels->dif)(b);
    }
}

static void pass_task(void *arg, size_t index, unsigned worker) {
    const transform *t = arg;
    size_t rows = (size_t)1 << t->pass->log2_rows;
    cuzk_scratch scratch = {.base = t->buffers + worker * t->buffer_bytes,
                            .len_bytes = t->buffer_bytes};
    fr_plain *buffer = scratch_take(&scratch, rows * t->n_columns, sizeof *buffer);
    fr *factors = scratch_take(&scratch, rows * t->n_columns, sizeof *factors);
    fr *start = scratch_take(&scratch, rows, sizeof *start);
    fr *step = scratch_take(&scratch, rows, sizeof *step);
    ntt_block b = {.log2_rows = t->pass->log2_rows,
                   .roots = t->domain->roots[t->inverse],
                   .root_step = (size_t)1 << (t->domain->log2_roots - t->pass->log2_rows),
                   .buffer = buffer};
    if (t->pass->log2_stride > 0) {
        strided_task(t, index, &b, factors, start, step);
    } else {
        adjacent_task(t, index, &b, factors, start);
    }
}

static cuzk_status run_pass(const cuzk_ctx *ctx, transform *t, const ntt_pass *pass,
                            cuzk_error *err) {
    unsigned most = pass->log2_rows > NTT_MAX_LOG2_ROWS - 1 ? NTT_MAX_COLUMNS / 2 : NTT_MAX_COLUMNS;
    size_t stride = (size_t)1 << pass->log2_stride;
    t->pass = pass;
    t->n_blocks = (size_t)1 << (t->domain->log2_n - pass->log2_rows - pass->log2_stride);
    t->n_columns = pass->log2_stride > 0 && stride < most ? (unsigned)stride : most;
    t->n_groups = pass->log2_stride > 0 ? stride / t->n_columns : 1;
    t->n_chunks = (t->n_blocks + BLOCKS_PER_TASK - 1) / BLOCKS_PER_TASK;
    return cuzk_pool_run(ctx, t->n_groups * t->n_chunks, pass_task, t, err);
}

/* ---- passes straight through memory ---- */

typedef struct line_work {
    fr_plain *x;
    size_t n;
    unsigned log2_n;
    const fr *first, *step;
    const ntt_kernels *kernels;
} line_work;

static void scale_task(void *arg, size_t index, unsigned worker) {
    const line_work *w = arg;
    (void)worker;
    uint64_t from = index * LINE_ELEMENTS;
    size_t n = w->n - from < LINE_ELEMENTS ? (size_t)(w->n - from) : LINE_ELEMENTS;
    fr power;
    cuzk_fr_pow(&power, w->step, &from, 1);
    fr_mul(&power, &power, w->first);
    w->kernels->scale(w->x + from, &power, w->step, n);
}

static cuzk_status scale_all(const cuzk_ctx *ctx, fr_plain *x, size_t n, const fr *first,
                             const fr *step, cuzk_error *err) {
    line_work w = {.x = x, .n = n, .first = first, .step = step, .kernels = cuzk_ntt_kernels()};
    return cuzk_pool_run(ctx, (n + LINE_ELEMENTS - 1) / LINE_ELEMENTS, scale_task, &w, err);
}

/* Swaps x[i] and x[reverse(i)]; each pair once, by the task of the smaller index. */
static void reorder_task(void *arg, size_t index, unsigned worker) {
    const line_work *w = arg;
    (void)worker;
    size_t from = index * LINE_ELEMENTS;
    size_t to = w->n - from < LINE_ELEMENTS ? w->n : from + LINE_ELEMENTS;
    for (size_t i = from; i < to; i++) {
        size_t j = (size_t)reverse_bits(i, w->log2_n);
        if (i < j) {
            fr_plain t = w->x[i];
            w->x[i] = w->x[j];
            w->x[j] = t;
        }
    }
}

static cuzk_status reorder_all(const cuzk_ctx *ctx, fr_plain *x, unsigned log2_n, cuzk_error *err) {
    line_work w = {.x = x, .n = (size_t)1 << log2_n, .log2_n = log2_n};
    return cuzk_pool_run(ctx, (w.n + LINE_ELEMENTS - 1) / LINE_ELEMENTS, reorder_task, &w, err);
}

/* ---- the interface ---- */

cuzk_status cuzk_ntt_scaled(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x,
                            bool inverse, ntt_order order, const fr *first, const fr *step,
                            cuzk_error *err) {
    const fr one = FR_ONE;
    cuzk_block buffers;
    cuzk_status status = cuzk_block_alloc(
        &buffers, ctx->account, cuzk_ntt_bytes(ctx, domain->log2_n), "buffers of a transform", err);
    if (status != CUZK_OK) {
        return status;
    }
    transform t = {.kernels = cuzk_ntt_kernels(),
                   .domain = domain,
                   .x = x,
                   .inverse = inverse,
                   .in_time = order == NTT_IN_REORDERED,
                   .first = first,
                   .step = step,
                   .scales = !fr_eq(first, &one) || !fr_eq(step, &one),
                   .buffers = buffers.data,
                   .buffer_bytes = buffer_need(domain)};
    CUZK_ASSERT(!t.in_time || fr_eq(step, &one));
    for (unsigned i = 0; i < domain->n_passes && status == CUZK_OK; i++) {
        unsigned k = t.in_time ? domain->n_passes - 1 - i : i;
        status = run_pass(ctx, &t, &domain->passes[k], err);
    }
    cuzk_block_free(&buffers);
    size_t n = (size_t)1 << domain->log2_n;
    if (status == CUZK_OK && t.scales && (t.in_time || domain->n_passes == 0)) {
        status = scale_all(ctx, x, n, first, step, err);
    }
    if (status == CUZK_OK && order == NTT_NATURAL) {
        status = reorder_all(ctx, x, domain->log2_n, err);
    }
    return status;
}

cuzk_status cuzk_ntt(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x, ntt_kind kind,
                     ntt_order order, cuzk_error *err) {
    const fr one = FR_ONE;
    size_t n = (size_t)1 << domain->log2_n;
    bool inverse = kind == NTT_INVERSE || kind == NTT_COSET_INVERSE;
    cuzk_status status = CUZK_OK;
    if (kind == NTT_COSET) {
        if (order == NTT_IN_REORDERED) {
            status = reorder_all(ctx, x, domain->log2_n, err);
        }
        if (status == CUZK_OK) {
            status = scale_all(ctx, x, n, &one, &domain->coset, err);
        }
        if (status == CUZK_OK && order == NTT_IN_REORDERED) {
            status = reorder_all(ctx, x, domain->log2_n, err);
        }
    }
    const fr *first = inverse ? &domain->n_inverse : &one;
    const fr *step = kind == NTT_COSET_INVERSE ? &domain->coset_inverse : &one;
    bool late = order == NTT_IN_REORDERED && kind == NTT_COSET_INVERSE;
    if (status == CUZK_OK) {
        status = cuzk_ntt_scaled(ctx, domain, x, inverse, order, late ? &one : first,
                                 late ? &one : step, err);
    }
    if (status == CUZK_OK && late) {
        status = scale_all(ctx, x, n, first, step, err);
    }
    return status;
}

/* Plans, tables and tasks of transforms. What a pass computes is explained in ntt_kernels.h. */
#include "ntt/ntt.h"

#include <stdlib.h>

#include "field/field_kernels.h"
#include "ntt/ntt_kernels.h"

#define NTT_RUN_LOG2 6
_Static_assert(NTT_RUN == 1 << NTT_RUN_LOG2, "length of runs");

/* Elements of one task, at least a unit: an eighth of the transform within these bounds, at most
 * some milliseconds, so that workers share evenly and cancelling is quick. */
#define TASK_MIN_LOG2 15
#define TASK_MAX_LOG2 17

typedef struct pass_plan {
    unsigned first_layer, rows_log2, stride_log2, columns_log2;
} pass_plan;

struct ntt_domain {
    unsigned log2_n, digit_log2, n_passes;
    pass_plan passes[NTT_MAX_PASSES];
    ntt_direction directions[2]; /* of w and 1/w */
    fr n_inverse;
    cuzk_block block; /* the tables */
};

/* ---- the domain ---- */

/* Passes of equal numbers of layers as far as possible, the larger ones first. */
static void plan(ntt_domain *d, unsigned log2_n) {
    d->log2_n = log2_n;
    d->digit_log2 = (log2_n + NTT_POWER_LEVELS - 1) / NTT_POWER_LEVELS;
    unsigned max_rows_log2 = cuzk_ntt_kernels()->max_rows_log2;
    d->n_passes = (log2_n + max_rows_log2 - 1) / max_rows_log2;
    if (d->n_passes == 1 && log2_n >= cuzk_ntt_kernels()->two_passes_log2) {
        d->n_passes = 2;
    }
    unsigned layer = 0;
    for (unsigned i = 0; i < d->n_passes; i++) {
        unsigned passes_left = d->n_passes - i;
        pass_plan *p = &d->passes[i];
        p->first_layer = layer;
        p->rows_log2 = (log2_n - layer + passes_left - 1) / passes_left;
        layer += p->rows_log2;
        p->stride_log2 = log2_n - layer;
        p->columns_log2 =
            p->stride_log2 < NTT_MAX_COLUMNS_LOG2 ? p->stride_log2 : NTT_MAX_COLUMNS_LOG2;
    }
}

/* Elements of each table of one direction. */
typedef struct table_sizes {
    size_t roots, powers, spread;
} table_sizes;

static table_sizes table_sizes_of(const ntt_domain *d) {
    unsigned first = d->n_passes > 0 ? d->passes[0].rows_log2 : 0;
    unsigned last = d->n_passes > 0 ? d->passes[d->n_passes - 1].rows_log2 : 0;
    return (table_sizes){.roots = ((size_t)1 << first) / 2 + 1,
                         .powers = (size_t)1 << d->digit_log2,
                         .spread = (size_t)1 << last};
}

static size_t tables_bytes(const ntt_domain *d) {
    table_sizes sizes = table_sizes_of(d);
    return 2 * (scratch_need(sizes.roots, sizeof(fr)) +
                NTT_POWER_LEVELS * scratch_need(sizes.powers, sizeof(fr)) +
                scratch_need(sizes.spread, sizeof(fr)));
}

size_t cuzk_ntt_domain_bytes(unsigned log2_n) {
    ntt_domain d;
    plan(&d, log2_n);
    return tables_bytes(&d);
}

static void square_times(fr *r, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        fr_sqr(r, r);
    }
}

/* out[2^j + i] = out[i] * root of order 2^(j + 2): see T of ntt_kernels.h. */
static void fill_roots(fr *out, size_t n, bool inverse) {
    out[0] = FR_ONE;
    for (unsigned j = 0; (size_t)1 << j < n; j++) {
        fr root;
        cuzk_fr_root_of_unity(&root, j + 2);
        if (inverse) {
            cuzk_fr_inv(&root, &root);
        }
        for (size_t i = 0; i < (size_t)1 << j && ((size_t)1 << j) + i < n; i++) {
            fr_mul(&out[((size_t)1 << j) + i], &out[i], &root);
        }
    }
}

static void fill_direction(ntt_direction *t, const ntt_domain *d, bool inverse,
                           cuzk_scratch *scratch) {
    table_sizes sizes = table_sizes_of(d);
    fr *roots = scratch_take(scratch, sizes.roots, sizeof(fr));
    fr *spread = scratch_take(scratch, sizes.spread, sizeof(fr));
    const fr one = FR_ONE;
    fill_roots(roots, sizes.roots, inverse);
    t->roots = roots;

    fr base;
    cuzk_fr_root_of_unity(&base, d->log2_n);
    if (inverse) {
        cuzk_fr_inv(&base, &base);
    }
    for (int level = 0; level < NTT_POWER_LEVELS; level++) {
        fr *powers = scratch_take(scratch, sizes.powers, sizeof(fr));
        cuzk_field_kernels()->fr_powers(powers, &one, &base, sizes.powers);
        t->powers[level] = powers;
        square_times(&base, d->digit_log2);
    }

    fr shift = {FR_GENERATOR_MONT};
    if (inverse) {
        cuzk_fr_inv(&shift, &shift);
    }
    for (unsigned j = d->log2_n + 1; j-- > 0;) {
        t->shift[j] = shift;
        fr_sqr(&shift, &shift);
    }
    /* reverse_m(2^j + i) = reverse_m(i) + 2^(m - 1 - j) for i below 2^j */
    spread[0] = FR_ONE;
    for (unsigned j = 0; (size_t)2 << j <= sizes.spread; j++) {
        for (size_t i = 0; i < (size_t)1 << j; i++) {
            fr_mul(&spread[((size_t)1 << j) + i], &spread[i], &t->shift[j + 1]);
        }
    }
    t->spread = spread;
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
    plan(d, log2_n);
    cuzk_status status =
        cuzk_block_alloc_unset(&d->block, ctx->account, tables_bytes(d), "roots of a domain", err);
    if (status != CUZK_OK) {
        free(d);
        return status;
    }
    cuzk_scratch scratch = cuzk_block_scratch(&d->block);
    fill_direction(&d->directions[0], d, false, &scratch);
    fill_direction(&d->directions[1], d, true, &scratch);
    fr_from_u64(&d->n_inverse, (uint64_t)1 << log2_n);
    cuzk_fr_inv(&d->n_inverse, &d->n_inverse);
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

/* ---- passes ---- */

static size_t worker_bytes(const ntt_domain *d) {
    const ntt_kernels *kernels = cuzk_ntt_kernels();
    size_t most = 0;
    for (unsigned i = 0; i < d->n_passes; i++) {
        const pass_plan *p = &d->passes[i];
        size_t need = kernels->scratch_bytes(p->rows_log2, p->columns_log2, p->stride_log2);
        most = need > most ? need : most;
    }
    return scratch_need(most, 1);
}

/* A small transform is one task, and its scratch is small. */
#define SMALL_SCRATCH ((size_t)1 << NTT_MAX_ROWS_LOG2)

static bool is_small(const ntt_domain *d) {
    return d->log2_n <= NTT_MAX_ROWS_LOG2 && worker_bytes(d) <= SMALL_SCRATCH * sizeof(fr);
}

size_t cuzk_ntt_bytes(const cuzk_ctx *ctx, unsigned log2_n) {
    ntt_domain d;
    plan(&d, log2_n);
    return is_small(&d) ? 0 : cuzk_ctx_workers(ctx) * worker_bytes(&d);
}

typedef struct pass_scratch {
    uint8_t *data;
    size_t worker_bytes;
} pass_scratch;

typedef struct pass_job {
    ntt_pass pass;
    const ntt_kernels *kernels;
    const ntt_source *source; /* NULL: x */
    size_t units_per_task;
    uint8_t *scratch;
    size_t worker_bytes;
} pass_job;

static void pass_task(void *arg, size_t index, unsigned worker) {
    const pass_job *job = arg;
    job->kernels->run(&job->pass, index * job->units_per_task, job->units_per_task,
                      job->scratch + worker * job->worker_bytes);
}

static void source_task(void *arg, size_t index, unsigned worker) {
    const pass_job *job = arg;
    job->kernels->run_source(&job->pass, job->source, index * job->units_per_task,
                             job->units_per_task, job->scratch + worker * job->worker_bytes);
}

static cuzk_status run_pass(const cuzk_ctx *ctx, pass_job *job, const pass_plan *p,
                            cuzk_error *err) {
    bool from_source = job->source != NULL;
    unsigned log2_n = job->pass.log2_n;
    unsigned unit_log2 = p->rows_log2 + (from_source ? NTT_RUN_LOG2 : p->columns_log2);
    unsigned task_log2 = log2_n < TASK_MIN_LOG2 + 3 ? TASK_MIN_LOG2 : log2_n - 3;
    task_log2 = task_log2 > TASK_MAX_LOG2 ? TASK_MAX_LOG2 : task_log2;
    task_log2 = task_log2 > log2_n ? log2_n : task_log2;
    task_log2 = task_log2 < unit_log2 ? unit_log2 : task_log2;
    job->units_per_task = (size_t)1 << (task_log2 - unit_log2);
    job->pass.first_layer = p->first_layer;
    job->pass.rows_log2 = p->rows_log2;
    job->pass.stride_log2 = p->stride_log2;
    job->pass.columns_log2 = p->columns_log2;
    return cuzk_pool_run(ctx, (size_t)1 << (log2_n - task_log2),
                         from_source ? source_task : pass_task, job, err);
}

/* ---- bit reversal ---- */

/* Rows and columns of a tile, and how many middle values a task takes. */
#define TILE_LOG2 4
#define TILE ((size_t)1 << TILE_LOG2)
#define TILES_PER_TASK 64

typedef struct reverse_job {
    fr_plain *x;
    unsigned log2_n;
} reverse_job;

/* An index is (high, middle, low) with high and low of TILE_LOG2 bits; all elements of one middle
 * value are a tile of rows `high`, and go to the tile of the reversed middle value, transposed and
 * reversed. */
static void load_tile(fr_plain *tile, const reverse_job *job, size_t middle) {
    for (size_t high = 0; high < TILE; high++) {
        memcpy(tile + high * TILE,
               job->x + (high << (job->log2_n - TILE_LOG2)) + (middle << TILE_LOG2),
               TILE * sizeof *tile);
    }
}

static void store_tile(const fr_plain *tile, const reverse_job *job, size_t middle) {
    for (size_t high = 0; high < TILE; high++) {
        fr_plain *row = job->x + (high << (job->log2_n - TILE_LOG2)) + (middle << TILE_LOG2);
        const fr_plain *column = tile + ntt_reverse(high, TILE_LOG2);
        for (size_t low = 0; low < TILE; low++) {
            row[low] = column[ntt_reverse(low, TILE_LOG2) * TILE];
        }
    }
}

static void reverse_task(void *arg, size_t index, unsigned worker) {
    const reverse_job *job = arg;
    fr_plain tiles[2][TILE * TILE];
    unsigned middle_bits = job->log2_n - 2 * TILE_LOG2;
    size_t end = (index + 1) * TILES_PER_TASK, n_middle = (size_t)1 << middle_bits;
    (void)worker;
    for (size_t middle = index * TILES_PER_TASK; middle < end && middle < n_middle; middle++) {
        size_t partner = ntt_reverse(middle, middle_bits);
        if (middle > partner) {
            continue; /* done from the other side */
        }
        load_tile(tiles[0], job, middle);
        load_tile(tiles[1], job, partner);
        store_tile(tiles[0], job, partner);
        if (middle != partner) {
            store_tile(tiles[1], job, middle);
        }
    }
}

static cuzk_status reverse_all(const cuzk_ctx *ctx, fr_plain *x, unsigned log2_n, cuzk_error *err) {
    reverse_job job = {.x = x, .log2_n = log2_n};
    if (log2_n >= 2 * TILE_LOG2) {
        size_t n_middle = (size_t)1 << (log2_n - 2 * TILE_LOG2);
        return cuzk_pool_run(ctx, (n_middle + TILES_PER_TASK - 1) / TILES_PER_TASK, reverse_task,
                             &job, err);
    }
    for (size_t i = 0; i < (size_t)1 << log2_n; i++) {
        size_t k = ntt_reverse(i, log2_n);
        if (i < k) {
            fr_plain t = x[i];
            x[i] = x[k];
            x[k] = t;
        }
    }
    return CUZK_OK;
}

/* ---- a transform ---- */

/* A transform as split or merge. */
typedef struct transform_plan {
    bool inverse, merges, coset, spreads, reverses_first, reverses_last;
    const fr *scale;
} transform_plan;

static transform_plan transform_plan_of(const ntt_domain *d, ntt_kind kind, ntt_order order) {
    bool on_coset =
        kind == NTT_COSET || kind == NTT_COSET_INVERSE || kind == NTT_COSET_INVERSE_TIMES_N;
    transform_plan t = {.inverse = kind != NTT_FORWARD && kind != NTT_COSET};
    /* natural order takes the form whose constants have room for the coset's powers */
    t.merges = order == NTT_IN_REORDERED || (order == NTT_NATURAL && t.inverse);
    t.reverses_first = order == NTT_NATURAL && t.merges;
    t.reverses_last = order == NTT_NATURAL && !t.merges;
    t.coset = on_coset && t.merges == t.inverse;
    t.spreads = on_coset && !t.coset;
    t.scale = kind == NTT_INVERSE || kind == NTT_COSET_INVERSE ? &d->n_inverse : NULL;
    return t;
}

/* source: for a first pass that takes its elements from there; NULL for none. */
static cuzk_status run_passes(const cuzk_ctx *ctx, const ntt_domain *d, fr_plain *x,
                              const transform_plan *t, const ntt_source *source,
                              const pass_scratch *scratch, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < d->n_passes && status == CUZK_OK; i++) {
        bool last = i + 1 == d->n_passes;
        const pass_plan *p = &d->passes[t->merges ? d->n_passes - 1 - i : i];
        pass_job job = {.pass = {.x = x,
                                 .direction = &d->directions[t->inverse],
                                 .log2_n = d->log2_n,
                                 .digit_log2 = d->digit_log2,
                                 .merges = t->merges,
                                 .coset = t->coset,
                                 .spreads = t->spreads && p->stride_log2 == 0,
                                 .finishes = last,
                                 .scale = last ? t->scale : NULL},
                        .kernels = cuzk_ntt_kernels(),
                        .source = i == 0 ? source : NULL,
                        .scratch = scratch->data,
                        .worker_bytes = scratch->worker_bytes};
        status = run_pass(ctx, &job, p, err);
    }
    return status;
}

static cuzk_status transform(const cuzk_ctx *ctx, const ntt_domain *d, fr_plain *x,
                             const transform_plan *t, const pass_scratch *scratch,
                             cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    if (t->reverses_first) {
        status = reverse_all(ctx, x, d->log2_n, err);
    }
    if (status == CUZK_OK) {
        status = run_passes(ctx, d, x, t, NULL, scratch, err);
    }
    if (status == CUZK_OK && t->reverses_last) {
        status = reverse_all(ctx, x, d->log2_n, err);
    }
    return status;
}

cuzk_status cuzk_ntt(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x, ntt_kind kind,
                     ntt_order order, cuzk_error *err) {
    transform_plan t = transform_plan_of(domain, kind, order);
    pass_scratch scratch = {.worker_bytes = worker_bytes(domain)};
    if (is_small(domain)) {
        cuzk_ctx one_thread = *ctx;
        one_thread.pool = NULL;
        _Alignas(CUZK_CACHE_LINE) fr small[SMALL_SCRATCH];
        scratch.data = (uint8_t *)small;
        return transform(&one_thread, domain, x, &t, &scratch, err);
    }
    cuzk_block block;
    cuzk_status status = cuzk_block_alloc_unset(
        &block, ctx->account, cuzk_ntt_bytes(ctx, domain->log2_n), "scratch of a transform", err);
    if (status == CUZK_OK) {
        scratch.data = block.data;
        status = transform(ctx, domain, x, &t, &scratch, err);
        cuzk_block_free(&block);
    }
    return status;
}

/* ---- from a source ---- */

/* Whether the first pass of a merge reads a source itself: it has whole runs in its rows. */
static bool reads_source(const ntt_domain *d) {
    return cuzk_ntt_kernels()->run_source != NULL && d->n_passes > 0 &&
           d->passes[d->n_passes - 1].rows_log2 + NTT_RUN_LOG2 <= d->log2_n &&
           d->passes[d->n_passes - 1].rows_log2 >= 3;
}

static size_t source_worker_bytes(const ntt_domain *d) {
    size_t first = cuzk_ntt_kernels()->source_scratch_bytes(d->passes[d->n_passes - 1].rows_log2);
    size_t others = worker_bytes(d);
    return scratch_need(first, 1) > others ? scratch_need(first, 1) : others;
}

size_t cuzk_ntt_source_bytes(const cuzk_ctx *ctx, unsigned log2_n) {
    ntt_domain d;
    plan(&d, log2_n);
    return reads_source(&d) ? cuzk_ctx_workers(ctx) * source_worker_bytes(&d)
                            : cuzk_ntt_bytes(ctx, log2_n);
}

/* x[reverse(i)] = element i. An index is (high, middle, low), high and low of tile_log2 bits; the
 * elements of one middle value are a tile, read in runs of low and written in runs of reversed
 * high. */
#define FILL_MAX_LOG2 5
#define FILL_MAX ((size_t)1 << FILL_MAX_LOG2)
#define FILLS_PER_TASK 16

typedef struct fill_job {
    const ntt_source *source;
    fr_plain *x;
    unsigned log2_n, tile_log2;
} fill_job;

static void fill_tile(const fill_job *job, size_t middle, const uint8_t *reversed) {
    fr_plain tile[FILL_MAX * FILL_MAX];
    unsigned t = job->tile_log2, high_shift = job->log2_n - t;
    size_t side = (size_t)1 << t;
    ntt_run run = {0};
    for (size_t high = 0; high < side; high++) {
        uint64_t first = (uint64_t)high << high_shift | (uint64_t)middle << t;
        job->source->find(job->source->arg, &run, first, side);
        job->source->read(job->source->arg, &run, 0, side, tile + high * side);
    }
    size_t middle_reversed = ntt_reverse(middle, job->log2_n - 2 * t);
    for (size_t low = 0; low < side; low++) {
        fr_plain *to = job->x + ((size_t)reversed[low] << high_shift | middle_reversed << t);
        for (size_t i = 0; i < side; i++) {
            to[i] = tile[reversed[i] * side + low];
        }
    }
}

static void fill_task(void *arg, size_t index, unsigned worker) {
    const fill_job *job = arg;
    uint8_t reversed[FILL_MAX];
    size_t n_middle = (size_t)1 << (job->log2_n - 2 * job->tile_log2);
    size_t end = (index + 1) * FILLS_PER_TASK;
    (void)worker;
    for (size_t i = 0; i < (size_t)1 << job->tile_log2; i++) {
        reversed[i] = (uint8_t)ntt_reverse(i, job->tile_log2);
    }
    for (size_t middle = index * FILLS_PER_TASK; middle < end && middle < n_middle; middle++) {
        fill_tile(job, middle, reversed);
    }
}

static cuzk_status fill_reversed(const cuzk_ctx *ctx, fr_plain *x, unsigned log2_n,
                                 const ntt_source *source, cuzk_error *err) {
    unsigned tile_log2 = log2_n / 2 < FILL_MAX_LOG2 ? log2_n / 2 : FILL_MAX_LOG2;
    fill_job job = {.source = source, .x = x, .log2_n = log2_n, .tile_log2 = tile_log2};
    size_t n_middle = (size_t)1 << (log2_n - 2 * tile_log2);
    return cuzk_pool_run(ctx, (n_middle + FILLS_PER_TASK - 1) / FILLS_PER_TASK, fill_task, &job,
                         err);
}

cuzk_status cuzk_ntt_source(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x,
                            const ntt_source *source, ntt_kind kind, cuzk_error *err) {
    if (!reads_source(domain)) {
        cuzk_status status = fill_reversed(ctx, x, domain->log2_n, source, err);
        return status == CUZK_OK ? cuzk_ntt(ctx, domain, x, kind, NTT_IN_REORDERED, err) : status;
    }
    transform_plan t = transform_plan_of(domain, kind, NTT_IN_REORDERED);
    cuzk_block block;
    cuzk_status status =
        cuzk_block_alloc_unset(&block, ctx->account, cuzk_ntt_source_bytes(ctx, domain->log2_n),
                               "scratch of a transform", err);
    if (status == CUZK_OK) {
        const pass_scratch scratch = {block.data, source_worker_bytes(domain)};
        status = run_passes(ctx, domain, x, &t, source, &scratch, err);
        cuzk_block_free(&block);
    }
    return status;
}

/* Many multiples of one point: a table of the multiples 1 .. 2^(width - 1) of 2^shift base for each
 * window, and for each scalar one addition a window. */
#include "msm/fixed_base.h"

#include "msm/msm_internal.h"

typedef struct fixed_base {
    msm_memory memory; /* which holds this too */
    const msm_kernels *k;
    msm_windows windows;
    uint8_t *bases;     /* [window], 2^shift base */
    uint8_t *multiples; /* of all windows in a row, each from 1 up */
} fixed_base;

struct fixed_base_g1 {
    fixed_base table;
};
struct fixed_base_g2 {
    fixed_base table;
};

static uint8_t *multiples_of(const fixed_base *t, size_t window) {
    return t->multiples + t->windows.first_bucket[window] * t->k->affine_bytes;
}

/* What each worker needs in a loop of tasks. */
typedef struct table_loop {
    const fixed_base *table;
    msm_memory memory;
    size_t worker_bytes, batch_bytes;
    /* of cuzk_fixed_base_*_mul */
    uint8_t *r;
    const fr_plain *scalars;
    size_t n, n_task;
} table_loop;

static void build_window(void *arg, size_t window, unsigned worker) {
    const table_loop *loop = arg;
    const msm_kernels *k = loop->table->k;
    uint8_t *scratch = (uint8_t *)loop->memory.data + worker * loop->worker_bytes;
    uint8_t *multiples = multiples_of(loop->table, window);
    memcpy(multiples, loop->table->bases + window * k->affine_bytes, k->affine_bytes);
    for (unsigned i = 0; i + 1 < loop->table->windows.width[window]; i++) {
        k->extend_multiples(scratch, multiples, (size_t)1 << i);
    }
}

static void multiply_task(void *arg, size_t task, unsigned worker) {
    const table_loop *loop = arg;
    const fixed_base *t = loop->table;
    uint8_t *scratch = (uint8_t *)loop->memory.data + worker * loop->worker_bytes;
    int32_t *digits = (int32_t *)(scratch + loop->batch_bytes);
    size_t first = task * loop->n_task;
    size_t n = loop->n - first < loop->n_task ? loop->n - first : loop->n_task;
    uint8_t *r = loop->r + first * t->k->affine_bytes;
    memset(r, 0, n * t->k->affine_bytes);
    for (size_t i = 0; i < n; i++) {
        CUZK_ASSERT(msm_windows_takes(&loop->scalars[first + i]));
        msm_windows_recode(&digits[i], loop->n_task, &t->windows, loop->scalars[first + i].l);
    }
    for (unsigned w = 0; w < t->windows.count; w++) {
        t->k->add_multiples(scratch, r, multiples_of(t, w), digits + w * loop->n_task, n);
    }
}

static cuzk_status loop_open(table_loop *loop, const fixed_base *t, const cuzk_ctx *ctx, size_t n,
                             size_t n_task, cuzk_error *err) {
    *loop = (table_loop){.table = t, .n = n, .n_task = n_task};
    loop->batch_bytes = scratch_need(1, t->k->batch_bytes);
    loop->worker_bytes =
        loop->batch_bytes + scratch_need(n_task * t->windows.count, sizeof(int32_t));
    size_t len_bytes = cuzk_ctx_workers(ctx) * loop->worker_bytes;
    return cuzk_msm_memory_alloc(&loop->memory, ctx->account, len_bytes, "multiples of a point",
                                 err);
}

static void table_destroy(fixed_base *t) {
    msm_memory memory = t->memory;
    cuzk_msm_memory_free(&memory);
}

static cuzk_status table_create(fixed_base **table, const msm_kernels *k, const cuzk_ctx *ctx,
                                const void *base, uint64_t n_multiples, cuzk_error *err) {
    fixed_base made = {.k = k};
    *table = NULL;
    cuzk_msm_windows_init(&made.windows, 256, cuzk_msm_windows_for_table(n_multiples));
    size_t head_bytes = scratch_need(1, sizeof made),
           bases_bytes = scratch_need(made.windows.count, k->affine_bytes);
    size_t len_bytes = head_bytes + bases_bytes +
                       scratch_need(msm_windows_buckets(&made.windows), k->affine_bytes);
    cuzk_status status =
        cuzk_msm_memory_alloc(&made.memory, ctx->account, len_bytes, "table of multiples", err);
    if (status != CUZK_OK) {
        return status;
    }
    made.bases = (uint8_t *)made.memory.data + head_bytes;
    made.multiples = made.bases + bases_bytes;
    fixed_base *t = made.memory.data;
    *t = made;
    k->shifted_bases(t->bases, base, t->windows.shift, t->windows.count);
    table_loop loop;
    status = loop_open(&loop, t, ctx, 0, 0, err);
    if (status == CUZK_OK) {
        status = cuzk_pool_run(ctx, t->windows.count, build_window, &loop, err);
        cuzk_msm_memory_free(&loop.memory);
    }
    if (status != CUZK_OK) {
        table_destroy(t);
        return status;
    }
    *table = t;
    return CUZK_OK;
}

static cuzk_status table_mul(const fixed_base *t, const cuzk_ctx *ctx, void *r,
                             const fr_plain *scalars, size_t n, cuzk_error *err) {
    size_t n_task = t->k->piece_points / MSM_MIN_TABLE_WINDOWS;
    if (n == 0) {
        return CUZK_OK;
    }
    table_loop loop;
    cuzk_status status = loop_open(&loop, t, ctx, n, n < n_task ? n : n_task, err);
    if (status != CUZK_OK) {
        return status;
    }
    loop.r = r;
    loop.scalars = scalars;
    status = cuzk_pool_run(ctx, (n + loop.n_task - 1) / loop.n_task, multiply_task, &loop, err);
    cuzk_msm_memory_free(&loop.memory);
    return status;
}

/* --- the interface, once for each group --- */

#define GROUP_FUNCTIONS(g)                                                                         \
    cuzk_status cuzk_fixed_base_##g##_create(fixed_base_##g **table, const cuzk_ctx *ctx,          \
                                             const g##_affine *base, uint64_t n_multiples,         \
                                             cuzk_error *err) {                                    \
        return table_create((fixed_base **)table, cuzk_msm_##g##_kernels(), ctx, base,             \
                            n_multiples, err);                                                     \
    }                                                                                              \
    void cuzk_fixed_base_##g##_destroy(fixed_base_##g *table) {                                    \
        if (table != NULL) {                                                                       \
            table_destroy(&table->table);                                                          \
        }                                                                                          \
    }                                                                                              \
    cuzk_status cuzk_fixed_base_##g##_mul(const fixed_base_##g *table, const cuzk_ctx *ctx,        \
                                          g##_affine *r, const fr_plain *k, size_t n,              \
                                          cuzk_error *err) {                                       \
        return table_mul(&table->table, ctx, r, k, n, err);                                        \
    }

GROUP_FUNCTIONS(g1)
GROUP_FUNCTIONS(g2)

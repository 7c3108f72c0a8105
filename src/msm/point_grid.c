/* A grid of points: every row is filled with its point, to which the columns are added as the
 * multiples 1, 2, .. of a table. */
#include "msm/point_grid.h"

#include "base/clock.h"
#include "msm/msm_internal.h"

typedef struct grid_loop {
    const msm_kernels *k;
    uint8_t *r;
    const uint8_t *rows, *columns;
    uint64_t first;
    size_t n;
    msm_memory memory;
    size_t worker_bytes, batch_bytes;
    _Atomic uint64_t cpu_ns;
} grid_loop;

/* Points first .. first + n - 1 of one row, from *r on. */
static void fill_row(const grid_loop *loop, uint8_t *scratch, uint8_t *r, uint64_t first,
                     size_t n) {
    const size_t size = loop->k->affine_bytes, column = (size_t)(first % GRID_COLUMNS);
    const uint8_t *row = loop->rows + (size_t)(first / GRID_COLUMNS) * size;
    int32_t *digits = (int32_t *)(scratch + loop->batch_bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(r + i * size, row, size);
        digits[i] = (int32_t)(column + i + 1);
    }
    loop->k->add_multiples(scratch, r, loop->columns, digits, n);
}

/* Rows begin where the columns do, so a task is a part of one row. */
static void grid_task(void *arg, size_t task, unsigned worker) {
    grid_loop *loop = arg;
    const uint64_t start_ns = cuzk_thread_cpu_ns();
    const uint64_t row = loop->first / GRID_COLUMNS + task;
    const uint64_t begin = row * GRID_COLUMNS, end = loop->first + loop->n;
    const uint64_t from = begin > loop->first ? begin : loop->first;
    const uint64_t to = begin + GRID_COLUMNS < end ? begin + GRID_COLUMNS : end;
    fill_row(loop, (uint8_t *)loop->memory.data + worker * loop->worker_bytes,
             loop->r + (size_t)(from - loop->first) * loop->k->affine_bytes, from,
             (size_t)(to - from));
    atomic_fetch_add_explicit(&loop->cpu_ns, cuzk_thread_cpu_ns() - start_ns, memory_order_relaxed);
}

static cuzk_status make(const msm_kernels *k, const cuzk_ctx *ctx, void *r, const void *rows,
                        const void *columns, uint64_t first, size_t n, uint64_t *cpu_ns,
                        cuzk_error *err) {
    if (n == 0) {
        return CUZK_OK;
    }
    grid_loop loop = {.k = k, .r = r, .rows = rows, .columns = columns, .first = first, .n = n};
    loop.batch_bytes = scratch_need(1, k->batch_bytes);
    loop.worker_bytes = loop.batch_bytes + scratch_need(GRID_COLUMNS, sizeof(int32_t));
    cuzk_status status =
        cuzk_msm_memory_alloc(&loop.memory, ctx->account, cuzk_ctx_workers(ctx) * loop.worker_bytes,
                              "a grid of points", err);
    if (status != CUZK_OK) {
        return status;
    }
    const size_t n_rows = (size_t)((first + n - 1) / GRID_COLUMNS - first / GRID_COLUMNS + 1);
    status = cuzk_pool_run(ctx, n_rows, grid_task, &loop, err);
    cuzk_msm_memory_free(&loop.memory);
    if (cpu_ns != NULL) {
        *cpu_ns += atomic_load(&loop.cpu_ns);
    }
    return status;
}

cuzk_status cuzk_point_grid_g1(const cuzk_ctx *ctx, g1_affine *r, const g1_affine *rows,
                               const g1_affine *columns, uint64_t first, size_t n, uint64_t *cpu_ns,
                               cuzk_error *err) {
    return make(cuzk_msm_g1_kernels(), ctx, r, rows, columns, first, n, cpu_ns, err);
}

cuzk_status cuzk_point_grid_g2(const cuzk_ctx *ctx, g2_affine *r, const g2_affine *rows,
                               const g2_affine *columns, uint64_t first, size_t n, uint64_t *cpu_ns,
                               cuzk_error *err) {
    return make(cuzk_msm_g2_kernels(), ctx, r, rows, columns, first, n, cpu_ns, err);
}

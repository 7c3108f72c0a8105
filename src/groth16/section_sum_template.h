/* The walk over one section, for section_sum.c, which defines
 *   G(name)  g1_name, g2_name      GROUP  g1, g2 (the member of a chunk)
 *   MSM(name)  cuzk_msm_g1_name, cuzk_msm_g2_name, and msm_g1, msm_g2 as SUM
 *   NAME     the exported function
 * and includes this file once for each group. */

/* One proof's part of the walk. */
typedef struct G(lane) {
    SUM *sum;
    G(affine) * tail; /* SECTION_TAIL_POINTS points with their values, collected over chunks */
    fr_plain *tail_values;
    size_t n_tail;
} G(lane);

static cuzk_status G(lane_flush)(G(lane) * lane, const cuzk_ctx *ctx, cuzk_error *err) {
    size_t n = lane->n_tail;
    lane->n_tail = 0;
    return n == 0 ? CUZK_OK : MSM(add)(lane->sum, ctx, lane->tail, lane->tail_values, NULL, n, err);
}

/* Adds the listed values of a run: at once where they are dense, else by way of the tail. */
static cuzk_status G(lane_add_wide)(G(lane) * lane, const cuzk_ctx *ctx, const G(affine) * points,
                                    const scalar_run *run, cuzk_error *err) {
    if (run->n_wide >= SECTION_TAIL_POINTS / 4) {
        const uint32_t *at = run->n_wide == run->n ? NULL : run->wide_at;
        return MSM(add)(lane->sum, ctx, points, run->wide, at, run->n_wide, err);
    }
    if (run->n_wide > SECTION_TAIL_POINTS - lane->n_tail) {
        cuzk_status status = G(lane_flush)(lane, ctx, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    for (size_t i = 0; i < run->n_wide; i++) {
        lane->tail[lane->n_tail + i] = points[run->wide_at[i]];
    }
    memcpy(lane->tail_values + lane->n_tail, run->wide, run->n_wide * sizeof *run->wide);
    lane->n_tail += run->n_wide;
    return CUZK_OK;
}

static cuzk_status G(lane_add)(G(lane) * lane, const section_task *task, size_t proof,
                               const cuzk_ctx *ctx, const G(affine) * points, uint64_t first,
                               size_t n, scalar_run *run, cuzk_error *err) {
    if (task->scalars != NULL) {
        return MSM(add)(lane->sum, ctx, points, task->scalars[proof] + first, NULL, n, err);
    }
    cuzk_status status = cuzk_scalar_run_gather(run, ctx, task->space, task->inputs[proof],
                                                task->w[proof], first, n, err);
    if (status == CUZK_OK && run->n_wide < n) {
        status = MSM(add_bits)(lane->sum, ctx, points, run->bits, n, err);
    }
    if (status == CUZK_OK) {
        status = G(lane_add_wide)(lane, ctx, points, run, err);
    }
    return status;
}

typedef struct G(check_job) {
    const G(affine) * points;
    size_t n;
    atomic_bool found;
} G(check_job);

static void G(check_part)(void *arg, size_t index, unsigned worker) {
    (void)worker;
    G(check_job) *job = arg;
    size_t end = job->n - index * CHECK_PART < CHECK_PART ? job->n : (index + 1) * CHECK_PART;
    for (size_t i = index * CHECK_PART; i < end; i++) {
        if (G(affine_is_infinity)(&job->points[i])) {
            atomic_store_explicit(&job->found, true, memory_order_relaxed);
        }
    }
}

static cuzk_status G(check_chunk)(const section_task *task, const cuzk_ctx *ctx,
                                  const G(affine) * points, size_t n, cuzk_error *err) {
    G(check_job) job = {.points = points, .n = n};
    cuzk_status status =
        cuzk_pool_run(ctx, (n + CHECK_PART - 1) / CHECK_PART, G(check_part), &job, err);
    if (status == CUZK_OK && atomic_load(&job.found)) {
        status =
            cuzk_fail(err, CUZK_E_BAD_PARAMS, "infinity among the points of section %s of the key",
                      cuzk_section_name(task->section));
    }
    return status;
}

static cuzk_status G(walk)(const section_task *task, const cuzk_ctx *ctx, G(lane) * lanes,
                           scalar_run *run, cuzk_error *err) {
    const groth16_source *source = &task->pk->source;
    const size_t most = cuzk_section_chunk(task->pk);
    for (uint64_t first = 0; first < task->n_points;) {
        size_t n = task->n_points - first < most ? (size_t)(task->n_points - first) : most;
        groth16_chunk chunk = {0};
        cuzk_status status =
            source->acquire(source->self, ctx, &chunk, task->section, first, n, err);
        if (status != CUZK_OK) {
            return status;
        }
        status = G(check_chunk)(task, ctx, chunk.GROUP, n, err);
        for (size_t j = 0; status == CUZK_OK && j < task->n; j++) {
            status = G(lane_add)(&lanes[j], task, j, ctx, chunk.GROUP, first, n, run, err);
        }
        source->release(source->self, &chunk);
        if (status != CUZK_OK) {
            return status;
        }
        first += n;
        cuzk_ctx_progress(ctx, cuzk_section_name(task->section), first, task->n_points);
    }
    return CUZK_OK;
}

cuzk_status NAME(const section_task *task, const cuzk_ctx *ctx, G(jac) * sums,
                 cuzk_scratch *scratch, cuzk_error *err) {
    const size_t mark = scratch_mark(scratch);
    G(lane) *lanes = scratch_take(scratch, task->n, sizeof *lanes);
    memset(lanes, 0, task->n * sizeof *lanes);
    scalar_run run = {0};
    if (task->scalars == NULL) {
        cuzk_scalar_run_init(&run, scratch, cuzk_section_chunk(task->pk));
    }
    cuzk_status status = CUZK_OK;
    for (size_t j = 0; status == CUZK_OK && j < task->n; j++) {
        if (task->scalars == NULL) {
            lanes[j].tail = scratch_take(scratch, SECTION_TAIL_POINTS, sizeof *lanes[j].tail);
            lanes[j].tail_values = scratch_take(scratch, SECTION_TAIL_POINTS, sizeof(fr_plain));
        }
        status = MSM(open)(&lanes[j].sum, ctx, MSM_POINTS_IN_SUBGROUP, task->n_full, err);
    }
    if (status == CUZK_OK) {
        status = G(walk)(task, ctx, lanes, &run, err);
    }
    for (size_t j = 0; status == CUZK_OK && j < task->n; j++) {
        status = G(lane_flush)(&lanes[j], ctx, err);
        if (status == CUZK_OK) {
            status = MSM(value)(lanes[j].sum, ctx, &sums[j], err);
        }
    }
    for (size_t j = 0; j < task->n; j++) {
        MSM(close)(lanes[j].sum);
    }
    scratch_reset(scratch, mark);
    return status;
}

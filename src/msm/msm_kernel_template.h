/* The bodies of msm_kernels for one group; the file of a level includes this after its batches
 * (msm_batch_template.h or msm_batch_lanes_template.h), with the same names and BUCKET, the type of
 * a bucket: an affine point in any form.
 *
 * A bucket takes part in a batch at most once, so points for a bucket
 * that is in the current batch wait in a queue; when that is full (few different digits), it is
 * sorted and summed by bucket on its own first, which costs no more additions. */

#define AFFINE GT(affine)
#define BUCKET GT(bucket)
#define JAC GT(jac)
#define BATCH GT(batch)
#define SCRATCH GT(msm_scratch)

typedef struct SCRATCH {
    BATCH batch;
    uint32_t batch_bucket[MSM_BATCH]; /* of the scan: where the lanes of the batch go */
    struct {
        size_t n;
        uint32_t bucket[MSM_QUEUE];
        uintptr_t src[MSM_QUEUE];
    } queue;
    uint16_t order[2][MSM_QUEUE]; /* queue entries sorted by bucket */
    uint32_t run_bucket[MSM_QUEUE];
    uint16_t run_start[MSM_QUEUE], run_len[MSM_QUEUE];
    BUCKET sums[MSM_QUEUE > MSM_BLOCK ? MSM_QUEUE : MSM_BLOCK];
} SCRATCH;

static inline void G(batch_add)(BATCH *batch, void *dst, const void *src) {
    G(batch_push)(batch, dst, (uintptr_t)src);
    if (batch->n == MSM_BATCH) {
        G(batch_run)(batch);
    }
}

/* --- accumulation --- */

/* Runs the batch, then refills it from the queue. */
static void G(scan_run)(SCRATCH *w, uint8_t *states, BUCKET *buckets) {
    for (size_t i = 0; i < w->batch.n; i++) {
        states[w->batch_bucket[i]] = BUCKET_IDLE;
    }
    G(batch_run)(&w->batch);
    size_t kept = 0;
    for (size_t i = 0; i < w->queue.n; i++) {
        uint32_t b = w->queue.bucket[i];
        uintptr_t src = w->queue.src[i];
        if (states[b] == BUCKET_IDLE && w->batch.n < MSM_BATCH) {
            states[b] = BUCKET_IN_BATCH;
            w->batch_bucket[w->batch.n] = b;
            G(batch_push)(&w->batch, &buckets[b], src);
        } else {
            w->queue.bucket[kept] = b;
            w->queue.src[kept] = src;
            kept++;
        }
    }
    w->queue.n = kept;
}

/* order = queue entries sorted by bucket; returns it. */
static const uint16_t *G(sort_queue)(SCRATCH *w) {
    size_t n = w->queue.n;
    uint16_t *from = w->order[0], *to = w->order[1];
    for (size_t i = 0; i < n; i++) {
        from[i] = (uint16_t)i;
    }
    if (n < 32) {
        for (size_t i = 1; i < n; i++) {
            uint16_t x = from[i];
            size_t j = i;
            for (; j > 0 && w->queue.bucket[from[j - 1]] > w->queue.bucket[x]; j--) {
                from[j] = from[j - 1];
            }
            from[j] = x;
        }
        return from;
    }
    for (unsigned shift = 0; shift < 22; shift += 11) { /* there are at most 2^19 buckets */
        uint16_t start[2048] = {0};
        for (size_t i = 0; i < n; i++) {
            start[w->queue.bucket[i] >> shift & 2047]++;
        }
        uint16_t sum = 0;
        for (size_t d = 0; d < 2048; d++) {
            uint16_t count = start[d];
            start[d] = sum;
            sum = (uint16_t)(sum + count);
        }
        for (size_t i = 0; i < n; i++) {
            to[start[w->queue.bucket[from[i]] >> shift & 2047]++] = from[i];
        }
        uint16_t *t = from;
        from = to;
        to = t;
    }
    return from;
}

/* Adds all of the queue to the buckets: the entries of each bucket are summed as a tree, then one
 * addition a bucket. */
static void G(drain_queue)(SCRATCH *w, BUCKET *buckets) {
    const uint16_t *order = G(sort_queue)(w);
    G(batch_start)(&w->batch, BUCKETS_TO_BUCKETS);
    size_t n_runs = 0;
    for (size_t i = 0; i < w->queue.n; i++) {
        uint32_t b = w->queue.bucket[order[i]];
        G(load)(&w->sums[i], w->queue.src[order[i]]);
        if (n_runs == 0 || w->run_bucket[n_runs - 1] != b) {
            w->run_bucket[n_runs] = b;
            w->run_start[n_runs] = (uint16_t)i;
            w->run_len[n_runs++] = 0;
        }
        w->run_len[n_runs - 1]++;
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t r = 0; r < n_runs; r++) {
            BUCKET *sums = &w->sums[w->run_start[r]];
            uint16_t half = w->run_len[r] / 2;
            w->run_len[r] = (uint16_t)(w->run_len[r] - half);
            for (size_t i = 0; i < half; i++) {
                G(batch_add)(&w->batch, &sums[i], &sums[w->run_len[r] + i]);
            }
            more |= w->run_len[r] > 1;
        }
        G(batch_run)(&w->batch);
    }
    for (size_t r = 0; r < n_runs; r++) {
        G(batch_add)(&w->batch, &buckets[w->run_bucket[r]], &w->sums[w->run_start[r]]);
    }
    G(batch_run)(&w->batch);
    w->queue.n = 0;
    G(batch_start)(&w->batch, POINTS_TO_BUCKETS);
}

static void G(scan_finish)(SCRATCH *w, uint8_t *states, BUCKET *buckets) {
    for (size_t i = 0; i < w->batch.n; i++) {
        states[w->batch_bucket[i]] = BUCKET_IDLE;
    }
    G(batch_run)(&w->batch);
    G(drain_queue)(w, buckets);
}

static inline void G(scan_add)(SCRATCH *w, uint8_t *states, BUCKET *buckets, uint32_t b,
                               uintptr_t src) {
    switch (states[b]) {
    case BUCKET_EMPTY:
        G(load)(&buckets[b], src);
        states[b] = BUCKET_IDLE;
        break;
    case BUCKET_IDLE:
        states[b] = BUCKET_IN_BATCH;
        prefetch_lines(&buckets[b], sizeof buckets[b]);
        w->batch_bucket[w->batch.n] = b;
        G(batch_push)(&w->batch, &buckets[b], src);
        while (w->batch.n == MSM_BATCH) {
            G(scan_run)(w, states, buckets);
        }
        break;
    default:
        w->queue.bucket[w->queue.n] = b;
        w->queue.src[w->queue.n++] = src;
        if (w->queue.n == MSM_QUEUE) {
            G(scan_finish)(w, states, buckets);
        }
    }
}

/* n entries of one window. */
static inline void G(scan_entries)(SCRATCH *w, const msm_scan *scan, unsigned window, size_t first,
                                   size_t n) {
    uint32_t base =
        scan->windows->first_bucket[window] - scan->windows->first_bucket[scan->first_window];
    const AFFINE *points = scan->points;
    const int16_t *digits = scan->digits + window * scan->stride + first;
    const uint32_t *index = scan->index + first;
    for (size_t i = 0; i < n; i++) {
        int d = digits[i];
        if (d != 0) {
            uintptr_t sign = d < 0 ? LANE_MINUS : 0;
            uint32_t b = base + (uint32_t)(d < 0 ? -d : d) - 1;
            G(scan_add)(w, scan->states, scan->buckets, b, (uintptr_t)&points[index[i]] | sign);
        }
    }
}

static void G(msm_accumulate)(void *scratch, const msm_scan *scan) {
    SCRATCH *w = scratch;
    G(batch_start)(&w->batch, POINTS_TO_BUCKETS);
    w->queue.n = 0;
    /* several windows take turns in short runs, so that a batch meets the buckets of all of them */
    size_t run = scan->n_windows == 1 ? MSM_PART : 32;
    for (size_t part = scan->first_part; part < scan->first_part + scan->n_parts; part++) {
        size_t count = scan->part_count[part];
        for (size_t i = 0; i < count; i += run) {
            for (unsigned window = 0; window < scan->n_windows; window++) {
                size_t n = count - i < run ? count - i : run;
                G(scan_entries)(w, scan, scan->first_window + window, part * MSM_PART + i, n);
            }
        }
    }
    G(scan_finish)(w, scan->states, scan->buckets);
}

/* --- sums of selected points --- */

static void G(msm_gather)(void *scratch, msm_accumulators *sum, const void *points,
                          const uint32_t *index, size_t n) {
    SCRATCH *w = scratch;
    G(gather)(&w->batch, sum, points, index, n);
}

/* Adds points[half .. 2 half - 1] to points[0 .. half - 1]. */
static inline void G(add_upper_half)(BATCH *batch, BUCKET *points, size_t half) {
    for (size_t i = 0; i < half; i++) {
        G(batch_add)(batch, &points[i], &points[half + i]);
    }
}

static void G(msm_collapse)(void *scratch, void *total, msm_accumulators *sum) {
    SCRATCH *w = scratch;
    BUCKET *acc = sum->points;
    const BUCKET *first = acc;
    G(accumulators_to_buckets)(sum);
    G(batch_start)(&w->batch, BUCKETS_TO_BUCKETS);
    for (size_t half = MSM_ACCUMULATORS / 2; half > 0; half /= 2) {
        G(add_upper_half)(&w->batch, acc, half);
        G(batch_run)(&w->batch);
    }
    G(buckets_to_points)(total, &first, 1);
    memset(acc + 1, 0, (MSM_ACCUMULATORS - 1) * sizeof *acc);
    G(buckets_to_accumulators)(sum);
    sum->next = 0;
}

/* --- reduction of buckets --- */

/* In place: the upper half of a row is added to its lower half and stays, as the list of the
 * buckets with the top bit set. Then the same with the lower half as the row, while every list so
 * far is halved too: all have the same length. In the end place 0 holds the sum of all and place
 * 2^i the sum of those with bit i set. */
static void G(msm_reduce)(void *scratch, void *r, const void *const *sets, size_t n_sets,
                          size_t n_rows, unsigned log2_len) {
    SCRATCH *w = scratch;
    size_t len = (size_t)1 << log2_len;
    memcpy(w->sums, sets[0], n_rows * len * sizeof(BUCKET));
    G(batch_start)(&w->batch, BUCKETS_TO_BUCKETS);
    for (size_t s = 1; s < n_sets; s++) {
        const BUCKET *set = sets[s];
        for (size_t i = 0; i < n_rows * len; i++) {
            G(batch_add)(&w->batch, &w->sums[i], &set[i]);
        }
        G(batch_run)(&w->batch);
    }
    for (size_t half = len / 2; half > 0; half /= 2) {
        for (size_t row = 0; row < n_rows; row++) {
            BUCKET *sums = w->sums + row * len;
            G(add_upper_half)(&w->batch, sums, half);
            for (size_t list = 2 * half; list < len; list *= 2) {
                G(add_upper_half)(&w->batch, sums + list, half);
            }
        }
        G(batch_run)(&w->batch);
    }
    AFFINE *out = r;
    for (size_t row = 0; row < n_rows; row++) {
        const BUCKET *list[1 + MSM_LOG2_BLOCK];
        list[0] = w->sums + row * len;
        for (unsigned i = 0; i < log2_len; i++) {
            list[1 + i] = list[0] + ((size_t)1 << i);
        }
        G(buckets_to_points)(out, list, 1 + log2_len);
        out += 1 + log2_len;
    }
}

static void G(msm_weighted_sum)(void *r, const void *points, const uint32_t *index,
                                const uint16_t *exponent, size_t n) {
    const AFFINE *p = points;
    JAC sum;
    G(jac_set_infinity)(&sum);
    for (size_t i = 0; i < n; i++) {
        G(jac_add_affine)(&sum, &sum, &p[index[i]]);
        unsigned next = i + 1 < n ? exponent[i + 1] : 0;
        for (unsigned e = exponent[i]; e > next; e--) {
            G(jac_dbl)(&sum, &sum);
        }
    }
    memcpy(r, &sum, sizeof sum);
}

/* --- tables of multiples --- */

static void G(msm_add_multiples)(void *scratch, void *r, const void *table, const int16_t *digits,
                                 size_t n) {
    BATCH *batch = scratch;
    AFFINE *sums = r;
    const AFFINE *multiples = table;
    G(batch_start)(batch, POINTS_TO_POINTS);
    for (size_t i = 0; i < n; i++) {
        int d = digits[i];
        if (d != 0) {
            const AFFINE *p = &multiples[(d < 0 ? -d : d) - 1];
            prefetch_lines(p, sizeof *p);
            G(batch_push)(batch, &sums[i], (uintptr_t)p | (d < 0 ? LANE_MINUS : 0));
            if (batch->n == MSM_BATCH) {
                G(batch_run)(batch);
            }
        }
    }
    G(batch_run)(batch);
}

static void G(msm_shifted_bases)(void *bases, const void *base, const uint16_t *shift, size_t n) {
    JAC p;
    G(jac_from_affine)(&p, base);
    unsigned at = 0;
    for (size_t w = 0; w < n; w++) {
        for (; at < shift[w]; at++) {
            G(jac_dbl)(&p, &p);
        }
        TO_AFFINE((AFFINE *)bases + w, &p);
    }
}

static void G(msm_extend_multiples)(void *scratch, void *table, size_t len) {
    BATCH *batch = scratch;
    AFFINE *multiples = table;
    G(batch_start)(batch, POINTS_TO_POINTS);
    for (size_t j = 0; j < len; j++) {
        multiples[len + j] = multiples[j];
        G(batch_add)(batch, &multiples[len + j], &multiples[len - 1]);
    }
    G(batch_run)(batch);
}

const msm_kernels TABLE = {
    .affine_bytes = sizeof(AFFINE),
    .bucket_bytes = sizeof(BUCKET),
    .scratch_bytes = sizeof(SCRATCH),
    .batch_bytes = sizeof(BATCH),
    .piece_points = PIECE,
    .accumulate = G(msm_accumulate),
    .gather = G(msm_gather),
    .collapse = G(msm_collapse),
    .reduce = G(msm_reduce),
    .weighted_sum = G(msm_weighted_sum),
    .add_multiples = G(msm_add_multiples),
    .shifted_bases = G(msm_shifted_bases),
    .extend_multiples = G(msm_extend_multiples),
};

#undef AFFINE
#undef BUCKET
#undef JAC
#undef BATCH
#undef SCRATCH

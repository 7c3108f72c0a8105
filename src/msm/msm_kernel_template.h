/* The bodies of msm_kernels for one group; the file of a level includes this after its batches
 * (msm_batch_template.h or msm_batch_lanes_template.h), with the same names and BUCKET, the type of
 * a bucket: an affine point in any form.
 *
 * A bucket takes part in a batch at most once, so points for a bucket that is in the current batch
 * (or in the one that runs while the next is filled) wait in a queue; when that is full (few
 * different digits), it is sorted and summed by bucket on its own first, which costs no more
 * additions. */

#define AFFINE GT(affine)
#define BUCKET GT(bucket)
#define JAC GT(jac)
#define BATCH GT(batch)
#define SCRATCH GT(msm_scratch)

typedef struct SCRATCH {
    BATCH batch;
    /* of a scan */
    scan_cursor cursor;
    unsigned filled;                     /* which of the two lists is that of the batch */
    uint32_t batch_bucket[2][MSM_BATCH]; /* where the additions go; the other list: of what runs */
    size_t n_first;                      /* points met meanwhile that are the first of a bucket */
    uint32_t first_bucket[MSM_BATCH];
    uintptr_t first_src[MSM_BATCH];
    struct {
        size_t n;
        uint32_t bucket[MSM_QUEUE];
        uintptr_t src[MSM_QUEUE];
    } queue;                      /* points whose bucket is in the batch or in what runs */
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

/* Takes up to n entries, until the batch, the queue or the list of first points is full. meanwhile:
 * a batch is running, so it stays within the present run and only lists first points. */
static inline __attribute__((always_inline)) void G(scan_entries)(SCRATCH *w, size_t n,
                                                                  bool meanwhile) {
    scan_cursor *c = &w->cursor;
    BUCKET *buckets = c->scan->buckets;
    uint8_t *states = c->scan->states;
    uint32_t *batch_bucket = w->batch_bucket[w->filled];
    size_t n_batch = w->batch.n, n_queue = w->queue.n, n_first = meanwhile ? w->n_first : 0;
    while (n > 0 && (c->n_left > 0 || (!meanwhile && scan_next_run(c)))) {
        const AFFINE *points = c->points;
        const int32_t *digits = c->digits;
        const uint32_t *index = c->index;
        uint32_t bucket_1 = c->bucket_1;
        size_t end = n < c->n_left ? n : c->n_left, i = 0;
        for (; i < end && n_batch < MSM_BATCH && n_queue < MSM_QUEUE && n_first < MSM_BATCH; i++) {
            int d = digits[i];
            if (d == 0) {
                continue;
            }
            uint32_t b = bucket_1 + (uint32_t)(d < 0 ? -d : d) - 1;
            const AFFINE *p = &points[index[i]];
            uintptr_t src = (uintptr_t)p | (d < 0 ? LANE_MINUS : 0);
            if (__builtin_expect(states[b] == BUCKET_IDLE, 1)) {
                states[b] = BUCKET_IN_BATCH;
                prefetch_to_write(&buckets[b], sizeof buckets[b]);
                prefetch_to_read(p, sizeof *p);
                batch_bucket[n_batch] = b;
                G(batch_put)(&w->batch, n_batch++, &buckets[b], src);
            } else if (states[b] == BUCKET_EMPTY && !meanwhile) {
                G(load)(&buckets[b], src);
                states[b] = BUCKET_IDLE;
            } else if (states[b] == BUCKET_EMPTY) {
                states[b] = BUCKET_IN_BATCH;
                w->first_bucket[n_first] = b;
                w->first_src[n_first++] = src;
            } else {
                w->queue.bucket[n_queue] = b;
                w->queue.src[n_queue++] = src;
            }
        }
        c->digits = digits + i;
        c->index = index + i;
        c->n_left -= i;
        n -= i;
        if (i < end) {
            break;
        }
    }
    w->batch.n = n_batch;
    w->queue.n = n_queue;
    w->n_first = n_first;
}

static inline __attribute__((always_inline)) void G(scan_meanwhile)(void *scratch) {
    G(scan_entries)(scratch, SCAN_MEANWHILE, true);
}

/* The batch runs, and the next one is filled meanwhile. */
static __attribute__((noinline)) void G(scan_run_overlapped)(SCRATCH *w) {
    const msm_scan *scan = w->cursor.scan;
    w->n_first = 0;
    G(batch_run_meanwhile)(&w->batch, POINTS_TO_BUCKETS, G(scan_meanwhile), w);
    for (size_t i = 0; i < w->n_first; i++) {
        uint32_t b = w->first_bucket[i];
        G(load)((BUCKET *)scan->buckets + b, w->first_src[i]);
        scan->states[b] = BUCKET_IDLE;
    }
}

/* Runs the batch, then refills it from the queue: entries whose bucket is not used any more. */
static void G(scan_run)(SCRATCH *w, bool is_overlapped) {
    const msm_scan *scan = w->cursor.scan;
    const uint32_t *bucket = w->batch_bucket[w->filled];
    size_t n = w->batch.n;
    w->filled ^= 1;
    if (is_overlapped) {
        G(scan_run_overlapped)(w);
    } else {
        G(batch_run)(&w->batch);
    }
    for (size_t i = 0; i < n; i++) {
        scan->states[bucket[i]] = BUCKET_IDLE;
    }
    size_t n_kept = 0;
    for (size_t i = 0; i < w->queue.n; i++) {
        uint32_t b = w->queue.bucket[i];
        uintptr_t src = w->queue.src[i];
        if (scan->states[b] == BUCKET_IDLE && w->batch.n < MSM_BATCH) {
            scan->states[b] = BUCKET_IN_BATCH;
            w->batch_bucket[w->filled][w->batch.n] = b;
            G(batch_push)(&w->batch, (BUCKET *)scan->buckets + b, src);
        } else {
            w->queue.bucket[n_kept] = b;
            w->queue.src[n_kept++] = src;
        }
    }
    w->queue.n = n_kept;
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
    for (unsigned shift = 0; shift < 22; shift += 11) { /* there are at most 2^20 buckets */
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

/* Runs the batch and empties the queue. */
static void G(scan_finish)(SCRATCH *w) {
    const msm_scan *scan = w->cursor.scan;
    for (size_t i = 0; i < w->batch.n; i++) {
        scan->states[w->batch_bucket[w->filled][i]] = BUCKET_IDLE;
    }
    G(batch_run)(&w->batch);
    G(drain_queue)(w, scan->buckets);
}

static void G(msm_accumulate)(void *scratch, const msm_scan *scan) {
    SCRATCH *w = scratch;
    G(batch_start)(&w->batch, POINTS_TO_BUCKETS);
    w->cursor = scan_begin(scan);
    w->filled = 0;
    w->queue.n = 0;
    bool is_overlapped = scan_buckets(scan) >= SCAN_OVERLAP * MSM_BATCH;
    for (;;) {
        G(scan_entries)(w, SIZE_MAX, false);
        if (w->queue.n == MSM_QUEUE) {
            G(scan_finish)(w);
        } else if (w->batch.n == MSM_BATCH) {
            G(scan_run)(w, is_overlapped);
        } else {
            break;
        }
    }
    G(scan_finish)(w);
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
static void G(msm_reduce)(void *scratch, void *r, const void *const *sets,
                          const uint8_t *const *states, size_t n_sets, size_t n_rows,
                          unsigned log2_len) {
    SCRATCH *w = scratch;
    size_t len = (size_t)1 << log2_len;
    memcpy(w->sums, sets[0], n_rows * len * sizeof(BUCKET));
    for (size_t i = 0; i < n_rows * len; i++) {
        if (states[0][i] == BUCKET_EMPTY) {
            memset(&w->sums[i], 0, sizeof w->sums[i]);
        }
    }
    G(batch_start)(&w->batch, BUCKETS_TO_BUCKETS);
    for (size_t s = 1; s < n_sets; s++) {
        const BUCKET *set = sets[s];
        for (size_t i = 0; i < n_rows * len; i++) {
            if (states[s][i] != BUCKET_EMPTY) {
                G(batch_add)(&w->batch, &w->sums[i], &set[i]);
            }
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

static void G(msm_add_multiples)(void *scratch, void *r, const void *table, const int32_t *digits,
                                 size_t n) {
    BATCH *batch = scratch;
    AFFINE *sums = r;
    const AFFINE *multiples = table;
    G(batch_start)(batch, POINTS_TO_POINTS);
    for (size_t i = 0; i < n; i++) {
        int d = digits[i];
        if (d != 0) {
            const AFFINE *p = &multiples[(d < 0 ? -d : d) - 1];
            prefetch_to_read(p, sizeof *p);
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
    .n_scalar_parts = PARTS,
    .part_bits = PART_BITS,
    .parts_price = PARTS_PRICE,
    .recode = G(recode),
    .images = G(images),
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

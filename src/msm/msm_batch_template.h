/* Batched affine additions: many *dst += src at once, sharing one inversion. msm_kernel.h includes
 * this once for each group and defines the names of curve/group_template.h and NORM_IS_DX 1 where F
 * is Fp: an element is its own norm; 0 where it is Fp2 FINV_BY_NORM(r, a, inv)  r = 1 / a, inv
 * being 1 / norm of a FIRST_WORD(f)            a word of *f
 *
 * For dx = x2 - x1 != 0: l = dy / dx, x3 = l^2 - x1 - x2, y3 = l (x1 - x3) - y1. Doubling is the
 * same with dx = 2 y, dy = 3 x^2, so it takes part. The other cases (a point at infinity, opposite
 * points) need no inversion and are settled when they are met. All norms of a batch are inverted
 * together: prefix products forward, one inversion, and back. */

#define AFFINE GT(affine)
#define BUCKET GT(bucket)
#define LANE GT(lane)
#define BATCH GT(batch)

typedef AFFINE BUCKET;

/* One addition. The low bits of src are flags: points are aligned to 8 bytes. */
typedef struct LANE {
    AFFINE *dst;
    uintptr_t src;
    F dx;
#if !NORM_IS_DX
    fp norm;
#endif
    fp product; /* of the norms in its chain so far: there are two chains, lanes taking turns */
} LANE;

#if NORM_IS_DX
#define LANE_NORM(lane) (&(lane)->dx)
#else
#define LANE_NORM(lane) (&(lane)->norm)
#endif

typedef struct BATCH {
    size_t n;
    LANE lanes[MSM_BATCH];
} BATCH;

/* r = p, or -p if flags has LANE_MINUS. */
static inline void G(load)(AFFINE *r, uintptr_t src) {
    const AFFINE *p = (const AFFINE *)(src & ~(uintptr_t)LANE_FLAGS);
    r->x = p->x;
    r->y = p->y;
    if (src & LANE_MINUS) {
        FN(neg)(&r->y, &r->y);
    }
}

static inline void G(batch_start)(BATCH *batch, batch_kind kind) {
    (void)kind; /* a bucket is a point */
    batch->n = 0;
}

/* Entry i of the batch as batch_push sets it; the caller counts. */
static inline void G(batch_put)(BATCH *batch, size_t i, void *dst, uintptr_t src) {
    batch->lanes[i].dst = dst;
    batch->lanes[i].src = src;
}

/* Queues *dst += src; dst may stand in a batch only once, as its value is read and written when the
 * batch runs. The batch must not be full. */
static inline void G(batch_push)(BATCH *batch, void *dst, uintptr_t src) {
    G(batch_put)(batch, batch->n++, dst, src);
}

/* Settles a lane with dx = 0 or a point at infinity; false if it is a doubling, which is left to
 * do. */
static bool G(settle)(LANE *lane) {
    AFFINE *p = lane->dst;
    AFFINE q;
    G(load)(&q, lane->src);
    if (G(affine_is_infinity)(&q)) {
        return true;
    }
    if (G(affine_is_infinity)(p)) {
        *p = q;
        return true;
    }
    if (!FN(eq)(&p->x, &q.x)) {
        return false;
    }
    if (!FN(eq)(&p->y, &q.y) || FN(is_zero)(&p->y)) {
        G(affine_set_infinity)(p);
        return true;
    }
    FN(dbl)(&lane->dx, &p->y);
    lane->src |= LANE_DOUBLE;
    return false;
}

/* The numerator of the slope: dy, or 3 x^2 in a doubling. It may be lazy. */
static inline void G(numerator)(F *r, const LANE *lane) {
    const AFFINE *p = lane->dst;
    const AFFINE *q = (const AFFINE *)(lane->src & ~(uintptr_t)LANE_FLAGS);
    if (lane->src & LANE_DOUBLE) {
        F square, twice;
        FN(sqr)(&square, &p->x);
        FN(dbl)(&twice, &square);
        FN(add)(r, &square, &twice);
    } else {
        FN(sub_signed_lazy)(r, &q->y, lane->src & LANE_MINUS, &p->y);
    }
}

/* The way back over n = 1 or 2 lanes, one of each chain: inverse[k] is 1 / product of lanes[k] and
 * becomes that of the lane before it in its chain, whose product is *before0 or *before1. One step
 * after the other for both lanes, since those of one lane wait for each other. */
static inline __attribute__((always_inline)) void
G(batch_back)(LANE *lanes, fp *inverse, const fp *before0, const fp *before1, size_t n) {
    fp inv_norm[2];
    F inv[2], l[2], u[2];
    for (size_t k = 0; k < n; k++) {
        fp_mul(&inv_norm[k], &inverse[k], k == 0 ? before0 : before1);
    }
    for (size_t k = 0; k < n; k++) {
        fp_mul(&inverse[k], &inverse[k], LANE_NORM(&lanes[k]));
    }
    for (size_t k = 0; k < n; k++) {
        FINV_BY_NORM(&inv[k], &lanes[k].dx, &inv_norm[k]);
    }
    for (size_t k = 0; k < n; k++) {
        G(numerator)(&u[k], &lanes[k]);
    }
    for (size_t k = 0; k < n; k++) {
        FN(mul)(&l[k], &u[k], &inv[k]);
    }
    for (size_t k = 0; k < n; k++) {
        FN(sqr)(&u[k], &l[k]);
    }
    for (size_t k = 0; k < n; k++) {
        const AFFINE *q = (const AFFINE *)(lanes[k].src & ~(uintptr_t)LANE_FLAGS);
        FN(chord)(&lanes[k].dst->x, &u[k], &q->x);
    }
    for (size_t k = 0; k < n; k++) {
        FN(mul)(&u[k], &u[k], &l[k]);
    }
    for (size_t k = 0; k < n; k++) {
        FN(sub)(&lanes[k].dst->y, &u[k], &lanes[k].dst->y);
    }
}

/* Runs the batch and empties it. */
static void G(batch_run)(BATCH *batch) {
    static const uint64_t modulus[6] = FP_MODULUS;
    const uint64_t modulus_word = modulus[0];
    static const fp one = FP_ONE;
    size_t n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        LANE *lane = &batch->lanes[n];
        lane->dst = batch->lanes[i].dst;
        lane->src = batch->lanes[i].src;
        const AFFINE *p = lane->dst;
        const AFFINE *q = (const AFFINE *)(lane->src & ~(uintptr_t)LANE_FLAGS);
        FN(sub_lazy)(&lane->dx, &q->x, &p->x);
        /* dx is p where x1 = x2, and infinity has x = 0: one word is enough to notice what needs a
         * closer look */
        if (FIRST_WORD(&lane->dx) == modulus_word || FIRST_WORD(&p->x) == 0 ||
            FIRST_WORD(&q->x) == 0) {
            if (G(settle)(lane)) {
                continue;
            }
        }
#if !NORM_IS_DX
        fp2_norm(&lane->norm, &lane->dx);
#endif
        fp_mul(&lane->product, n < 2 ? &one : &lane[-2].product, LANE_NORM(lane));
        n++;
    }
    batch->n = 0;
    if (n == 0) {
        return;
    }
    /* inverse[i & 1] = 1 / product of lane i, the last of its chain not done yet */
    fp inverse[2], all;
    const fp *last = &batch->lanes[n - 1].product,
             *other = n == 1 ? &one : &batch->lanes[n - 2].product;
    fp_mul(&all, last, other);
    cuzk_fp_inv(&all, &all);
    fp_mul(&inverse[(n - 1) & 1], &all, other);
    fp_mul(&inverse[n & 1], &all, last);
    size_t i = n;
    if (n % 2 != 0) {
        i--;
        G(batch_back)
        (&batch->lanes[i], &inverse[0], i == 0 ? &one : &batch->lanes[i - 2].product, &one, 1);
    }
    while (i > 0) {
        i -= 2;
        bool first = i == 0;
        G(batch_back)
        (&batch->lanes[i], inverse, first ? &one : &batch->lanes[i - 2].product,
         first ? &one : &batch->lanes[i - 1].product, 2);
    }
}

/* The same: meanwhile is not called, as other scalar work gains nothing here. */
static void G(batch_run_meanwhile)(BATCH *batch, batch_kind kind, void (*meanwhile)(void *arg),
                                   void *arg) {
    (void)kind, (void)meanwhile, (void)arg;
    G(batch_run)(batch);
}

/* r[i] = *buckets[i] */
static void G(buckets_to_points)(AFFINE *r, const BUCKET *const *buckets, size_t n) {
    for (size_t i = 0; i < n; i++) {
        r[i] = *buckets[i];
    }
}

_Static_assert(MSM_BATCH <= MSM_ACCUMULATORS, "an accumulator stands in a batch once");

/* Accumulators are buckets. */
static void G(gather)(BATCH *batch, msm_accumulators *sum, const AFFINE *points,
                      const uint32_t *index, size_t n) {
    BUCKET *acc = sum->points;
    G(batch_start)(batch, POINTS_TO_BUCKETS);
    for (size_t i = 0; i < n; i++) {
        const AFFINE *p = &points[index[i]];
        prefetch_to_read(p, sizeof *p);
        G(batch_push)(batch, &acc[sum->next], (uintptr_t)p);
        if (batch->n == MSM_BATCH) {
            G(batch_run)(batch);
        }
        sum->next = (sum->next + 1) % MSM_ACCUMULATORS;
    }
    G(batch_run)(batch);
}
static inline void G(accumulators_to_buckets)(msm_accumulators *sum) { (void)sum; }
static inline void G(buckets_to_accumulators)(msm_accumulators *sum) { (void)sum; }

#undef AFFINE
#undef BUCKET
#undef LANE
#undef BATCH

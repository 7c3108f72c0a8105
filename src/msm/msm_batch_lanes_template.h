/* Batched affine additions as msm_batch_template.h has them, eight at a time in lanes.
 * msm_avx512ifma.c includes this once for each group and defines the names of
 * curve/group_template.h, for the scalar types, and
 *   F, FN(name)         fp8 or fp2x8, and its operations
 *   COORDINATE_FPS      elements of Fp in a coordinate: 1, 2
 *   NORM_IS_DX          1 where F is fp8: an element is its own norm; else 0
 *   MSM_BATCH           additions that share an inversion, a multiple of 8
 *
 * A point of the callers has the Montgomery factor 2^384; loaded times 2^32 it has that of the
 * lanes and is below 2^32 p, which is room enough: nothing is converted. A bucket is wide: a cache
 * line, eight limbs of 52 bits, for each element of Fp of its coordinates, all below 2^32 p, as it
 * starts as a copy of a point; sums are below 2 p. */

#define AFFINE GT(affine)
#define BUCKET GT(bucket)
#define STEP GT(step)
#define BATCH GT(batch)
#define OCTET GT(octet)

#define POINT_FPS (2 * COORDINATE_FPS)
#define LOG2_LOADED 32 /* what is loaded is below 2^32 p */

typedef struct BUCKET {
    lanes row[POINT_FPS]; /* of x, then of y */
} BUCKET;

/* Eight additions. */
typedef struct STEP {
    F x1, y1;
    F dx, dy; /* in doublings 2 y1 and 3 x1^2 */
#if !NORM_IS_DX
    fp8 norm; /* of dx */
#endif
    fp8 product;                       /* of the norms in its chain before this step */
    lane_mask is_settled, is_doubling; /* settled: the sum is (x1, y1), dx is 1 */
} STEP;

#if NORM_IS_DX
#define STEP_NORM(step) (&(step)->dx)
#else
#define STEP_NORM(step) (&(step)->norm)
#endif

typedef struct BATCH {
    STEP steps[MSM_BATCH / LANES];
    struct {
        void *dst[MSM_BATCH];
        uintptr_t src[MSM_BATCH];
    } list[2]; /* one is filled while the other runs */
    batch_kind kind;
    unsigned filled; /* list[filled] is */
    size_t n;        /* in it */
} BATCH;

static inline void G(batch_start)(BATCH *batch, batch_kind kind) {
    batch->kind = kind;
    batch->filled = 0;
    batch->n = 0;
}

/* Entry i of the batch as batch_push sets it; the caller counts. */
static inline void G(batch_put)(BATCH *batch, size_t i, void *dst, uintptr_t src) {
    batch->list[batch->filled].dst[i] = dst;
    batch->list[batch->filled].src[i] = src;
}

/* Queues *dst += src; dst may stand in a batch only once, as its value is read and written when the
 * batch runs. The batch must not be full. */
static inline void G(batch_push)(BATCH *batch, void *dst, uintptr_t src) {
    G(batch_put)(batch, batch->n++, dst, src);
}

/* --- points in memory --- */

static inline fp8 *G(coordinate_fp)(F *x, F *y, size_t i) {
    return i < COORDINATE_FPS ? (fp8 *)x + i : (fp8 *)y + (i - COORDINATE_FPS);
}

/* *r = p, or -p if src has LANE_MINUS. */
static inline void G(load)(BUCKET *r, uintptr_t src) {
    const AFFINE *p = (const AFFINE *)(src & ~LANE_FLAGS);
    AFFINE negative;
    if (src & LANE_MINUS) {
        G(affine_neg)(&negative, p);
        p = &negative;
    }
    for (size_t i = 0; i < POINT_FPS; i++) {
        r->row[i] = fp8_row_load_times_2_32((const fp *)p + i);
    }
}

LANES_INLINE void G(load_points)(F *x, F *y, const uintptr_t src[LANES]) {
    LANES_UNROLL for (size_t i = 0; i < POINT_FPS; i++) {
        lanes rows[LANES];
        LANES_UNROLL for (int k = 0; k < LANES; k++) {
            rows[k] = fp8_row_load_times_2_32((const fp *)(src[k] & ~LANE_FLAGS) + i);
        }
        lanes_transpose(G(coordinate_fp)(x, y, i)->l, rows);
    }
}

LANES_INLINE void G(load_buckets)(F *x, F *y, const uintptr_t src[LANES]) {
    LANES_UNROLL for (size_t i = 0; i < POINT_FPS; i++) {
        lanes rows[LANES];
        LANES_UNROLL for (int k = 0; k < LANES; k++) { rows[k] = ((const BUCKET *)src[k])->row[i]; }
        lanes_transpose(G(coordinate_fp)(x, y, i)->l, rows);
    }
}

LANES_INLINE void G(store_buckets)(void *const dst[LANES], F *x, F *y) {
    LANES_UNROLL for (size_t i = 0; i < POINT_FPS; i++) {
        lanes rows[LANES];
        lanes_transpose(rows, G(coordinate_fp)(x, y, i)->l);
        LANES_UNROLL for (int k = 0; k < LANES; k++) { ((BUCKET *)dst[k])->row[i] = rows[k]; }
    }
}

/* x and y below 2^17 p; n of them. */
static void G(store_points)(void *const *dst, F *x, F *y, size_t n) {
    for (size_t i = 0; i < POINT_FPS; i++) {
        fp canonical[LANES];
        fp8_to_fp(canonical, G(coordinate_fp)(x, y, i));
        for (size_t k = 0; k < n; k++) {
            ((fp *)dst[k])[i] = canonical[k];
        }
    }
}

/* r[i] = *buckets[i] */
static void G(buckets_to_points)(AFFINE *r, const BUCKET *const *buckets, size_t n) {
    for (size_t i = 0; i < n; i += LANES) {
        uintptr_t src[LANES];
        void *dst[LANES];
        size_t n_here = n - i < LANES ? n - i : LANES;
        for (size_t k = 0; k < LANES; k++) {
            size_t at = i + (k < n_here ? k : 0);
            src[k] = (uintptr_t)buckets[at];
            dst[k] = &r[at];
        }
        F x, y;
        G(load_buckets)(&x, &y, src);
        FN(reduce)(&x, &x);
        FN(reduce)(&y, &y);
        G(store_points)(dst, &x, &y, n_here);
    }
}

/* --- exceptional cases --- */

static lane_mask G(zero_lanes)(const F *a) {
    lanes all = lanes_zero();
    for (size_t i = 0; i < COORDINATE_FPS; i++) {
        for (int k = 0; k < FP8_LIMBS; k++) {
            all = lanes_or(all, ((const fp8 *)a)[i].l[k]);
        }
    }
    return _mm512_testn_epi64_mask(all, all);
}

/* Lanes where a, raw or normal and below 2^34 p, is 0 mod p. */
static lane_mask G(zero_residues)(const F *a) {
    F t;
    FN(reduce)(&t, a);
    for (size_t i = 0; i < COORDINATE_FPS; i++) {
        fp8_canonical((fp8 *)&t + i, (fp8 *)&t + i);
    }
    return G(zero_lanes)(&t);
}

/* For a step where dx may be 0 or a point may be at infinity: settles those lanes, and makes
 * doublings of those with equal points. x2 and y2 are normal and below 2^32 p. */
static __attribute__((noinline)) void G(settle)(STEP *step, const F *x2, const F *y2) {
    lane_mask no_first = G(zero_lanes)(&step->x1) & G(zero_lanes)(&step->y1);
    lane_mask no_second = G(zero_lanes)(x2) & G(zero_residues)(y2); /* y2 may be negated */
    lane_mask same_x = G(zero_residues)(&step->dx) & (lane_mask) ~(no_first | no_second);
    lane_mask doubling =
        same_x & G(zero_residues)(&step->dy) & (lane_mask)~G(zero_residues)(&step->y1);
    lane_mask opposite = same_x & (lane_mask)~doubling;

    F zero, one, square, twice;
    memset(&zero, 0, sizeof zero);
    one = zero;
    fp8_set((fp8 *)&one, fp8_one);
    lane_mask only_second = no_first & (lane_mask)~no_second;
    FN(select)(&step->x1, only_second, &step->x1, x2);
    FN(select)(&step->y1, only_second, &step->y1, y2);
    FN(select)(&step->x1, opposite, &step->x1, &zero);
    FN(select)(&step->y1, opposite, &step->y1, &zero);
    step->is_settled = (lane_mask)(no_first | no_second | opposite);
    step->is_doubling = doubling;

    FN(reduce)(&square, &step->x1);
    SQUARE(&square, &square);
    FN(add)(&twice, &square, &square);
    FN(add)(&square, &square, &twice);
    FN(carry)(&square);
    FN(add)(&twice, &step->y1, &step->y1);
    FN(reduce)(&twice, &twice);
    FN(select)(&step->dy, doubling, &step->dy, &square);
    FN(select)(&step->dx, doubling, &step->dx, &twice);
    FN(select)(&step->dx, step->is_settled, &step->dx, &one);
}

/* --- a batch --- */

/* The step of (x1, y1) + (x2, y2), or - in the lanes of minus; normal, below 2^32 p; chain *= norm
 * of dx. step has x1 and y1 already. */
LANES_INLINE void G(step_forward)(STEP *step, fp8 *chain, const F *x2, F *y2, lane_mask minus) {
    FN(negate_lanes)(y2, minus, y2, LOG2_LOADED);
    FN(sub)(&step->dx, x2, &step->x1, LOG2_LOADED);
    FN(sub)(&step->dy, y2, &step->y1, LOG2_LOADED);
    step->is_settled = step->is_doubling = 0;
    CLOSE(&step->dx);
    CLOSE(&step->dy);
    /* of infinity the low limbs of x are 0 */
    lane_mask check =
        fp8_maybe_zero((const fp8 *)&step->dx, 1ull << (LOG2_LOADED + 1)) |
        _mm512_testn_epi64_mask(((const fp8 *)&step->x1)->l[0], ((const fp8 *)&step->x1)->l[0]) |
        _mm512_testn_epi64_mask(((const fp8 *)x2)->l[0], ((const fp8 *)x2)->l[0]);
    if (__builtin_expect(check != 0, 0)) {
        FN(carry)(y2);
        G(settle)(step, x2, y2);
    }
#if !NORM_IS_DX
    fp2x8_norm(&step->norm, &step->dx);
#endif
    step->product = *chain;
    fp8_mul(chain, chain, STEP_NORM(step));
}

/* (x3, y3) = the sums of step, below 2 p, normal. inverse: 1 / (product norm), becomes 1 / product.
 * meanwhile(arg), unless NULL, is called five times, each time after a product: the lanes are still
 * busy with it then. */
LANES_INLINE void G(step_back)(F *x3, F *y3, const STEP *step, fp8 *inverse,
                               void (*meanwhile)(void *arg), void *arg) {
    fp8 inverse_norm;
    F t, slope;
    fp8_mul(&inverse_norm, inverse, &step->product);
    call_meanwhile(meanwhile, arg);
    fp8_mul(inverse, inverse, STEP_NORM(step));
    call_meanwhile(meanwhile, arg);
    INVERSE_BY_NORM(&t, &step->dx, &inverse_norm);
    FN(mul)(&slope, &step->dy, &t);
    call_meanwhile(meanwhile, arg);

    /* x3 = slope^2 - x1 - x2, where x1 + x2 = dx + 2 x1, in doublings 2 x1, is below 3 2^32 p */
    F twice;
    FN(add)(&twice, &step->x1, &step->x1);
    FN(add)(&t, &twice, &step->dx);
    if (__builtin_expect(step->is_doubling != 0, 0)) {
        FN(select)(&t, step->is_doubling, &t, &twice);
    }
    SQUARE(x3, &slope);
    call_meanwhile(meanwhile, arg);
    LANES_UNROLL for (size_t i = 0; i < COORDINATE_FPS; i++) {
        fp8_sub_loaded_sum((fp8 *)x3 + i, (fp8 *)x3 + i, (fp8 *)&t + i);
    }
    FN(reduce)(x3, x3);

    /* y3 = slope (x1 - x3) - y1 */
    FN(sub)(&t, &step->x1, x3, 1);
    CLOSE(&t);
    FN(mul)(y3, &slope, &t);
    call_meanwhile(meanwhile, arg);
    FN(sub)(y3, y3, &step->y1, LOG2_LOADED);
    FN(reduce)(y3, y3);
    if (__builtin_expect(step->is_settled != 0, 0)) {
        FN(reduce)(&t, &step->x1);
        FN(select)(x3, step->is_settled, x3, &t);
        FN(reduce)(&t, &step->y1);
        FN(select)(y3, step->is_settled, y3, &t);
    }
}

/* inverse[i] = 1 / chain[i] */
static void G(invert_chains)(fp8 inverse[2], const fp8 chain[2]) {
    fp8 all;
    fp8_mul(&all, &chain[0], &chain[1]);
    cuzk_fp8_inv_avx512ifma(&all, &all);
    fp8_mul(&inverse[0], &all, &chain[1]);
    fp8_mul(&inverse[1], &all, &chain[0]);
}

/* Runs and empties the batch, whose kind is given. meanwhile(arg), unless NULL, may fill the next
 * batch; to be inlined, both should be constants. */
LANES_INLINE void G(batch_run_meanwhile)(BATCH *batch, batch_kind kind,
                                         void (*meanwhile)(void *arg), void *arg) {
    if (batch->n == 0) {
        return;
    }
    void **dst = batch->list[batch->filled].dst;
    uintptr_t *src = batch->list[batch->filled].src;
    /* the last addition is done as often as it takes to fill the lanes */
    size_t n = size_round_up(batch->n, LANES);
    for (size_t i = batch->n; i < n; i++) {
        dst[i] = dst[batch->n - 1];
        src[i] = src[batch->n - 1];
    }
    batch->filled ^= 1;
    batch->n = 0;
    fp8 chain[2], inverse[2];
    fp8_set(&chain[0], fp8_one);
    chain[1] = chain[0];
    for (size_t i = 0; i < n; i += LANES) {
        STEP *step = &batch->steps[i / LANES];
        const uintptr_t *addend = &src[i];
        const uintptr_t *sum = (const uintptr_t *)&dst[i];
        F x2, y2;
        if (kind == BUCKETS_TO_BUCKETS) {
            G(load_buckets)(&x2, &y2, addend);
        } else {
            G(load_points)(&x2, &y2, addend);
        }
        if (kind == POINTS_TO_POINTS) {
            G(load_points)(&step->x1, &step->y1, sum);
        } else {
            G(load_buckets)(&step->x1, &step->y1, sum);
        }
        lane_mask minus = _mm512_test_epi64_mask(_mm512_loadu_si512(addend), lanes_set(LANE_MINUS));
        G(step_forward)(step, &chain[i / LANES % 2], &x2, &y2, minus);
    }
    G(invert_chains)(inverse, chain);
    for (size_t i = n; i > 0;) {
        i -= LANES;
        F x3, y3;
        G(step_back)(&x3, &y3, &batch->steps[i / LANES], &inverse[i / LANES % 2], meanwhile, arg);
        if (kind == POINTS_TO_POINTS) {
            G(store_points)(&dst[i], &x3, &y3, LANES);
        } else {
            G(store_buckets)(&dst[i], &x3, &y3);
        }
    }
}

/* Runs the batch and empties it. */
static __attribute__((noinline)) void G(batch_run)(BATCH *batch) {
    G(batch_run_meanwhile)(batch, batch->kind, NULL, NULL);
}

/* --- sums of selected points: the accumulators stay in lanes --- */

typedef struct OCTET {
    F x, y;
} OCTET;

_Static_assert(sizeof(OCTET) == LANES * sizeof(BUCKET), "room for the accumulators");
/* octets are read in the first loop of gather_batch, written in the second: each but once */
_Static_assert(MSM_BATCH <= MSM_ACCUMULATORS, "an octet stands in a batch once");
#define N_OCTETS (MSM_ACCUMULATORS / LANES)
#define GATHER_AHEAD ((size_t)10 * LANES) /* points on their way from memory */

/* Adds points[index[i]], i < n <= MSM_BATCH, to octets from sum->next on. The n_next <= MSM_BATCH
 * points after them come nearer on the way back, which reads none itself. */
static void G(gather_batch)(BATCH *batch, msm_accumulators *sum, const AFFINE *points,
                            const uint32_t *index, size_t n, size_t n_next) {
    static const AFFINE infinity; /* fills the last octet */
    OCTET *octets = sum->points;
    size_t n_steps = (n + LANES - 1) / LANES;
    for (size_t i = 0; i < n && i < GATHER_AHEAD; i++) {
        prefetch_to_read(&points[index[i]], sizeof points[0]);
    }
    fp8 chain[2], inverse[2];
    fp8_set(&chain[0], fp8_one);
    chain[1] = chain[0];
    for (size_t i = 0; i < n_steps; i++) {
        STEP *step = &batch->steps[i];
        const OCTET *octet = &octets[(sum->next + i) % N_OCTETS];
        uintptr_t src[LANES];
        for (size_t k = 0; k < LANES; k++) {
            size_t at = i * LANES + k;
            if (at + GATHER_AHEAD < n) {
                prefetch_to_read(&points[index[at + GATHER_AHEAD]], sizeof points[0]);
            }
            src[k] = (uintptr_t)(at < n ? &points[index[at]] : &infinity);
        }
        F x2, y2;
        G(load_points)(&x2, &y2, src);
        step->x1 = octet->x;
        step->y1 = octet->y;
        G(step_forward)(step, &chain[i % 2], &x2, &y2, 0);
    }
    G(invert_chains)(inverse, chain);
    for (size_t i = n_steps; i-- > 0;) {
        OCTET total; /* not the octet itself, which could be a part of the step */
        const size_t done = (n_steps - 1 - i) * LANES;
        for (size_t at = done; at < n_next && at < done + LANES; at++) {
            prefetch_to_l2(&points[index[n + at]], sizeof points[0]);
        }
        G(step_back)(&total.x, &total.y, &batch->steps[i], &inverse[i % 2], NULL, NULL);
        octets[(sum->next + i) % N_OCTETS] = total;
    }
    sum->next = (unsigned)((sum->next + n_steps) % N_OCTETS);
}

static void G(gather)(BATCH *batch, msm_accumulators *sum, const AFFINE *points,
                      const uint32_t *index, size_t n) {
    for (size_t i = 0; i < n; i += MSM_BATCH) {
        const size_t n_here = n - i < MSM_BATCH ? n - i : MSM_BATCH, n_rest = n - i - n_here;
        G(gather_batch)
        (batch, sum, points, index + i, n_here, n_rest < MSM_BATCH ? n_rest : MSM_BATCH);
    }
}

/* An octet takes the place of its eight buckets, and back. */
static void G(accumulators_to_buckets)(msm_accumulators *sum) {
    BUCKET *buckets = sum->points;
    for (size_t i = 0; i < MSM_ACCUMULATORS; i += LANES) {
        OCTET octet = ((const OCTET *)sum->points)[i / LANES];
        void *dst[LANES];
        for (size_t k = 0; k < LANES; k++) {
            dst[k] = &buckets[i + k];
        }
        G(store_buckets)(dst, &octet.x, &octet.y);
    }
}
static void G(buckets_to_accumulators)(msm_accumulators *sum) {
    const BUCKET *buckets = sum->points;
    for (size_t i = 0; i < MSM_ACCUMULATORS; i += LANES) {
        OCTET octet;
        uintptr_t src[LANES];
        for (size_t k = 0; k < LANES; k++) {
            src[k] = (uintptr_t)&buckets[i + k];
        }
        G(load_buckets)(&octet.x, &octet.y, src);
        ((OCTET *)sum->points)[i / LANES] = octet;
    }
}

#undef AFFINE
#undef BUCKET
#undef STEP
#undef STEP_NORM
#undef BATCH
#undef OCTET
#undef N_OCTETS
#undef GATHER_AHEAD
#undef POINT_FPS
#undef LOG2_LOADED

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
#define LANE GT(lane)
#define BATCH GT(batch)

/* One addition. The low bits of src are flags: points are aligned to 8 bytes. */
typedef struct LANE {
    AFFINE *dst;
    uintptr_t src;
    F dx;
#if !NORM_IS_DX
    fp norm;
#endif
    fp prefix; /* product of the norms before this one in its chain */
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

/* Queues *dst += src; dst may stand in a batch only once, as its value is read and written when the
 * batch runs. The batch must not be full. */
static inline void G(batch_push)(BATCH *batch, AFFINE *dst, uintptr_t src) {
    LANE *lane = &batch->lanes[batch->n++];
    lane->dst = dst;
    lane->src = src;
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

/* Runs the batch and empties it. */
static void G(batch_run)(BATCH *batch) {
    fp chain[2] = {FP_ONE, FP_ONE};
    size_t n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        LANE *lane = &batch->lanes[n];
        lane->dst = batch->lanes[i].dst;
        lane->src = batch->lanes[i].src;
        const AFFINE *p = lane->dst;
        const AFFINE *q = (const AFFINE *)(lane->src & ~(uintptr_t)LANE_FLAGS);
        FN(sub)(&lane->dx, &q->x, &p->x);
        /* infinity has x = 0: looking at one word of it is enough to notice what needs a closer
         * look */
        if (FN(is_zero)(&lane->dx) || FIRST_WORD(&p->x) == 0 || FIRST_WORD(&q->x) == 0) {
            if (G(settle)(lane)) {
                continue;
            }
        }
#if !NORM_IS_DX
        fp2_norm(&lane->norm, &lane->dx);
#endif
        lane->prefix = chain[n & 1];
        fp_mul(&chain[n & 1], &chain[n & 1], LANE_NORM(lane));
        n++;
    }
    batch->n = 0;
    if (n == 0) {
        return;
    }
    fp inverse, t;
    fp_mul(&t, &chain[0], &chain[1]);
    cuzk_fp_inv(&inverse, &t);
    fp_mul(&t, &inverse, &chain[1]);
    fp_mul(&chain[1], &inverse, &chain[0]);
    chain[0] = t;
    for (size_t i = n; i-- > 0;) {
        LANE *lane = &batch->lanes[i];
        AFFINE *p = lane->dst;
        const AFFINE *q = (const AFFINE *)(lane->src & ~(uintptr_t)LANE_FLAGS);
        fp inv_norm;
        F inv, l, x3, u;
        fp_mul(&inv_norm, &chain[i & 1], &lane->prefix);
        fp_mul(&chain[i & 1], &chain[i & 1], LANE_NORM(lane));
        FINV_BY_NORM(&inv, &lane->dx, &inv_norm);
        if (lane->src & LANE_DOUBLE) {
            FN(sqr)(&u, &p->x);
            FN(dbl)(&l, &u);
            FN(add)(&u, &u, &l);
        } else if (lane->src & LANE_MINUS) {
            FN(add)(&u, &q->y, &p->y);
            FN(neg)(&u, &u);
        } else {
            FN(sub)(&u, &q->y, &p->y);
        }
        FN(mul)(&l, &u, &inv);
        FN(sqr)(&x3, &l);
        FN(sub)(&x3, &x3, &p->x);
        FN(sub)(&x3, &x3, &q->x);
        FN(sub)(&u, &p->x, &x3);
        FN(mul)(&u, &u, &l);
        FN(sub)(&p->y, &u, &p->y);
        p->x = x3;
    }
}

#undef AFFINE
#undef LANE
#undef BATCH

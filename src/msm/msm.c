/* Sums over G1 and G2: the order of the work and its split into tasks, for both groups and all CPU
 * levels. What touches points is in the kernels. */
#include "msm/msm.h"

#include "msm/msm_internal.h"

/* Additions a task should have at least, so that its batches are full. */
#define TASK_ADDITIONS 16384
/* Points whose bits a task looks at, a multiple of 64: several full batches where half of them are
 * selected; less for more workers, so that each has some tasks. */
#define SELECT_POINTS 16384
#define LEAST_SELECT_POINTS 2048
#define SELECT_TASKS 4 /* a worker */
#define MAX_SETS 16
#define MAX_MORE_BUCKETS ((size_t)1 << 22) /* 537 MB in lanes over G1, twice that over G2 */
/* Rows of buckets of at most MSM_BLOCK: 15 windows have 2^20, with more windows there are fewer. */
#define MAX_ROWS 256

typedef struct msm_sum {
    msm_memory memory; /* which holds this too */
    const msm_kernels *k;
    msm_windows windows;
    unsigned n_scalar_parts; /* each with its points; 1: scalars are whole */
    unsigned n_workers;
    /* The buckets of the first n_whole windows are filled by one task; those of the others, in
     * n_sets sets, by n_sets. */
    unsigned n_whole, n_sets;
    bool has_digits;           /* any bucket was used */
    size_t piece_points;       /* points recoded at a time */
    uint8_t *buckets, *states; /* the first set of all windows in a row */
    uint8_t *more_buckets,
        *more_states; /* sets 1 .. n_sets - 1 of window n_whole in a row, then of the next */
    msm_accumulators *accumulators; /* [worker] */
    uint8_t *scratch;
    size_t scratch_bytes; /* from one worker's to the next's */
    int32_t *digits;
    uint32_t *index, *part_count;
    uint8_t
        *images; /* n_scalar_parts - 1 arrays of piece_points, the images of the entries' points */
    uint32_t *image_index; /* 0, 1, .. */
    /* reduced buckets, then one sum of accumulators a worker; and the list of what makes up the
     * value */
    uint8_t *terms;
    uint32_t *term_index;
    uint16_t *term_exponent;
} msm_sum;

struct msm_g1 {
    msm_sum sum;
};
struct msm_g2 {
    msm_sum sum;
};

/* --- layout --- */

static size_t n_parts_of(size_t n_points) { return (n_points + MSM_PART - 1) / MSM_PART; }

/* log2 of the buckets of a window, and of its rows. */
static unsigned log2_buckets(const msm_windows *windows, unsigned w) {
    return windows->width[w] - 1u;
}
static unsigned log2_row(const msm_windows *windows, unsigned w) {
    unsigned log2_len = log2_buckets(windows, w);
    return log2_len < MSM_LOG2_BLOCK ? log2_len : MSM_LOG2_BLOCK;
}
static size_t n_rows_of(const msm_windows *windows, unsigned w) {
    return (size_t)1 << (log2_buckets(windows, w) - log2_row(windows, w));
}

/* Windows that do not divide among the workers are split, so that all have the same to do. More
 * sets than that, sets with more buckets than points, or more than MAX_MORE_BUCKETS, cost more than
 * they save. Returns how many whole windows the busiest worker fills. */
static double choose_sets(msm_sum *s, uint64_t n_points) {
    const msm_windows *windows = &s->windows;
    unsigned rest = windows->count % s->n_workers, n_even = windows->count - rest;
    uint64_t points_per_bucket =
        n_points * s->n_scalar_parts * windows->count / msm_windows_buckets(windows);
    size_t n_rest_buckets = msm_windows_buckets(windows) - windows->first_bucket[n_even];
    double turns = rest == 0 ? 0 : 1;
    s->n_sets = 1;
    for (unsigned n = 2; n <= MAX_SETS && rest != 0 && n * 4 <= points_per_bucket &&
                         (n - 1) * n_rest_buckets <= MAX_MORE_BUCKETS;
         n++) {
        double turns_of_n = (double)((rest * n + s->n_workers - 1) / s->n_workers) / n;
        if (turns_of_n < turns - 0.01) {
            turns = turns_of_n;
            s->n_sets = n;
        }
    }
    s->n_whole = s->n_sets == 1 ? windows->count : n_even;
    return n_even / s->n_workers + turns;
}

static uint8_t *take(uint8_t *base, size_t *used, size_t n, size_t size) {
    uint8_t *p = base == NULL ? NULL : base + *used;
    *used += scratch_need(n, size);
    return p;
}

/* Buckets of sets 1 .. n_sets - 1. */
static size_t n_more_buckets(const msm_sum *s) {
    return (size_t)(msm_windows_buckets(&s->windows) - s->windows.first_bucket[s->n_whole]) *
           (s->n_sets - 1);
}

/* Sets all pointers to parts of base (NULL: to nothing); returns the bytes needed. */
static size_t place(msm_sum *s, uint8_t *base) {
    const msm_kernels *k = s->k;
    size_t used = scratch_need(1, sizeof *s);
    size_t n_buckets = msm_windows_buckets(&s->windows);
    size_t n_more = n_more_buckets(s);
    size_t n_terms = s->n_workers, n_listed = s->n_workers;
    for (unsigned w = 0; w < s->windows.count; w++) {
        n_terms += n_rows_of(&s->windows, w) * (1 + log2_row(&s->windows, w));
        n_listed += n_rows_of(&s->windows, w) * (1 + log2_buckets(&s->windows, w));
    }
    s->buckets = take(base, &used, n_buckets, k->bucket_bytes);
    s->more_buckets = take(base, &used, n_more, k->bucket_bytes);
    s->states = take(base, &used, n_buckets, 1);
    s->more_states = take(base, &used, n_more, 1);
    s->accumulators = (msm_accumulators *)take(base, &used, s->n_workers, sizeof *s->accumulators);
    for (unsigned i = 0; i < s->n_workers; i++) {
        uint8_t *points = take(base, &used, MSM_ACCUMULATORS, k->bucket_bytes);
        if (base != NULL) {
            s->accumulators[i].points = points;
        }
    }
    s->scratch_bytes = scratch_need(1, k->scratch_bytes);
    s->scratch = take(base, &used, s->n_workers, s->scratch_bytes);
    s->digits = (int32_t *)take(base, &used, s->piece_points * s->windows.count * s->n_scalar_parts,
                                sizeof *s->digits);
    s->index = (uint32_t *)take(base, &used, s->piece_points, sizeof *s->index);
    s->images = take(base, &used, s->piece_points * (s->n_scalar_parts - 1), k->affine_bytes);
    s->image_index = (uint32_t *)take(base, &used, s->n_scalar_parts == 1 ? 0 : s->piece_points,
                                      sizeof *s->index);
    s->part_count =
        (uint32_t *)take(base, &used, n_parts_of(s->piece_points), sizeof *s->part_count);
    s->terms = take(base, &used, n_terms, k->affine_bytes);
    s->term_index = (uint32_t *)take(base, &used, n_listed, sizeof *s->term_index);
    s->term_exponent = (uint16_t *)take(base, &used, n_listed, sizeof *s->term_exponent);
    return used;
}

/* Nothing is added yet. */
static void clear(msm_sum *s) {
    memset(s->states, BUCKET_EMPTY, msm_windows_buckets(&s->windows));
    memset(s->more_states, BUCKET_EMPTY, n_more_buckets(s));
    for (unsigned i = 0; i < s->n_workers; i++) {
        void *points = s->accumulators[i].points;
        memset(points, 0, MSM_ACCUMULATORS * s->k->bucket_bytes);
        s->accumulators[i] = (msm_accumulators){.points = points};
    }
    for (size_t i = 0; s->n_scalar_parts != 1 && i < s->piece_points; i++) {
        s->image_index[i] = (uint32_t)i;
    }
}

/* Whole scalars or their parts, whichever takes fewer additions, and how many windows. */
static void choose_windows(msm_sum *s, msm_points points, uint64_t n_points) {
    const msm_kernels *k = s->k;
    double whole, in_parts;
    unsigned count = cuzk_msm_windows_for_sum(n_points, 256, &whole);
    s->n_scalar_parts = 1;
    if (points == MSM_POINTS_IN_SUBGROUP) {
        unsigned part_count =
            cuzk_msm_windows_for_sum(n_points * k->n_scalar_parts, k->part_bits, &in_parts);
        if (in_parts + k->parts_price * (double)n_points < whole) {
            s->n_scalar_parts = k->n_scalar_parts;
            count = part_count;
        }
    }
    cuzk_msm_windows_init(&s->windows, s->n_scalar_parts == 1 ? 256 : k->part_bits, count);
}

static size_t plan(msm_sum *s, const msm_kernels *k, const cuzk_ctx *ctx, msm_points points,
                   uint64_t n_points) {
    *s = (msm_sum){.k = k, .n_workers = cuzk_ctx_workers(ctx)};
    if (n_points > UINT32_MAX) { /* more make no difference */
        n_points = UINT32_MAX;
    }
    choose_windows(s, points, n_points);
    double turns = choose_sets(s, n_points);
    msm_sum next = *s; /* one window more may divide better */
    if (s->windows.count < msm_windows_most(s->windows.n_bits)) {
        cuzk_msm_windows_init(&next.windows, s->windows.n_bits, s->windows.count + 1);
        if (choose_sets(&next, n_points) < turns - 0.01) {
            *s = next;
        }
    }
    s->piece_points = n_points < 64                ? 64
                      : n_points < k->piece_points ? (size_t)n_points
                                                   : k->piece_points;
    return place(s, NULL);
}

static unsigned plan_number(const msm_kernels *k, msm_points points, uint64_t n_points) {
    msm_sum s = {.k = k};
    choose_windows(&s, points, n_points < UINT32_MAX ? n_points : UINT32_MAX);
    return (s.windows.count - 1) * 2 + (s.n_scalar_parts != 1);
}

static cuzk_status sum_open(msm_sum **sum, const msm_kernels *k, const cuzk_ctx *ctx,
                            msm_points points, uint64_t n_points, cuzk_error *err) {
    msm_sum planned;
    size_t len_bytes = plan(&planned, k, ctx, points, n_points);
    *sum = NULL;
    cuzk_status status =
        cuzk_msm_memory_alloc(&planned.memory, ctx->account, len_bytes, "multi-scalar sum", err);
    if (status == CUZK_OK) {
        (void)place(&planned, planned.memory.data);
        clear(&planned);
        *sum = planned.memory.data;
        **sum = planned;
    }
    return status;
}

static void sum_close(msm_sum *s) {
    msm_memory memory = s->memory;
    cuzk_msm_memory_free(&memory);
}

static void *scratch_of(const msm_sum *s, unsigned worker) {
    return s->scratch + worker * s->scratch_bytes;
}

/* Adds points to the accumulators of a worker. */
static void gather(msm_sum *s, unsigned worker, const void *points, const uint32_t *index,
                   size_t n) {
    if (n != 0) {
        s->accumulators[worker].used = true;
        s->k->gather(scratch_of(s, worker), &s->accumulators[worker], points, index, n);
    }
}

/* --- adding points with scalars --- */

typedef struct piece {
    msm_sum *sum;
    const void *points; /* what index and the positions in scalars (without at) refer to */
    const fr_plain *scalars;
    const uint32_t *at; /* NULL: point i belongs to scalar i */
    size_t n;
    unsigned n_groups; /* of windows, one a task; 0: a task for each set */
} piece;

static bool is_one(const fr_plain *k) { return k->l[0] == 1 && (k->l[1] | k->l[2] | k->l[3]) == 0; }

/* Digits of one part of the piece, and the images of its points; points with scalar 1 are added at
 * once. */
static void recode_part(void *arg, size_t part, unsigned worker) {
    const piece *p = arg;
    msm_sum *s = p->sum;
    const size_t first = part * MSM_PART;
    const size_t n = p->n - first < MSM_PART ? p->n - first : MSM_PART;
    const fr_plain *scalars = p->scalars + first;
    uint32_t *index = s->index + first, ones[MSM_PART];
    uint16_t which[MSM_PART];
    _Static_assert(MSM_PART <= UINT16_MAX + 1, "positions in a part are of 16 bits");
    size_t n_ones = 0, n_entries = 0;
    for (size_t i = 0; i < n; i++) {
        const fr_plain *k = &scalars[i];
        const uint32_t point = p->at == NULL ? (uint32_t)(first + i) : p->at[first + i];
        if (fr_plain_is_zero(k)) {
            continue;
        }
        if (is_one(k)) {
            ones[n_ones++] = point;
            continue;
        }
        CUZK_ASSERT(msm_windows_takes(k));
        index[n_entries] = point;
        which[n_entries++] = (uint16_t)i;
    }
    s->part_count[part] = (uint32_t)n_entries;
    s->k->recode(s->digits + first, s->piece_points, &s->windows, scalars, which, n_entries);
    if (s->n_scalar_parts != 1) {
        s->k->images(s->images + first * s->k->affine_bytes, s->piece_points, p->points, index,
                     n_entries);
    }
    gather(s, worker, p->points, ones, n_ones);
}

static uint8_t *more_buckets(const msm_sum *s, unsigned window, unsigned set, uint8_t **states) {
    const uint32_t *first = s->windows.first_bucket;
    size_t at = (size_t)(first[window] - first[s->n_whole]) * (s->n_sets - 1) +
                (size_t)(first[window + 1] - first[window]) * (set - 1);
    *states = s->more_states + at;
    return s->more_buckets + at * s->k->bucket_bytes;
}

static void accumulate_task(void *arg, size_t task, unsigned worker) {
    const piece *p = arg;
    msm_sum *s = p->sum;
    msm_scan scan = {.n_scalar_parts = s->n_scalar_parts,
                     .points = {p->points},
                     .index = {s->index},
                     .digits = s->digits,
                     .stride = s->piece_points,
                     .part_count = s->part_count,
                     .n_parts = n_parts_of(p->n),
                     .windows = &s->windows,
                     .first_window = (unsigned)task,
                     .n_windows = 1};
    for (unsigned j = 1; j < s->n_scalar_parts; j++) {
        scan.points[j] = s->images + (j - 1) * s->piece_points * s->k->affine_bytes;
        scan.index[j] = s->image_index;
    }
    unsigned set = 0;
    if (p->n_groups != 0) {
        scan.first_window = (unsigned)(task * s->windows.count / p->n_groups);
        scan.n_windows =
            (unsigned)((task + 1) * s->windows.count / p->n_groups) - scan.first_window;
    } else if (task >= s->n_whole) {
        set = (unsigned)(task - s->n_whole) % s->n_sets;
        scan.first_window = s->n_whole + (unsigned)(task - s->n_whole) / s->n_sets;
        size_t n_parts = scan.n_parts;
        scan.first_part = set * n_parts / s->n_sets;
        scan.n_parts = (set + 1) * n_parts / s->n_sets - scan.first_part;
    }
    if (set == 0) {
        size_t at = s->windows.first_bucket[scan.first_window];
        scan.buckets = s->buckets + at * s->k->bucket_bytes;
        scan.states = s->states + at;
    } else {
        scan.buckets = more_buckets(s, scan.first_window, set, &scan.states);
    }
    s->k->accumulate(scratch_of(s, worker), &scan);
}

/* Groups of windows when there are too few points for a task each; else 0. */
static unsigned choose_groups(const msm_sum *s, size_t n_points) {
    size_t n = n_points * s->n_scalar_parts * s->windows.count / TASK_ADDITIONS;
    if (n >= s->windows.count) {
        return 0;
    }
    n = (n + s->n_workers - 1) / s->n_workers * s->n_workers;
    return n < 1 ? 1 : n < s->windows.count ? (unsigned)n : s->windows.count;
}

static cuzk_status add_piece(piece *p, const cuzk_ctx *ctx, cuzk_error *err) {
    msm_sum *s = p->sum;
    size_t n_parts = n_parts_of(p->n);
    cuzk_status status = cuzk_pool_run(ctx, n_parts, recode_part, p, err);
    size_t n_entries = 0;
    for (size_t i = 0; status == CUZK_OK && i < n_parts; i++) {
        n_entries += s->part_count[i];
    }
    if (n_entries == 0) {
        return status;
    }
    s->has_digits = true;
    p->n_groups = choose_groups(s, n_entries);
    size_t n_tasks = p->n_groups;
    if (n_tasks == 0) {
        n_tasks = s->n_whole + (size_t)(s->windows.count - s->n_whole) * s->n_sets;
    }
    return cuzk_pool_run(ctx, n_tasks, accumulate_task, p, err);
}

static cuzk_status sum_add(msm_sum *s, const cuzk_ctx *ctx, const void *points,
                           const fr_plain *scalars, const uint32_t *at, size_t n, cuzk_error *err) {
    CUZK_ASSERT(cuzk_ctx_workers(ctx) <= s->n_workers);
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < n; i += s->piece_points) {
        piece p = {.sum = s,
                   .points = at == NULL ? (const uint8_t *)points + i * s->k->affine_bytes : points,
                   .scalars = scalars + i,
                   .at = at == NULL ? NULL : at + i,
                   .n = n - i < s->piece_points ? n - i : s->piece_points};
        status = add_piece(&p, ctx, err);
    }
    return status;
}

/* --- adding selected points --- */

typedef struct selection {
    msm_sum *sum;
    const uint8_t *points;
    const uint64_t *bits;
    size_t n, n_task; /* all, those of a task */
} selection;

static void select_task(void *arg, size_t task, unsigned worker) {
    const selection *sel = arg;
    msm_sum *s = sel->sum;
    size_t first = task * sel->n_task;
    size_t end = sel->n - first < sel->n_task ? sel->n : first + sel->n_task;
    const uint8_t *points = sel->points + first * s->k->affine_bytes;
    uint32_t chosen[SELECT_POINTS];
    size_t n_chosen = 0;
    for (size_t i = first; i < end; i += 64) {
        uint64_t word = sel->bits[i / 64];
        if (end - i < 64) {
            word &= (1ull << (end - i)) - 1;
        }
        for (; word != 0; word &= word - 1) {
            chosen[n_chosen++] = (uint32_t)(i - first) + (uint32_t)__builtin_ctzll(word);
        }
    }
    gather(s, worker, points, chosen, n_chosen);
}

static cuzk_status sum_add_bits(msm_sum *s, const cuzk_ctx *ctx, const void *points,
                                const uint64_t *bits, size_t n, cuzk_error *err) {
    CUZK_ASSERT(cuzk_ctx_workers(ctx) <= s->n_workers);
    const size_t share = size_round_up(n / (SELECT_TASKS * s->n_workers), 64);
    selection sel = {.sum = s, .points = points, .bits = bits, .n = n};
    sel.n_task = share < LEAST_SELECT_POINTS ? LEAST_SELECT_POINTS
                 : share < SELECT_POINTS     ? share
                                             : SELECT_POINTS;
    return cuzk_pool_run(ctx, (n + sel.n_task - 1) / sel.n_task, select_task, &sel, err);
}

/* --- the value --- */

/* Some rows of buckets: of several small windows of equal width, or one row of a large one. */
typedef struct reduction {
    unsigned window;
    size_t first_row, n_rows; /* rows of this window on */
    size_t first_term;
} reduction;

typedef struct valuation {
    msm_sum *sum;
    reduction reductions[MAX_ROWS];
    size_t n_reductions;
    size_t n_terms; /* of all reductions */
} valuation;

static bool is_whole(const msm_sum *s, unsigned w) { return w < s->n_whole; }

static void plan_reductions(valuation *v) {
    const msm_sum *s = v->sum;
    const msm_windows *windows = &s->windows;
    size_t share = (windows->count + s->n_workers - 1) / s->n_workers; /* small windows a task */
    for (unsigned w = 0; w < windows->count;) {
        unsigned log2_len = log2_row(windows, w);
        size_t n_rows = n_rows_of(windows, w), n_windows = 1;
        while (is_whole(s, w) && n_rows == 1 && n_windows < share &&
               w + n_windows < windows->count && is_whole(s, w + (unsigned)n_windows) &&
               windows->width[w + n_windows] == windows->width[w] &&
               (n_windows + 1) << log2_len <= MSM_BLOCK) {
            n_windows++;
        }
        for (size_t row = 0; row < n_rows; row++) {
            CUZK_ASSERT(v->n_reductions < MAX_ROWS);
            v->reductions[v->n_reductions++] = (reduction){
                .window = w, .first_row = row, .n_rows = n_windows, .first_term = v->n_terms};
            v->n_terms += n_windows * (1 + log2_len);
        }
        w += (unsigned)n_windows;
    }
}

static void reduce_task(void *arg, size_t task, unsigned worker) {
    valuation *v = arg;
    msm_sum *s = v->sum;
    const msm_kernels *k = s->k;
    if (task >= v->n_reductions) {
        size_t i = task - v->n_reductions;
        if (s->accumulators[i].used) {
            k->collapse(scratch_of(s, worker), s->terms + (v->n_terms + i) * k->affine_bytes,
                        &s->accumulators[i]);
        }
        return;
    }
    const reduction *r = &v->reductions[task];
    unsigned log2_len = log2_row(&s->windows, r->window);
    const size_t first = r->first_row << log2_len; /* of the window's buckets */
    const void *sets[MAX_SETS];
    const uint8_t *states[MAX_SETS];
    unsigned n_sets = is_whole(s, r->window) ? 1 : s->n_sets;
    sets[0] = s->buckets + (s->windows.first_bucket[r->window] + first) * k->bucket_bytes;
    states[0] = s->states + s->windows.first_bucket[r->window] + first;
    for (unsigned set = 1; set < n_sets; set++) {
        uint8_t *set_states;
        sets[set] = more_buckets(s, r->window, set, &set_states) + first * k->bucket_bytes;
        states[set] = set_states + first;
    }
    k->reduce(scratch_of(s, worker), s->terms + r->first_term * k->affine_bytes, sets, states,
              n_sets, r->n_rows, log2_len);
}

/* Lists the terms by falling exponent; returns their number. Bucket k - 1 counts k times: its row's
 * sum once, and 2^i times what has bit i of k - 1 set, where the bits above the row's are those of
 * the row's number. */
static size_t list_terms(const valuation *v) {
    const msm_sum *s = v->sum;
    size_t n = 0;
    for (size_t at = v->n_reductions; at > 0;) {
        /* the reductions of one window (or of several small ones) end here */
        const reduction *last = &v->reductions[at - 1];
        size_t n_rows = n_rows_of(&s->windows, last->window);
        const reduction *rows = last + 1 - n_rows;
        at -= n_rows;
        unsigned log2_len = log2_row(&s->windows, last->window);
        for (size_t window = last->n_rows; window-- > 0;) {
            unsigned w = last->window + (unsigned)window;
            unsigned shift = s->windows.shift[w];
            for (unsigned bit = log2_buckets(&s->windows, w); bit-- > 0;) {
                for (size_t row = 0; row < n_rows; row++) {
                    size_t first = rows[row].first_term + window * (1 + log2_len);
                    if (bit >= log2_len && (row >> (bit - log2_len) & 1) == 0) {
                        continue;
                    }
                    s->term_index[n] = (uint32_t)(bit < log2_len ? first + 1 + bit : first);
                    s->term_exponent[n++] = (uint16_t)(shift + bit);
                }
            }
            for (size_t row = 0; row < n_rows; row++) {
                s->term_index[n] = (uint32_t)(rows[row].first_term + window * (1 + log2_len));
                s->term_exponent[n++] = (uint16_t)shift;
            }
        }
    }
    return n;
}

static cuzk_status sum_value(msm_sum *s, const cuzk_ctx *ctx, void *r, cuzk_error *err) {
    CUZK_ASSERT(cuzk_ctx_workers(ctx) <= s->n_workers);
    valuation v = {.sum = s};
    if (s->has_digits) {
        plan_reductions(&v);
    }
    cuzk_status status = cuzk_pool_run(ctx, v.n_reductions + s->n_workers, reduce_task, &v, err);
    if (status != CUZK_OK) {
        return status;
    }
    size_t n = list_terms(&v);
    for (size_t i = 0; i < s->n_workers; i++) {
        if (s->accumulators[i].used) {
            s->term_index[n] = (uint32_t)(v.n_terms + i);
            s->term_exponent[n++] = 0;
        }
    }
    s->k->weighted_sum(r, s->terms, s->term_index, s->term_exponent, n);
    return CUZK_OK;
}

static cuzk_status sum_once(const msm_kernels *k, const cuzk_ctx *ctx, void *r, const void *points,
                            const fr_plain *scalars, size_t n, cuzk_error *err) {
    msm_sum *s;
    cuzk_status status = sum_open(&s, k, ctx, MSM_POINTS_ON_CURVE, n, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = sum_add(s, ctx, points, scalars, NULL, n, err);
    if (status == CUZK_OK) {
        status = sum_value(s, ctx, r, err);
    }
    sum_close(s);
    return status;
}

/* --- the interface, once for each group --- */

#define GROUP_FUNCTIONS(g)                                                                         \
    size_t cuzk_msm_##g##_bytes(const cuzk_ctx *ctx, msm_points points, uint64_t n_points) {       \
        msm_sum planned;                                                                           \
        return plan(&planned, cuzk_msm_##g##_kernels(), ctx, points, n_points);                    \
    }                                                                                              \
    unsigned cuzk_msm_##g##_plan(msm_points points, uint64_t n_points) {                           \
        return plan_number(cuzk_msm_##g##_kernels(), points, n_points);                            \
    }                                                                                              \
    cuzk_status cuzk_msm_##g##_open(msm_##g **sum, const cuzk_ctx *ctx, msm_points points,         \
                                    uint64_t n_points, cuzk_error *err) {                          \
        return sum_open((msm_sum **)sum, cuzk_msm_##g##_kernels(), ctx, points, n_points, err);    \
    }                                                                                              \
    void cuzk_msm_##g##_close(msm_##g *sum) {                                                      \
        if (sum != NULL) {                                                                         \
            sum_close(&sum->sum);                                                                  \
        }                                                                                          \
    }                                                                                              \
    cuzk_status cuzk_msm_##g##_add(msm_##g *sum, const cuzk_ctx *ctx, const g##_affine *p,         \
                                   const fr_plain *k, const uint32_t *at, size_t n,                \
                                   cuzk_error *err) {                                              \
        return sum_add(&sum->sum, ctx, p, k, at, n, err);                                          \
    }                                                                                              \
    cuzk_status cuzk_msm_##g##_add_bits(msm_##g *sum, const cuzk_ctx *ctx, const g##_affine *p,    \
                                        const uint64_t *bits, size_t n, cuzk_error *err) {         \
        return sum_add_bits(&sum->sum, ctx, p, bits, n, err);                                      \
    }                                                                                              \
    cuzk_status cuzk_msm_##g##_value(msm_##g *sum, const cuzk_ctx *ctx, g##_jac *r,                \
                                     cuzk_error *err) {                                            \
        return sum_value(&sum->sum, ctx, r, err);                                                  \
    }                                                                                              \
    cuzk_status cuzk_msm_##g(const cuzk_ctx *ctx, g##_jac *r, const g##_affine *p,                 \
                             const fr_plain *k, size_t n, cuzk_error *err) {                       \
        return sum_once(cuzk_msm_##g##_kernels(), ctx, r, p, k, n, err);                           \
    }

GROUP_FUNCTIONS(g1)
GROUP_FUNCTIONS(g2)

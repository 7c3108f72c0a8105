/* The operations of a constraint system: counting, and writing values. Combinations are the
 * expander's. */
#include "r1cs/constraint_system.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/bytes.h"
#include "r1cs/expander_internal.h"
#include "r1cs/plan_internal.h"

static const fr_plain ONE = {{1, 0, 0, 0}};

/* ---- failures ---- */

void cuzk_cs_fail(r1cs_cs *cs, cuzk_status status, const char *format, ...) {
    if (cs->status != CUZK_OK) {
        return;
    }
    char text[sizeof cs->error.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs->status = cuzk_fail(&cs->error, status, "%s", text);
}

bool cuzk_cs_go_on(r1cs_cs *cs) {
    if (cuzk_ctx_cancelled(cs->ctx)) {
        cuzk_cs_fail(cs, CUZK_E_CANCELLED, "synthesis was cancelled");
    }
    return cs->status == CUZK_OK;
}

/* ---- writing ---- */

static inline uint64_t low_mask(unsigned n) { return n == 64 ? ~0ull : (1ull << n) - 1; }

static r1cs_var take_aux(r1cs_cs *cs, size_t n) {
    r1cs_var first = (r1cs_var)cs->n.aux;
    cs->n.aux += n;
    if (cs->n.aux > R1CS_INPUT) {
        cuzk_cs_fail(cs, CUZK_E_RANGE, "the circuit has more than 2^31 variables");
    }
    return first;
}

/* Variables already taken: n bits from index aux on. */
static void write_bits(r1cs_cs *cs, r1cs_var aux, unsigned n, uint64_t values) {
    cs_writer *out = &cs->out;
    uint64_t at = aux - out->first.aux;
    if (out->kind == R1CS_DENSE) {
        for (unsigned i = 0; i < n; i++) {
            out->dense[at + i] = (fr_plain){{values >> i & 1, 0, 0, 0}};
        }
        return;
    }
    unsigned shift = at % 64;
    values &= low_mask(n);
    out->bits[at / 64] |= values << shift;
    if (shift + n > 64) {
        out->bits[at / 64 + 1] |= values >> (64 - shift);
    }
}

static void write_wide_aux(r1cs_cs *cs, r1cs_var aux, const fr_plain *value) {
    cs_writer *out = &cs->out;
    uint64_t at = aux - out->first.aux;
    if (out->kind == R1CS_DENSE) {
        out->dense[at] = *value;
        return;
    }
    out->aux_wide_at[cs->n.wide_aux] = (uint32_t)at;
    out->aux_wide[cs->n.wide_aux] = *value;
}

static void write_wide_row(r1cs_cs *cs, const fr_plain *a, const fr_plain *b) {
    cs_writer *out = &cs->out;
    uint64_t at = cs->n.rows - out->first.rows;
    if (out->kind == R1CS_DENSE) {
        if (out->dense_a != NULL) {
            out->dense_a[at] = *a;
            out->dense_b[at] = *b;
        }
        return;
    }
    out->row_wide_at[cs->n.wide_rows] = (uint32_t)at;
    out->wide_a[cs->n.wide_rows] = *a;
    out->wide_b[cs->n.wide_rows] = *b;
}

/* Eight bytes, byte i = bit i of m. */
static inline uint64_t spread(uint64_t m) {
    uint64_t x =
        (m & 0xff) * 0x0101010101010101u & 0x8040201008040201u; /* byte i keeps bit i in place */
    return (x + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

/* n (1..64) rows from the next one on: a = plus - minus + 2 twice, b = bit of b, lane by lane.
 * Masks are 0 above n. */
static inline __attribute__((always_inline)) void
write_rows(r1cs_cs *cs, unsigned n, uint64_t plus, uint64_t minus, uint64_t twice, uint64_t b) {
    cs_writer *out = &cs->out;
    uint64_t at = cs->n.rows - out->first.rows;
    if (out->kind == R1CS_DENSE) {
        for (unsigned i = 0; i < n && out->dense_a != NULL; i++) {
            int value = (int)(plus >> i & 1) - (int)(minus >> i & 1) + 2 * (int)(twice >> i & 1);
            out->dense_a[at + i] = fr_plain_of_int(value);
            out->dense_b[at + i] = (fr_plain){{b >> i & 1, 0, 0, 0}};
        }
        return;
    }
    uint8_t *to_a = (uint8_t *)out->a + at, *to_b = (uint8_t *)out->b + at;
    for (unsigned i = 0; i < n; i += 8) { /* may write zeros up to 7 bytes past the last row */
        store_le64(to_a + i,
                   (spread(plus >> i) + 2 * spread(twice >> i)) | spread(minus >> i) * 0xff);
        store_le64(to_b + i, spread(b >> i));
    }
}

/* ---- variables ---- */

r1cs_var cuzk_cs_alloc(r1cs_cs *cs, const fr_plain *value) {
    r1cs_var var = take_aux(cs, 1);
    if (cs->want_values) {
        write_wide_aux(cs, var, value);
    }
    cs->n.wide_aux++;
    return var;
}

r1cs_var cuzk_cs_alloc_input(r1cs_cs *cs, const fr_plain *value) {
    if (cs->want_values) {
        cs->out.inputs[cs->n.inputs] = *value;
    }
    r1cs_var var = R1CS_INPUT | (r1cs_var)cs->n.inputs;
    cs->n.inputs++;
    if (cs->n.inputs > R1CS_INPUT) {
        cuzk_cs_fail(cs, CUZK_E_RANGE, "the circuit has more than 2^31 inputs");
    }
    return var;
}

r1cs_var cuzk_cs_alloc_bits(r1cs_cs *cs, unsigned n, uint64_t values) {
    r1cs_var first = take_aux(cs, n);
    if (cs->want_values) {
        write_bits(cs, first, n, values);
    }
    return first;
}

/* ---- rows ---- */

uint32_t cuzk_cs_coeff(r1cs_cs *cs, const fr *value) {
    CUZK_DEBUG_ASSERT(!fr_is_zero(value));
    if (!cs->want_lc) {
        return COEFF_ONE;
    }
    fr_plain plain;
    fr_to_plain(&plain, value);
    return cuzk_expander_coeff(cs, &plain);
}

void cuzk_cs_row(r1cs_cs *cs, const fr_plain *a, const fr_plain *b, lc_view lc_a, lc_view lc_b,
                 lc_view lc_c) {
    if (cs->want_lc) {
        cuzk_expander_row(cs, lc_a, lc_b, lc_c);
        return;
    }
    if (cs->want_values) {
        write_wide_row(cs, a, b);
    }
    cs->n.rows++;
    cs->n.wide_rows++;
}

void cuzk_cs_small_row(r1cs_cs *cs, int a, int b, lc_view lc_a, lc_view lc_b, lc_view lc_c) {
    if (cs->want_lc) {
        cuzk_expander_row(cs, lc_a, lc_b, lc_c);
        return;
    }
    if (cs->want_values) {
        write_rows(cs, 1, a > 0, a < 0, 0, (uint64_t)b);
    }
    cs->n.rows++;
}

void cuzk_cs_sum_row(r1cs_cs *cs, const fr_plain *a, const power_sum *lc_a, const power_sum *lc_c) {
    if (cs->want_lc) {
        cuzk_expander_sum_row(cs, lc_a, LC_ONE, lc_c);
        return;
    }
    if (cs->want_values) {
        write_wide_row(cs, a, &ONE);
    }
    cs->n.rows++;
    cs->n.wide_rows++;
}

void cuzk_cs_zero_row(r1cs_cs *cs, const power_sum *lc_c) {
    if (cs->want_lc) {
        cuzk_expander_sum_row(cs, NULL, LC_ZERO, lc_c);
        return;
    }
    if (cs->want_values) {
        write_rows(cs, 1, 0, 0, 0, 0);
    }
    cs->n.rows++;
}

/* ---- words of bits ---- */

r1cs_var cuzk_cs_booleans(r1cs_cs *cs, unsigned n, uint64_t values) {
    r1cs_var first = take_aux(cs, n);
    if (cs->want_lc) {
        cuzk_expander_booleans(cs, first, n);
        return first;
    }
    if (cs->want_values) {
        values &= low_mask(n);
        write_bits(cs, first, n, values);
        write_rows(cs, n, ~values & low_mask(n), 0, 0, values);
    }
    cs->n.rows += n;
    return first;
}

/* The bits of v in the lanes of the mask, moved together. */
static uint32_t gather_lanes(uint32_t v, uint32_t lanes) {
    v &= lanes;
    for (uint32_t gaps = ~lanes; gaps != 0;) {
        unsigned i =
            31 - (unsigned)__builtin_clz(gaps); /* highest lane left out: those above move down */
        uint32_t below = (1u << i) - 1;
        v = (v & below) | (v >> 1 & ~below);
        gaps &= below;
    }
    return v;
}

void cuzk_cs_xor(r1cs_cs *cs, r1cs_var *out, uint32_t lanes, uint32_t p, uint32_t q,
                 const r1cs_var *p_var, const r1cs_var *q_var) {
    unsigned n = (unsigned)__builtin_popcount(lanes);
    if (n == 0) {
        return;
    }
    r1cs_var first = take_aux(cs, n);
    if (cs->want_lc) {
        cuzk_expander_xor(cs, first, out, lanes, p_var, q_var);
        return;
    }
    if (cs->want_values) {
        p = gather_lanes(p, lanes);
        q = gather_lanes(q, lanes);
        write_bits(cs, first, n, p ^ q);
        write_rows(cs, n, 0, 0, p, q);
    }
    cs->n.rows += n;
}

r1cs_var cuzk_cs_and(r1cs_cs *cs, cs_bit p, bool not_p, cs_bit q, bool not_q) {
    bool x = p.value != not_p, y = q.value != not_q;
    r1cs_var out = cuzk_cs_alloc_bits(cs, 1, x && y);
    lc_view lc_p =
        not_p ? LC({R1CS_ONE, COEFF_ONE}, {p.var, COEFF_MINUS_ONE}) : LC({p.var, COEFF_ONE});
    lc_view lc_q =
        not_q ? LC({R1CS_ONE, COEFF_ONE}, {q.var, COEFF_MINUS_ONE}) : LC({q.var, COEFF_ONE});
    cuzk_cs_small_row(cs, x, y, lc_p, lc_q, LC({out, COEFF_ONE}));
    return out;
}

void cuzk_cs_choose(r1cs_cs *cs, r1cs_var *out, uint32_t e, uint32_t f, uint32_t g,
                    const r1cs_var *e_var, const r1cs_var *f_var, const r1cs_var *g_var) {
    r1cs_var first = take_aux(cs, 32);
    if (cs->want_lc) {
        cuzk_expander_choose(cs, first, e_var, f_var, g_var);
        for (unsigned i = 0; i < 32; i++) {
            out[i] = first + i;
        }
        return;
    }
    if (cs->want_values) {
        write_bits(cs, first, 32, (e & f) | (~e & g));
        write_rows(cs, 32, f & ~g, g & ~f, 0, e);
    }
    cs->n.rows += 32;
}

/* Bit i of v at bit 2 i. */
static inline uint64_t interleave_zeros(uint32_t v) {
    uint64_t x = v;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}
static inline uint64_t interleave(uint32_t even, uint32_t odd) {
    return interleave_zeros(even) | interleave_zeros(odd) << 1;
}

void cuzk_cs_majority(r1cs_cs *cs, r1cs_var *out, uint32_t x, uint32_t y, uint32_t z,
                      const r1cs_var *x_var, const r1cs_var *y_var, const r1cs_var *z_var) {
    r1cs_var first = take_aux(cs, 64);
    if (cs->want_lc) {
        cuzk_expander_majority(cs, first, x_var, y_var, z_var);
        for (unsigned i = 0; i < 32; i++) {
            out[i] = first + 2 * i;
        }
        return;
    }
    if (cs->want_values) {
        uint32_t yz = y & z;
        write_bits(cs, first, 64, interleave(yz | (x & (y ^ z)), yz));
        /* rows in pairs: (y)(z), then (2 yz - y - z)(x) where 2 yz - y - z = -(y ^ z) */
        write_rows(cs, 64, interleave(y, 0), interleave(0, y ^ z), 0, interleave(z, x));
    }
    cs->n.rows += 64;
}

/* ---- templates ---- */

r1cs_var cuzk_cs_template(r1cs_cs *cs, const cs_template_shape *shape, const r1cs_var *args,
                          const fr_plain *values, const fr_plain *a, const fr_plain *b) {
    r1cs_var first = take_aux(cs, shape->n_aux);
    if (cs->want_values) {
        for (unsigned i = 0; i < shape->n_aux; i++) {
            write_wide_aux(cs, first + i, &values[i]);
            cs->n.wide_aux++;
        }
        for (unsigned i = 0; i < shape->n_rows; i++) {
            write_wide_row(cs, &a[i], &b[i]);
            cs->n.rows++;
            cs->n.wide_rows++;
        }
        return first;
    }
    cs->n.wide_aux += shape->n_aux;
    if (cs->want_lc) {
        cuzk_expander_template(cs, first, shape, args);
        return first;
    }
    cs->n.rows += shape->n_rows;
    cs->n.wide_rows += shape->n_rows;
    return first;
}

/* ---- parts ---- */

static cs_counts counts_minus(const cs_counts *a, const cs_counts *b) {
    return (cs_counts){.inputs = a->inputs - b->inputs,
                       .aux = a->aux - b->aux,
                       .rows = a->rows - b->rows,
                       .wide_aux = a->wide_aux - b->wide_aux,
                       .wide_rows = a->wide_rows - b->wide_rows};
}

static bool counts_eq(const cs_counts *a, const cs_counts *b) {
    return a->inputs == b->inputs && a->aux == b->aux && a->rows == b->rows &&
           a->wide_aux == b->wide_aux && a->wide_rows == b->wide_rows;
}

static plan_section *plan_add(cs_plan *plan, r1cs_segment_kind kind, size_t n_parts) {
    CUZK_ASSERT(plan->n_sections < PLAN_MAX_SECTIONS);
    plan_section *s = &plan->section[plan->n_sections++];
    *s = (plan_section){.kind = kind, .n_parts = n_parts};
    return s;
}

/* Ends the section between parts that began at cs->out.first. */
static void count_between(r1cs_cs *cs) {
    plan_section *s = plan_add(cs->plan, R1CS_BITS, 1);
    s->part = counts_minus(&cs->n, &cs->out.first);
    cs->out.first = cs->n;
}

/* Writes part 0 and counts as many of them as there are. */
static cs_counts first_of_parts(r1cs_cs *cs, size_t n, cs_part_fn part, const void *arg) {
    if (n == 0) {
        return (cs_counts){0};
    }
    cs_counts before = cs->n;
    part(arg, 0, cs);
    const cs_counts one = counts_minus(&cs->n, &before);
    uint64_t largest = one.rows > one.aux ? one.rows : one.aux;
    if (largest > UINT32_MAX || n > UINT32_MAX) {
        cuzk_cs_fail(cs, CUZK_E_RANGE, "the circuit is too large");
        return one;
    }
    cs->n.inputs += (n - 1) * one.inputs;
    cs->n.aux += (n - 1) * one.aux;
    cs->n.rows += (n - 1) * one.rows;
    cs->n.wide_aux += (n - 1) * one.wide_aux;
    cs->n.wide_rows += (n - 1) * one.wide_rows;
    return one;
}

static void count_parts(r1cs_cs *cs, r1cs_segment_kind kind, size_t n, cs_part_fn part,
                        const void *arg) {
    count_between(cs);
    plan_section *s = plan_add(cs->plan, kind, n);
    s->first = cs->n;
    s->part = first_of_parts(cs, n, part, arg);
    cs->out.first = cs->n;
}

/* Whether as much was written into the current segment as was counted. */
static bool segment_full(const r1cs_cs *cs, const plan_section *s) {
    cs_counts written = counts_minus(&cs->n, &cs->out.first);
    return counts_eq(&written, &s->part);
}

typedef struct parts_job {
    const r1cs_cs *cs;
    const plan_section *section;
    cs_part_fn part;
    const void *arg;
    pthread_mutex_t lock;
    /* the failure of the lowest part that failed */
    size_t failed_at;
    cuzk_status status;
    cuzk_error error;
} parts_job;

static void run_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    parts_job *job = arg;
    r1cs_cs cs = {.want_values = true, .ctx = job->cs->ctx, .out = job->section->writers[index]};
    cs.n = cs.out.first;
    job->part(job->arg, index, &cs);
    if (cs.status == CUZK_OK) {
        CUZK_ASSERT(segment_full(&cs, job->section));
        return;
    }
    pthread_mutex_lock(&job->lock);
    if (job->status == CUZK_OK || index < job->failed_at) {
        job->failed_at = index;
        job->status = cs.status;
        job->error = cs.error;
    }
    pthread_mutex_unlock(&job->lock);
}

static void write_parts(r1cs_cs *cs, size_t n, cs_part_fn part, const void *arg) {
    cs_plan *plan = cs->plan;
    CUZK_ASSERT(plan->current + 2 < plan->n_sections &&
                segment_full(cs, &plan->section[plan->current]));
    const plan_section *s = &plan->section[plan->current + 1];
    CUZK_ASSERT(s->n_parts == n);
    parts_job job = {
        .cs = cs, .section = s, .part = part, .arg = arg, .lock = PTHREAD_MUTEX_INITIALIZER};
    cuzk_error error;
    cuzk_status status = cuzk_pool_run(cs->ctx, n, run_part, &job, &error);
    if (job.status != CUZK_OK) {
        cs->status = job.status;
        cs->error = job.error;
    } else if (status != CUZK_OK) {
        cs->status = status;
        cs->error = error;
    }
    plan->current += 2;
    cs->out = plan->section[plan->current].writers[0];
    cs->n = cs->out.first;
}

void cuzk_cs_parts(r1cs_cs *cs, r1cs_segment_kind kind, size_t n, cs_part_fn part,
                   const void *arg) {
    if (cs->status != CUZK_OK) {
        return;
    }
    if (cs->want_values) {
        CUZK_ASSERT(cs->plan != NULL);
        write_parts(cs, n, part, arg);
    } else if (cs->want_lc && cs->first_parts_only) {
        first_of_parts(cs, n, part, arg);
    } else if (cs->want_lc) {
        for (size_t i = 0; i < n && cuzk_cs_go_on(cs); i++) {
            part(arg, i, cs);
        }
    } else {
        count_parts(cs, kind, n, part, arg);
    }
}

bool cuzk_plan_complete(const r1cs_cs *cs) {
    const cs_plan *plan = cs->plan;
    return plan->current + 1 == plan->n_sections && segment_full(cs, &plan->section[plan->current]);
}

/* ---- counting ---- */

void cuzk_cs_init(r1cs_cs *cs, const cuzk_ctx *ctx) {
    *cs = (r1cs_cs){.ctx = ctx, .n.inputs = 1, .out.first.inputs = 1};
}

cuzk_status cuzk_cs_synthesize(r1cs_cs *cs, const r1cs_circuit *circuit, cuzk_error *err) {
    cuzk_status status = circuit->synthesize(circuit->self, cs, err);
    if (status == CUZK_OK && cs->status != CUZK_OK) {
        status = cs->status;
        if (err != NULL) {
            *err = cs->error;
        }
    }
    return status;
}

static unsigned log2_at_least(uint64_t n) {
    unsigned k = 0;
    while (((uint64_t)1 << k) < n) {
        k++;
    }
    return k;
}

r1cs_dims cuzk_cs_dims(const cs_counts *n) {
    return (r1cs_dims){.n_constraints = n->rows,
                       .n_inputs = n->inputs,
                       .n_aux = n->aux,
                       .log2_domain = log2_at_least(n->rows + n->inputs)};
}

cuzk_status cuzk_plan_count(cs_plan *plan, r1cs_dims *dims, const cuzk_ctx *ctx,
                            const r1cs_circuit *circuit, cuzk_error *err) {
    *plan = (cs_plan){0};
    r1cs_cs cs;
    cuzk_cs_init(&cs, ctx);
    cs.plan = plan;
    cuzk_status status = cuzk_cs_synthesize(&cs, circuit, err);
    if (status != CUZK_OK) {
        return status;
    }
    count_between(&cs);
    if (cs.n.aux > R1CS_INPUT || cs.n.inputs > R1CS_INPUT || cs.n.rows > UINT32_MAX) {
        return cuzk_fail(err, CUZK_E_RANGE,
                         "the circuit is too large: %llu variables, %llu constraints",
                         (unsigned long long)cs.n.aux, (unsigned long long)cs.n.rows);
    }
    *dims = cuzk_cs_dims(&cs.n);
    return CUZK_OK;
}

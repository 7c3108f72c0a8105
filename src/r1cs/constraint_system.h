/* The constraint system a circuit writes itself into. A gadget is written once against the
 * operations below and serves every back end:
 * - count: neither values nor combinations, sizes only
 * - stream: explicit linear combinations, no values (structure.h)
 * - witness: values, no combinations (witness.h)
 *
 * Operations work on words of up to 64 bits where circuits do, so that a witness costs about a
 * nanosecond a row.
 *
 * Order is significant: variables get their index and constraints their row in the order of the
 * calls. Failures are kept in `status`, so that operations return nothing; a circuit looks at it
 * between gadgets. */
#ifndef CUZK_R1CS_CONSTRAINT_SYSTEM_H
#define CUZK_R1CS_CONSTRAINT_SYSTEM_H

#include "r1cs/assignment.h"
#include "r1cs/structure.h"

/* What variables and rows add up to: totals, or those of one part. */
typedef struct cs_counts {
    uint64_t inputs, aux, rows;
    uint64_t wide_aux, wide_rows; /* those that are not small: see assignment.h */
} cs_counts;

/* Where a witness goes: the segment being written. */
typedef struct cs_writer {
    r1cs_segment_kind kind;
    cs_counts first;  /* of the segment: its first variable and row; wide_* are 0 */
    fr_plain *inputs; /* of the whole assignment */
    /* R1CS_BITS, zeroed; a and b have 7 bytes to spare at their ends */
    uint64_t *bits;
    uint32_t *aux_wide_at, *row_wide_at;
    fr_plain *aux_wide, *wide_a, *wide_b;
    int8_t *a, *b;
    /* R1CS_DENSE; without dense_a and dense_b rows are not written */
    fr_plain *dense, *dense_a, *dense_b;
} cs_writer;

typedef struct cs_expander cs_expander; /* makes explicit combinations: expander_internal.h */
typedef struct cs_plan cs_plan;         /* the sections of a witness: plan_internal.h */

struct r1cs_cs {
    bool want_lc;          /* combinations are wanted: variables in gadgets must be tracked */
    bool want_values;      /* values are wanted; else those passed in are not looked at */
    bool first_parts_only; /* with want_lc: of equal parts the first is enough */
    cuzk_status status;    /* the first failure; what is written afterwards does not matter */
    cuzk_error error;      /* belongs to status */
    const cuzk_ctx *ctx;
    cs_counts n; /* allocated and written so far: n.aux is the next variable's index */
    cs_writer out;
    cs_expander *expander;
    cs_plan *plan;
};

/* A variable known to be 0 or 1 with its value. */
typedef struct cs_bit {
    r1cs_var var;
    bool value;
} cs_bit;

/* ---- combinations ---- */

/* A combination written in place: LC({x, COEFF_ONE}, {y, COEFF_MINUS_ONE}). Any order, variables
 * may repeat. */
#define LC(...)                                                                                    \
    ((lc_view){(const lc_term[]){__VA_ARGS__},                                                     \
               sizeof((const lc_term[]){__VA_ARGS__}) / sizeof(lc_term)})
#define LC_ZERO ((lc_view){NULL, 0})
#define LC_ONE LC({R1CS_ONE, COEFF_ONE})

/* The index of a coefficient other than zero, for LC. */
uint32_t cuzk_cs_coeff(r1cs_cs *cs, const fr *value);

/* A sum of variables times plus or minus powers of two, and of a constant: one + sum of
 * (-1)^negative 2^shift var. As integers both the positive and the negative terms sum up to less
 * than 2^254. Kept only when combinations are wanted. */
#define POWER_SUM_CAPACITY 2240
typedef struct power_sum {
    uint64_t one[4]; /* least significant limb first */
    uint32_t n;
    uint64_t term[POWER_SUM_CAPACITY]; /* sort key of the variable << 32 | shift << 1 | negative */
} power_sum;

static inline void power_sum_clear(power_sum *s) {
    memset(s->one, 0, sizeof s->one);
    s->n = 0;
}
static inline void power_sum_add(power_sum *s, r1cs_var var, unsigned shift, bool negative) {
    CUZK_ASSERT(s->n < POWER_SUM_CAPACITY);
    s->term[s->n++] = (uint64_t)(var ^ R1CS_INPUT) << 32 | shift << 1 | negative;
}
static inline void power_sum_add_one(power_sum *s, unsigned shift) {
    uint64_t add = 1ull << (shift % 64);
    for (unsigned i = shift / 64; i < 4 && add != 0; i++) {
        s->one[i] += add;
        add = s->one[i] < add;
    }
}

/* ---- variables ---- */

/* aux := value. */
r1cs_var cuzk_cs_alloc(r1cs_cs *cs, const fr_plain *value);
/* input := value. */
r1cs_var cuzk_cs_alloc_input(r1cs_cs *cs, const fr_plain *value);
/* n (1..64) aux := bits 0.. of values, without constraints; returns the first, the others follow.
 */
r1cs_var cuzk_cs_alloc_bits(r1cs_cs *cs, unsigned n, uint64_t values);

/* ---- rows ---- */

/* (A)(B) = (C); a, b: the values of A and B. */
void cuzk_cs_row(r1cs_cs *cs, const fr_plain *a, const fr_plain *b, lc_view lc_a, lc_view lc_b,
                 lc_view lc_c);
/* The same where bits alone decide: a in -1..1, b in 0..1. */
void cuzk_cs_small_row(r1cs_cs *cs, int a, int b, lc_view lc_a, lc_view lc_b, lc_view lc_c);
/* (A)(1) = (C); a: the value of A. */
void cuzk_cs_sum_row(r1cs_cs *cs, const fr_plain *a, const power_sum *lc_a, const power_sum *lc_c);
/* (0)(0) = (C). */
void cuzk_cs_zero_row(r1cs_cs *cs, const power_sum *lc_c);

/* ---- words of bits: variables and their rows, lane by lane, lane 0 first ---- */

/* n (1..64) aux b := bits of values, each with (1 - b)(b) = (0); returns the first, the others
 * follow. */
r1cs_var cuzk_cs_booleans(r1cs_cs *cs, unsigned n, uint64_t values);
/* In every lane of the mask: aux out := p ^ q; (2 p)(q) = (p + q - out). out may be p_var or q_var.
 */
void cuzk_cs_xor(r1cs_cs *cs, r1cs_var *out, uint32_t lanes, uint32_t p, uint32_t q,
                 const r1cs_var *p_var, const r1cs_var *q_var);
/* aux := x & y; (x)(y) = (aux), where x is p, or 1 - p if not_p; y likewise. */
r1cs_var cuzk_cs_and(r1cs_cs *cs, cs_bit p, bool not_p, cs_bit q, bool not_q);
/* In all 32 lanes: aux out := e ? f : g; (f - g)(e) = (out - g). */
void cuzk_cs_choose(r1cs_cs *cs, r1cs_var *out, uint32_t e, uint32_t f, uint32_t g,
                    const r1cs_var *e_var, const r1cs_var *f_var, const r1cs_var *g_var);
/* In all 32 lanes: aux out := majority(x, y, z); aux yz := y & z; (y)(z) = (yz); (2 yz - y - z)(x)
 * = (yz - out). */
void cuzk_cs_majority(r1cs_cs *cs, r1cs_var *out, uint32_t x, uint32_t y, uint32_t z,
                      const r1cs_var *x_var, const r1cs_var *y_var, const r1cs_var *z_var);

/* ---- templates: gadgets of full values whose rows are the same each time but for their variables
 * ---- */

/* Variables of a template: 0 is ONE, 1 .. n_args the arguments, then the aux variables it
 * allocates. In every combination variables ascend and there is at most one argument. */
typedef struct cs_template cs_template;
/* side: R1CS_A, _B, _C in this order within a row. A zero coefficient is left out. */
void cuzk_cs_template_term(cs_template *t, r1cs_side side, unsigned var, const fr *coeff);
void cuzk_cs_template_end_row(cs_template *t);

#define CS_TEMPLATE_SLOTS 8
typedef struct cs_template_shape {
    unsigned slot; /* one for each kind of template, below CS_TEMPLATE_SLOTS */
    unsigned n_args, n_aux, n_rows;
    /* writes all rows; called once for each stream; false when there is no memory */
    bool (*build)(cs_template *t, unsigned slot);
} cs_template_shape;
/* n_aux aux := values, and the n_rows rows with values a and b; returns the first variable. */
r1cs_var cuzk_cs_template(r1cs_cs *cs, const cs_template_shape *shape, const r1cs_var *args,
                          const fr_plain *values, const fr_plain *a, const fr_plain *b);

/* ---- parts ---- */

/* Writes n parts of equal shape, one after the other: part(arg, i, ...) writes the i-th. With
 * values they may run at once, each on a system of its own; then only what was written before the
 * call may be shared. Parts of the kind R1CS_DENSE keep full field elements. Not inside a part. */
typedef void (*cs_part_fn)(const void *arg, size_t index, r1cs_cs *cs);
void cuzk_cs_parts(r1cs_cs *cs, r1cs_segment_kind kind, size_t n, cs_part_fn part, const void *arg);

/* ---- failures ---- */

/* Keeps the first failure. */
__attribute__((format(printf, 3, 4))) void cuzk_cs_fail(r1cs_cs *cs, cuzk_status status,
                                                        const char *format, ...);
/* Whether to go on: false after a failure or when the context is cancelled. Gadgets of many rows
 * ask now and then. */
bool cuzk_cs_go_on(r1cs_cs *cs);

#endif

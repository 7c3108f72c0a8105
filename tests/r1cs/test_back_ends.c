/* LABELS: tsan
 * The back ends on a small system with every operation: bits and full values, parts at once and one
 * by one, failures, cancelling, and what a row looks like in a stream. */
#include "support/dims.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"

/* ---- the system ---- */

typedef struct demo {
    uint64_t seed;
    size_t n_parts;
    r1cs_segment_kind kind;
    bool shared;      /* parts use a variable from before them */
    bool wrong;       /* one row does not hold */
    size_t fail_from; /* parts from here on fail */
    size_t fail_to;
    cuzk_cancel *cancel_in_part; /* set by part 0 when there are values */
} demo;

#define SHARED_VALUE 1234567

static const demo good = {
    .seed = 3, .n_parts = 5, .kind = R1CS_BITS, .fail_from = SIZE_MAX, .fail_to = SIZE_MAX};

static fr_plain u64(uint64_t v) { return (fr_plain){{v, 0, 0, 0}}; }

/* A template of two rows: aux s, t; (7 x + 1)(x) = (s), (s)(y) = (t). */
static bool build(cs_template *t, unsigned slot) {
    (void)slot;
    const fr one = FR_ONE;
    fr seven;
    fr_from_u64(&seven, 7);
    cuzk_cs_template_term(t, R1CS_A, 0, &one);
    cuzk_cs_template_term(t, R1CS_A, 1, &seven);
    cuzk_cs_template_term(t, R1CS_B, 1, &one);
    cuzk_cs_template_term(t, R1CS_C, 3, &one);
    cuzk_cs_template_end_row(t);
    cuzk_cs_template_term(t, R1CS_A, 3, &one);
    cuzk_cs_template_term(t, R1CS_B, 2, &one);
    cuzk_cs_template_term(t, R1CS_C, 4, &one);
    cuzk_cs_template_end_row(t);
    return true;
}

static r1cs_var use_template(r1cs_cs *cs, r1cs_var x, r1cs_var y, uint64_t x_value,
                             uint64_t y_value) {
    static const cs_template_shape shape = {
        .slot = 5, .n_args = 2, .n_aux = 2, .n_rows = 2, .build = build};
    const fr_plain values[2] = {u64((7 * x_value + 1) * x_value),
                                u64((7 * x_value + 1) * x_value * y_value)};
    const fr_plain a[2] = {u64(7 * x_value + 1), values[0]}, b[2] = {u64(x_value), u64(y_value)};
    const r1cs_var args[2] = {x, y};
    return cuzk_cs_template(cs, &shape, args, values, a, b);
}

static void vars_from(r1cs_var *vars, r1cs_var first) {
    for (unsigned i = 0; i < 32; i++) {
        vars[i] = first + i;
    }
}

/* Operations on words, at odd places of the bit stream. The shape is that of the seed. */
static void words(r1cs_cs *cs, test_rng *rng, uint64_t seed) {
    r1cs_var x_var[32], y_var[32], z_var[32], out[32];
    uint32_t x = (uint32_t)test_rng_u64(rng), y = (uint32_t)test_rng_u64(rng),
             z = (uint32_t)test_rng_u64(rng);
    cuzk_cs_booleans(cs, 1 + (unsigned)(seed % 7), test_rng_u64(rng));
    vars_from(x_var, cuzk_cs_booleans(cs, 32, x));
    vars_from(y_var, cuzk_cs_booleans(cs, 32, y));
    r1cs_var first = cuzk_cs_booleans(cs, 64, (uint64_t)z << 32);
    vars_from(z_var, first + 32);
    const uint32_t masks[] = {
        UINT32_MAX, 0, 1, 0x80000000, 0x7fffffff, 0xff00ff0f, (uint32_t)(seed * 0x9e3779b9)};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        cuzk_cs_xor(cs, out, masks[i], x, y, x_var, y_var);
    }
    cuzk_cs_xor(cs, out, 0x10, x, x, x_var, x_var);
    cuzk_cs_choose(cs, out, x, y, z, x_var, y_var, z_var);
    cuzk_cs_majority(cs, out, x, y, z, x_var, y_var, z_var);
    const cs_bit p = {x_var[3], x >> 3 & 1}, q = {y_var[9], y >> 9 & 1};
    for (unsigned i = 0; i < 4; i++) {
        cuzk_cs_and(cs, p, i & 1, q, i & 2);
    }
}

/* Full values: an input, a number of it, sums of powers. */
static void numbers(r1cs_cs *cs, test_rng *rng, bool wrong) {
    uint64_t v = test_rng_u64(rng) >> 48, u = test_rng_u64(rng) >> 40;
    const fr_plain value = u64(v), one = u64(1);
    r1cs_var x = cuzk_cs_alloc(cs, &value);
    r1cs_var in = cuzk_cs_alloc_input(cs, &value);
    cuzk_cs_row(cs, &value, &one, LC({in, COEFF_ONE}), LC_ONE, LC({x, COEFF_ONE}));
    use_template(cs, x, in, v, v);
    r1cs_var bits = cuzk_cs_booleans(cs, 24, u);
    const fr_plain packed = u64(wrong ? u + 1 : u), sum = u64(u);
    r1cs_var number = cuzk_cs_alloc(cs, &packed);
    power_sum a, c;
    power_sum_clear(&a);
    power_sum_clear(&c);
    if (cs->want_lc) {
        for (unsigned i = 24; i-- > 0;) {
            power_sum_add(&a, bits + i, i, false);
            power_sum_add(&a, bits + i, 200, false);
            power_sum_add(&a, bits + i, 200, true);
        }
        power_sum_add(&c, number, 0, false);
    }
    cuzk_cs_sum_row(cs, &sum, &a, &c);
    power_sum_clear(&c);
    if (cs->want_lc) {
        power_sum_add(&c, x, 0, true);
        power_sum_add(&c, in, 0, false);
    }
    cuzk_cs_zero_row(cs, &c);
    cuzk_cs_small_row(cs, -1, 0, LC({R1CS_ONE, COEFF_MINUS_ONE}),
                      LC({x, COEFF_ONE}, {x, COEFF_MINUS_ONE}), LC_ZERO);
}

static void part(const void *arg, size_t index, r1cs_cs *cs) {
    const demo *d = arg;
    test_rng rng = {d->seed * 1000 + index + 1};
    words(cs, &rng, d->seed);
    numbers(cs, &rng, d->wrong && index == 2);
    if (d->shared) {
        const fr_plain value = u64(SHARED_VALUE), one = u64(1);
        cuzk_cs_row(cs, &value, &one, LC({0, COEFF_ONE}), LC_ONE, LC({0, COEFF_ONE}));
    }
    if (cs->want_values && index >= d->fail_from && index <= d->fail_to) {
        cuzk_cs_fail(cs, CUZK_E_INPUT, "part %zu", index);
    }
    if (cs->want_values && d->cancel_in_part != NULL) {
        cuzk_cancel_set(d->cancel_in_part);
        cuzk_cs_go_on(cs);
    }
}

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const demo *d = self;
    test_rng rng = {d->seed};
    if (d->shared) {
        const fr_plain value = u64(SHARED_VALUE);
        cuzk_cs_alloc(cs, &value);
    }
    words(cs, &rng, d->seed);
    cuzk_cs_parts(cs, d->kind, d->n_parts, part, d);
    numbers(cs, &rng, false);
    cuzk_cs_parts(cs, d->kind, 1, part, d);
    cuzk_cs_parts(cs, d->kind, 0, part, d);
    words(cs, &rng, d->seed);
    return CUZK_OK;
}

static r1cs_circuit circuit_of(const demo *d) { return (r1cs_circuit){d, synthesize}; }

/* ---- witnesses ---- */

static void make(r1cs_witness *w, const cuzk_ctx *ctx, const demo *d) {
    const r1cs_circuit circuit = circuit_of(d);
    cuzk_error err;
    cuzk_error_clear(&err);
    if (cuzk_r1cs_witness_create(w, ctx, &circuit, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

static uint64_t check(const cuzk_ctx *ctx, const demo *d, const r1cs_assignment *w, fr_plain *c) {
    const r1cs_circuit circuit = circuit_of(d);
    cuzk_error err;
    cuzk_error_clear(&err);
    uint64_t first;
    if (cuzk_r1cs_check(ctx, &circuit, w, &first, c, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    return first;
}

/* All values of an assignment: inputs, aux, a, b, c. */
static fr_plain *all_values(const r1cs_assignment *w, size_t *n) {
    *n = (size_t)(w->n_inputs + w->n_aux + 3 * w->n_rows);
    fr_plain *out = malloc(*n * sizeof *out), *p = out;
    assert_non_null(out);
    memcpy(p, w->inputs, w->n_inputs * sizeof *p);
    p += w->n_inputs;
    cuzk_r1cs_aux_expand(w, 0, (size_t)w->n_aux, p);
    p += w->n_aux;
    for (int side = R1CS_A; side <= R1CS_C; side++, p += w->n_rows) {
        cuzk_r1cs_rows_expand(w, (r1cs_side)side, 0, (size_t)w->n_rows, p);
    }
    return out;
}

/* Ranges of rows read by themselves are those of the whole. */
static void test_row_ranges(const r1cs_assignment *w, const fr_plain *rows) {
    test_rng rng = {77};
    fr_plain out[40];
    for (int i = 0; i < 200; i++) {
        size_t first = (size_t)(test_rng_u64(&rng) % w->n_rows), n = test_rng_u64(&rng) % 40;
        n = n < w->n_rows - first ? n : (size_t)w->n_rows - first;
        r1cs_side side = (r1cs_side)(i % 3);
        cuzk_r1cs_rows_expand(w, side, first, n, out);
        assert_memory_equal(out, rows + side * w->n_rows + first, n * sizeof *out);
    }
}

static void test_witness_of(const demo *d, const cuzk_ctx *together) {
    const cuzk_ctx alone = {0};
    demo bits = *d, dense = *d;
    dense.kind = R1CS_DENSE;
    const demo *demos[2] = {&bits, &dense};
    const cuzk_ctx *contexts[2] = {&alone, together};
    fr_plain *values[4];
    size_t n[4];
    for (int i = 0; i < 4; i++) {
        r1cs_witness w;
        make(&w, contexts[i & 1], demos[i >> 1]);
        r1cs_segment_kind kind = i < 2 ? R1CS_BITS : d->shared ? R1CS_DENSE : R1CS_DERIVED;
        assert_int_equal(w.assignment.rows[1].kind, kind);
        fr_plain *c = malloc(w.assignment.n_rows * sizeof *c);
        assert_int_equal(check(&alone, demos[i >> 1], &w.assignment, c), UINT64_MAX);
        values[i] = all_values(&w.assignment, &n[i]);
        assert_memory_equal(values[i] + n[i] - w.assignment.n_rows, c,
                            w.assignment.n_rows * sizeof *c);
        test_row_ranges(&w.assignment, values[i] + n[i] - 3 * w.assignment.n_rows);
        free(c);
        cuzk_r1cs_witness_clear(&w);
    }
    for (int i = 1; i < 4; i++) {
        assert_int_equal(n[i], n[0]);
        assert_memory_equal(values[i], values[0], n[0] * sizeof *values[0]);
    }
    for (int i = 0; i < 4; i++) {
        free(values[i]);
    }
}

static void test_witness(void **state) {
    (void)state;
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    const cuzk_ctx together = {.pool = pool};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        demo d = good;
        d.seed = seed;
        d.shared = seed % 2;
        test_witness_of(&d, &together);
    }
    cuzk_pool_destroy(pool);
}

static void test_wrong_witness(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    demo wrong = good;
    wrong.wrong = true;
    r1cs_witness w;
    make(&w, &ctx, &wrong);
    fr_plain *c = malloc(w.assignment.n_rows * sizeof *c);
    uint64_t first = check(&ctx, &wrong, &w.assignment, c);
    /* the fast path's c = a b is implied; C w is one more there, and only there */
    uint64_t differ = 0, at = 0;
    for (uint64_t i = 0; i < w.assignment.n_rows; i++) {
        fr_plain implied;
        cuzk_r1cs_rows_expand(&w.assignment, R1CS_C, i, 1, &implied);
        if (memcmp(&implied, &c[i], sizeof implied) != 0) {
            implied.l[0]++;
            assert_memory_equal(&implied, &c[i], sizeof implied);
            at = i;
            differ++;
        }
    }
    assert_int_equal(differ, 1);
    assert_int_equal(first, at);
    free(c);
    cuzk_r1cs_witness_clear(&w);
}

static void test_values_that_differ(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const r1cs_circuit circuit = circuit_of(&good);
    cuzk_error err;
    r1cs_witness w;
    make(&w, &ctx, &good);
    uint64_t *bits = (uint64_t *)w.assignment.aux[0].bits;
    bits[0] ^= 1;
    assert_int_equal(cuzk_r1cs_check(&ctx, &circuit, &w.assignment, NULL, NULL, &err),
                     CUZK_E_INTERNAL);
    bits[0] ^= 1;
    int8_t *b = (int8_t *)w.assignment.rows[1].b;
    b[5] ^= 1;
    assert_int_equal(cuzk_r1cs_check(&ctx, &circuit, &w.assignment, NULL, NULL, &err),
                     CUZK_E_INTERNAL);
    b[5] ^= 1;
    assert_int_equal(cuzk_r1cs_check(&ctx, &circuit, &w.assignment, NULL, NULL, &err), CUZK_OK);
    demo other = good;
    other.n_parts++;
    const r1cs_circuit other_circuit = circuit_of(&other);
    assert_int_equal(cuzk_r1cs_check(&ctx, &other_circuit, &w.assignment, NULL, NULL, &err),
                     CUZK_E_ARGUMENT);
    cuzk_r1cs_witness_clear(&w);
}

/* ---- failures ---- */

static void test_failing_part(void **state) {
    (void)state;
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool};
    demo d = good;
    d.n_parts = 40;
    d.fail_from = 7;
    d.fail_to = 30;
    const r1cs_circuit circuit = circuit_of(&d);
    r1cs_witness w;
    cuzk_error err;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "part 7");
    assert_null(w.block.data);
    cuzk_pool_destroy(pool);
}

static cuzk_status no_rows(void *arg, uint64_t index, const r1cs_row *row,
                           const r1cs_coeffs *coeffs, cuzk_error *err) {
    (void)row;
    (void)coeffs;
    uint64_t *stop = arg;
    return index < *stop ? CUZK_OK
                         : cuzk_fail(err, CUZK_E_IO, "row %llu", (unsigned long long)index);
}

static void test_stream_stops(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const r1cs_circuit circuit = circuit_of(&good);
    r1cs_dims dims;
    uint64_t stop = UINT64_MAX;
    assert_int_equal(cuzk_r1cs_stream(&ctx, &circuit, no_rows, &stop, &dims, NULL), CUZK_OK);
    cuzk_error err;
    for (stop = 0; stop < dims.n_constraints + dims.n_inputs; stop += 97) {
        assert_int_equal(cuzk_r1cs_stream(&ctx, &circuit, no_rows, &stop, NULL, &err), CUZK_E_IO);
        char text[32];
        snprintf(text, sizeof text, "row %llu", (unsigned long long)stop);
        assert_string_equal(err.text, text);
    }
}

static void test_cancelled(void **state) {
    (void)state;
    cuzk_cancel cancel = {false};
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.cancel = &cancel, .pool = pool};
    demo d = good;
    d.cancel_in_part = &cancel;
    const r1cs_circuit circuit = circuit_of(&d);
    r1cs_witness w;
    cuzk_error err;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_E_CANCELLED);
    assert_null(w.block.data);
    uint64_t stop = UINT64_MAX;
    assert_int_equal(cuzk_r1cs_stream(&ctx, &circuit, no_rows, &stop, NULL, &err),
                     CUZK_E_CANCELLED);
    cuzk_pool_destroy(pool);
}

static void test_no_memory(void **state) {
    (void)state;
    const r1cs_circuit circuit = circuit_of(&good);
    cuzk_error err;
    unsigned worked = 0;
    /* rising limits: every allocation fails once */
    for (size_t limit = 0; worked < 3; limit += 8192) {
        cuzk_account *account;
        assert_int_equal(cuzk_account_create(&account, limit, &err), CUZK_OK);
        const cuzk_ctx ctx = {.account = account};
        r1cs_witness w;
        r1cs_densities d;
        uint8_t digest[32];
        worked = 0;
        cuzk_status status = cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err);
        assert_true(status == CUZK_OK || status == CUZK_E_NO_MEMORY);
        if (status == CUZK_OK) {
            worked++;
            cuzk_r1cs_witness_clear(&w);
        }
        status = cuzk_r1cs_digest(&ctx, digest, &circuit, &d, &err);
        assert_true(status == CUZK_OK || status == CUZK_E_NO_MEMORY);
        if (status == CUZK_OK) {
            worked++;
            cuzk_r1cs_densities_clear(&d);
        }
        status = cuzk_r1cs_densities(&d, &ctx, &circuit, &err);
        assert_true(status == CUZK_OK || status == CUZK_E_NO_MEMORY);
        if (status == CUZK_OK) {
            worked++;
            cuzk_r1cs_densities_clear(&d);
        }
        assert_int_equal(cuzk_account_used(account), 0);
        cuzk_account_destroy(account);
    }
}

/* The predicted bytes are enough, one less is not. */
static void check_bytes(const demo *d) {
    const cuzk_ctx plain = {0};
    const r1cs_circuit circuit = circuit_of(d);
    size_t kept, peak;
    assert_int_equal(cuzk_r1cs_witness_bytes(&kept, &peak, &plain, &circuit, NULL), CUZK_OK);
    assert_true(peak >= kept);
    for (size_t less = 0; less < 2; less++) {
        cuzk_account *account;
        assert_int_equal(cuzk_account_create(&account, peak - less, NULL), CUZK_OK);
        const cuzk_ctx ctx = {.account = account};
        r1cs_witness w;
        cuzk_status status = cuzk_r1cs_witness_create(&w, &ctx, &circuit, NULL);
        assert_int_equal(status, less ? CUZK_E_NO_MEMORY : CUZK_OK);
        assert_int_equal(cuzk_account_used(account), less ? 0 : kept);
        cuzk_r1cs_witness_clear(&w);
        cuzk_account_destroy(account);
    }
}

static void test_bytes(void **state) {
    (void)state;
    demo d = good;
    check_bytes(&d);
    d.n_parts = 40;
    check_bytes(&d);
}

/* ---- streams ---- */

/* Sorted, merged, without zeros, and small coefficients where they are promised. */
static void assert_lc(lc_view lc, const r1cs_coeffs *coeffs) {
    for (size_t i = 0; i < lc.n; i++) {
        assert_true(lc.terms[i].coeff < coeffs->n);
        assert_false(fr_is_zero(&coeffs->values[lc.terms[i].coeff]));
        if (i > 0) {
            assert_true((lc.terms[i - 1].var ^ R1CS_INPUT) < (lc.terms[i].var ^ R1CS_INPUT));
        }
    }
}

static cuzk_status look_at_row(void *arg, uint64_t index, const r1cs_row *row,
                               const r1cs_coeffs *coeffs, cuzk_error *err) {
    (void)err;
    uint64_t *next = arg;
    assert_int_equal(index, *next);
    ++*next;
    assert_lc(row->a, coeffs);
    assert_lc(row->b, coeffs);
    assert_lc(row->c, coeffs);
    static const uint64_t first[4] = {1, 1, 2, 2};
    for (int i = 0; i < 4; i++) {
        fr v;
        fr_from_u64(&v, first[i]);
        if (i % 2 == 1) {
            fr_neg(&v, &v);
        }
        assert_true(fr_eq(&v, &coeffs->values[i]));
    }
    return CUZK_OK;
}

static void test_rows(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const r1cs_circuit circuit = circuit_of(&good);
    uint64_t n = 0;
    r1cs_dims dims;
    assert_int_equal(cuzk_r1cs_stream(&ctx, &circuit, look_at_row, &n, &dims, NULL), CUZK_OK);
    assert_int_equal(n, dims.n_constraints + dims.n_inputs);
    assert_true((uint64_t)1 << dims.log2_domain >= n && (uint64_t)1 << dims.log2_domain < 2 * n);
    r1cs_densities d;
    assert_int_equal(cuzk_r1cs_densities(&d, &ctx, &circuit, NULL), CUZK_OK);
    assert_dims_equal(&d.dims, &dims);
    cuzk_r1cs_densities_clear(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_witness),
        cmocka_unit_test(test_wrong_witness),
        cmocka_unit_test(test_values_that_differ),
        cmocka_unit_test(test_failing_part),
        cmocka_unit_test(test_stream_stops),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

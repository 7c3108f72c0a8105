/* Rows by linear combinations: every layout of their lists gives the values of the fast path, with
 * as many allocations as its rule says; failures. */
#include "support/support.h"

#include <stdlib.h>

#include "r1cs/constraint_system.h"
#include "r1cs/generic_rows.h"
#include "r1cs/vector_digests.h"
#include "r1cs/witness.h"

#define N_VARS 12
#define MAX_TERMS 10
#define INPUT_VALUE 5

static fr_plain u64(uint64_t v) { return (fr_plain){{v, 0, 0, 0}}; }
static int64_t var_value(size_t i) { return (int64_t)(3 * i + 2) * (i % 2 == 0 ? 1 : -1); }

typedef enum order { ASCENDING, DESCENDING, MIXED_REPEATED, ORDERS } order;

typedef struct term_list {
    lc_term terms[2 * MAX_TERMS + 2];
    size_t n;
    int64_t sum;
} term_list;

static void add_term(term_list *list, r1cs_var var, int64_t value, uint32_t coeff) {
    static const int8_t small[] = {
        [COEFF_ONE] = 1, [COEFF_MINUS_ONE] = -1, [COEFF_TWO] = 2, [COEFF_MINUS_TWO] = -2};
    list->terms[list->n++] = (lc_term){var, coeff};
    list->sum += small[coeff] * value;
}

/* n distinct aux variables in an order; an odd number comes with an input. */
static void make_terms(term_list *list, r1cs_var first, r1cs_var input, size_t n, order o) {
    *list = (term_list){.n = 0};
    for (size_t i = 0; i < n; i++) {
        size_t k = o == ASCENDING ? i : o == DESCENDING ? n - 1 - i : (7 * i + 3) % n;
        if (o == MIXED_REPEATED && n == 7) {
            k = i ^ (i < 6); /* 7 i + 3 would stand still */
        }
        add_term(list, first + (r1cs_var)k, var_value(k), (uint32_t)(i % 4));
        if (o == MIXED_REPEATED) {
            add_term(list, first + (r1cs_var)k, var_value(k), COEFF_MINUS_ONE);
        }
    }
    if (n % 2 == 1) {
        add_term(list, input, INPUT_VALUE, COEFF_TWO);
    }
}

static void sum_row(r1cs_cs *cs, r1cs_var first) {
    static power_sum a, c;
    power_sum_clear(&a);
    power_sum_clear(&c);
    int64_t sum = 4;
    power_sum_add_one(&a, 2);
    for (unsigned i = N_VARS; i-- > 0;) {
        power_sum_add(&a, first + i, i, i % 3 == 0);
        sum += var_value(i) * (i % 3 == 0 ? -1 : 1) * (1 << i);
    }
    power_sum_add(&a, first + 4, 1, false);
    sum += var_value(4) * 2;
    const fr_plain value = fr_plain_of_int(sum);
    r1cs_var out = cuzk_cs_alloc(cs, &value);
    power_sum_add(&c, out, 0, false);
    cuzk_cs_sum_row(cs, &value, &a, &c);
}

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)self;
    (void)err;
    const fr_plain one = u64(1), input_value = u64(INPUT_VALUE);
    const r1cs_var input = cuzk_cs_alloc_input(cs, &input_value);
    r1cs_var first = 0;
    for (size_t i = 0; i < N_VARS; i++) {
        const fr_plain value = fr_plain_of_int(var_value(i));
        const r1cs_var var = cuzk_cs_alloc(cs, &value);
        first = i == 0 ? var : first;
    }
    for (size_t n = 0; n <= MAX_TERMS; n++) {
        for (order o = ASCENDING; o < ORDERS; o++) {
            term_list list;
            make_terms(&list, first, input, n, o);
            const fr_plain a = fr_plain_of_int(list.sum);
            const r1cs_var out = cuzk_cs_alloc(cs, &a);
            cuzk_cs_row(cs, &a, &one, (lc_view){list.terms, list.n}, LC_ONE, LC({out, COEFF_ONE}));
        }
    }
    sum_row(cs, first);
    return CUZK_OK;
}

static const r1cs_circuit circuit = {.synthesize = synthesize};

/* Of a list of n terms. */
static uint64_t list_allocations(r1cs_lc_index index, size_t n) {
    static const size_t inside[] = {0, 1, 2, 4};
    size_t room = inside[index];
    uint64_t count = 0;
    for (; room < n; count++) {
        room = room == 0 ? 4 : 2 * room;
    }
    return count;
}

static uint64_t expected_allocations(r1cs_lc_index index) {
    uint64_t count = 0;
    for (size_t n = 0; n <= MAX_TERMS; n++) {
        /* (aux terms, perhaps an input)(ONE) = (out) */
        count += ORDERS * (list_allocations(index, n) + list_allocations(index, n % 2) +
                           2 * list_allocations(index, 1));
    }
    count += list_allocations(index, N_VARS) + 3 * list_allocations(index, 1); /* the long sum */
    return count + 2 * list_allocations(index, 1);                             /* input rows */
}

static void assert_side(const fr_vector *found, const r1cs_assignment *w, r1cs_side side) {
    assert_int_equal(found->n, w->n_rows);
    for (uint64_t i = 0; i < w->n_rows; i++) {
        fr_plain expected, value;
        cuzk_r1cs_rows_expand(w, side, i, 1, &expected);
        fr_to_plain(&value, &found->values[i]);
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

static void test_layouts(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    r1cs_witness w;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_OK);
    r1cs_vector_digests digests;
    uint64_t first_unsatisfied;
    assert_int_equal(
        cuzk_r1cs_vector_digests(&digests, &first_unsatisfied, &ctx, &circuit, &w.assignment, &err),
        CUZK_OK);
    assert_int_equal(first_unsatisfied, UINT64_MAX);
    uint64_t terms = 0;
    for (unsigned i = 0; i < 2 * R1CS_LC_INDEXES; i++) {
        const r1cs_lc_index index = (r1cs_lc_index)(i / 2);
        const bool presize = i % 2 == 1;
        r1cs_generic_rows g;
        assert_int_equal(
            cuzk_r1cs_generic_rows(&g, &ctx, &circuit, &w.assignment, index, presize, &err),
            CUZK_OK);
        assert_side(&g.a, &w.assignment, R1CS_A);
        assert_side(&g.b, &w.assignment, R1CS_B);
        assert_side(&g.c, &w.assignment, R1CS_C);
        uint8_t digest[BLAKE2S_BYTES];
        cuzk_r1cs_digest_fr(digest, g.aux.values, g.aux.n);
        assert_memory_equal(digest, digests.aux, sizeof digest);
        cuzk_r1cs_digest_fr(digest, g.a.values, g.a.n);
        assert_memory_equal(digest, digests.a, sizeof digest);
        cuzk_r1cs_digest_fr(digest, g.b.values, g.b.n);
        assert_memory_equal(digest, digests.b, sizeof digest);
        cuzk_r1cs_digest_fr(digest, g.c.values, g.c.n);
        assert_memory_equal(digest, digests.c, sizeof digest);
        assert_int_equal(g.n_allocations, expected_allocations(index));
        assert_true(i == 0 || g.n_terms == terms);
        terms = g.n_terms;
        assert_true(presize ? g.n_growths == 0 : g.n_growths > 5);
        assert_true(!presize || (g.a.capacity == g.a.n && g.aux.capacity == g.aux.n));
        cuzk_r1cs_generic_rows_clear(&g);
    }
    cuzk_r1cs_witness_clear(&w);
}

/* Layouts differ in what a list takes and in how often it allocates. */
static void test_differences(void **state) {
    (void)state;
    for (unsigned i = 1; i < R1CS_LC_INDEXES; i++) {
        const r1cs_lc_index index = (r1cs_lc_index)i, before = (r1cs_lc_index)(i - 1);
        assert_true(cuzk_r1cs_lc_index_bytes(index) > cuzk_r1cs_lc_index_bytes(before));
        assert_true(expected_allocations(index) != expected_allocations(before));
    }
}

static void test_failures(void **state) {
    (void)state;
    cuzk_cancel cancel = {0};
    cuzk_ctx ctx = {0};
    cuzk_error err;
    r1cs_witness w;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_OK);
    r1cs_generic_rows g;
    for (int presize = 0; presize < 2; presize++) {
        assert_int_equal(cuzk_account_create(&ctx.account, 1000, &err), CUZK_OK);
        assert_int_equal(cuzk_r1cs_generic_rows(&g, &ctx, &circuit, &w.assignment, R1CS_LC_VEC,
                                                presize == 1, &err),
                         CUZK_E_NO_MEMORY);
        cuzk_r1cs_generic_rows_clear(&g);
        assert_int_equal(cuzk_account_used(ctx.account), 0);
        cuzk_account_destroy(ctx.account);
    }
    ctx = (cuzk_ctx){.cancel = &cancel};
    cuzk_cancel_set(&cancel);
    assert_int_equal(
        cuzk_r1cs_generic_rows(&g, &ctx, &circuit, &w.assignment, R1CS_LC_SMALLVEC2, false, &err),
        CUZK_E_CANCELLED);
    cuzk_r1cs_generic_rows_clear(&g);
    cuzk_r1cs_witness_clear(&w);
}

/* The circuit, which sets `cancel` at the end of synthesis number `at`, counted from 1. */
typedef struct cancelling {
    unsigned n, at;
    cuzk_cancel cancel;
} cancelling;

static cuzk_status synthesize_and_cancel(const void *self, r1cs_cs *cs, cuzk_error *err) {
    cancelling *c = (cancelling *)self;
    const cuzk_status status = synthesize(NULL, cs, err);
    if (++c->n == c->at) {
        cuzk_cancel_set(&c->cancel);
    }
    return status;
}

/* Whenever it is cancelled: the last time, only the passes over the assignment are left. */
static void test_digests_cancelled(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    cuzk_error err;
    r1cs_witness w;
    r1cs_vector_digests digests;
    cancelling c = {0};
    const r1cs_circuit cancelling_circuit = {.self = &c, .synthesize = synthesize_and_cancel};
    assert_int_equal(cuzk_r1cs_witness_create(&w, &ctx, &circuit, &err), CUZK_OK);
    ctx.cancel = &c.cancel;
    assert_int_equal(
        cuzk_r1cs_vector_digests(&digests, NULL, &ctx, &cancelling_circuit, &w.assignment, &err),
        CUZK_OK);
    const unsigned n = c.n;
    assert_true(n > 0);
    for (unsigned at = 1; at <= n; at++) {
        c = (cancelling){.at = at};
        assert_int_equal(cuzk_r1cs_vector_digests(&digests, NULL, &ctx, &cancelling_circuit,
                                                  &w.assignment, &err),
                         CUZK_E_CANCELLED);
    }
    cuzk_r1cs_witness_clear(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_digests_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

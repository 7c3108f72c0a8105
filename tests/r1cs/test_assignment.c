/* Segments as field elements: both kinds, exceptions, negative row values, ranges across borders,
 * padding. */
#include "support/support.h"

#include "r1cs/assignment.h"

enum {
    N_BITS = 130,
    N_DENSE = 7,
    N_AUX = N_BITS + N_DENSE,
    N_SMALL = 9,
    N_DENSE_ROWS = 3,
    N_INPUTS = 2,
    N_ROWS = N_SMALL + N_DENSE_ROWS + N_INPUTS
};

typedef struct fixture {
    uint64_t bits[3];
    uint32_t aux_wide_at[3], row_wide_at[2];
    fr_plain aux_wide[3], dense[N_DENSE], wide_a[2], wide_b[2], dense_a[N_DENSE_ROWS],
        dense_b[N_DENSE_ROWS];
    fr_plain inputs[N_INPUTS];
    int8_t a[N_SMALL], b[N_SMALL], zeros[N_INPUTS];
    uint32_t input_wide_at[N_INPUTS];
    fr_plain input_b[N_INPUTS];
    r1cs_aux_segment aux[3];
    r1cs_row_segment rows[3];
    r1cs_assignment w;
    fr_plain aux_expected[N_AUX];
    fr_plain expected[3][N_ROWS + 4];
} fixture;

static void product(fr_plain *c, const fr_plain *a, const fr_plain *b) {
    fr x, y;
    fr_from_plain(&x, a);
    fr_from_plain(&y, b);
    fr_mul(&x, &x, &y);
    fr_to_plain(c, &x);
}

static void small(fr_plain *out, int v) {
    fr x;
    fr_from_u64(&x, (uint64_t)(v < 0 ? -v : v));
    if (v < 0) {
        fr_neg(&x, &x);
    }
    fr_to_plain(out, &x);
}

static void fixture_init(fixture *f) {
    memset(f, 0, sizeof *f);
    test_rng rng = {77};
    for (int i = 0; i < N_BITS; i++) {
        uint64_t bit = test_rng_u64(&rng) >> 63;
        f->bits[i / 64] |= bit << (i % 64);
        f->aux_expected[i].l[0] = bit;
    }
    const uint32_t wide_at[3] = {0, 64, 129};
    for (int k = 0; k < 3; k++) {
        f->aux_wide_at[k] = wide_at[k];
        test_rng_fr_plain(&f->aux_wide[k], &rng);
        f->aux_expected[wide_at[k]] = f->aux_wide[k];
        f->bits[wide_at[k] / 64] &= ~(1ull << (wide_at[k] % 64));
    }
    for (int i = 0; i < N_DENSE; i++) {
        test_rng_fr_plain(&f->dense[i], &rng);
        f->aux_expected[N_BITS + i] = f->dense[i];
    }
    for (int i = 0; i < N_SMALL; i++) {
        f->a[i] = (int8_t)(i % 5 - 2);
        f->b[i] = (int8_t)(i % 3 - 1);
        small(&f->expected[R1CS_A][i], f->a[i]);
        small(&f->expected[R1CS_B][i], f->b[i]);
    }
    for (int k = 0; k < 2; k++) {
        uint32_t at = k == 0 ? 3 : 8;
        f->a[at] = f->b[at] = 0;
        f->row_wide_at[k] = at;
        test_rng_fr_plain(&f->wide_a[k], &rng);
        test_rng_fr_plain(&f->wide_b[k], &rng);
        f->expected[R1CS_A][at] = f->wide_a[k];
        f->expected[R1CS_B][at] = f->wide_b[k];
    }
    for (int i = 0; i < N_DENSE_ROWS; i++) {
        test_rng_fr_plain(&f->dense_a[i], &rng);
        test_rng_fr_plain(&f->dense_b[i], &rng);
        f->expected[R1CS_A][N_SMALL + i] = f->dense_a[i];
        f->expected[R1CS_B][N_SMALL + i] = f->dense_b[i];
    }
    f->inputs[0].l[0] = 1;
    test_rng_fr_plain(&f->inputs[1], &rng);
    for (uint32_t i = 0; i < N_INPUTS; i++) {
        f->input_wide_at[i] = i;
        f->expected[R1CS_A][N_SMALL + N_DENSE_ROWS + i] = f->inputs[i];
    }
    for (int i = 0; i < N_ROWS; i++) {
        product(&f->expected[R1CS_C][i], &f->expected[R1CS_A][i], &f->expected[R1CS_B][i]);
    }
    f->aux[0] = (r1cs_aux_segment){.first = 0,
                                   .count = N_BITS,
                                   .kind = R1CS_BITS,
                                   .bits = f->bits,
                                   .n_wide = 3,
                                   .wide_at = f->aux_wide_at,
                                   .wide = f->aux_wide};
    f->aux[1] = (r1cs_aux_segment){.first = N_BITS, .count = 0, .kind = R1CS_BITS};
    f->aux[2] = (r1cs_aux_segment){
        .first = N_BITS, .count = N_DENSE, .kind = R1CS_DENSE, .dense = f->dense};
    f->rows[0] = (r1cs_row_segment){.first = 0,
                                    .count = N_SMALL,
                                    .kind = R1CS_BITS,
                                    .a = f->a,
                                    .b = f->b,
                                    .n_wide = 2,
                                    .wide_at = f->row_wide_at,
                                    .wide_a = f->wide_a,
                                    .wide_b = f->wide_b};
    f->rows[1] = (r1cs_row_segment){.first = N_SMALL,
                                    .count = N_DENSE_ROWS,
                                    .kind = R1CS_DENSE,
                                    .dense_a = f->dense_a,
                                    .dense_b = f->dense_b};
    f->rows[2] = (r1cs_row_segment){.first = N_SMALL + N_DENSE_ROWS,
                                    .count = N_INPUTS,
                                    .kind = R1CS_BITS,
                                    .a = f->zeros,
                                    .b = f->zeros,
                                    .n_wide = N_INPUTS,
                                    .wide_at = f->input_wide_at,
                                    .wide_a = f->inputs,
                                    .wide_b = f->input_b};
    f->w = (r1cs_assignment){.n_inputs = N_INPUTS,
                             .inputs = f->inputs,
                             .n_aux = N_AUX,
                             .n_aux_segments = 3,
                             .aux = f->aux,
                             .n_rows = N_ROWS,
                             .n_row_segments = 3,
                             .rows = f->rows};
}

static void test_aux_ranges(void **state) {
    (void)state;
    static fixture f;
    fixture_init(&f);
    fr_plain out[N_AUX];
    for (size_t first = 0; first <= N_AUX; first++) {
        for (size_t count = 0; count <= N_AUX - first; count++) {
            memset(out, 0xee, sizeof out);
            cuzk_r1cs_aux_expand(&f.w, first, count, out);
            assert_memory_equal(out, f.aux_expected + first, count * sizeof *out);
        }
    }
}

static void test_row_ranges(void **state) {
    (void)state;
    static fixture f;
    fixture_init(&f);
    fr_plain out[N_ROWS + 4];
    for (int side = R1CS_A; side <= R1CS_C; side++) {
        for (size_t first = 0; first <= N_ROWS + 4; first++) {
            for (size_t count = 0; count <= N_ROWS + 4 - first; count++) {
                memset(out, 0xee, sizeof out);
                cuzk_r1cs_rows_expand(&f.w, (r1cs_side)side, first, count, out);
                assert_memory_equal(out, f.expected[side] + first, count * sizeof *out);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aux_ranges),
        cmocka_unit_test(test_row_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

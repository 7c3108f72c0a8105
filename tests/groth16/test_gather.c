/* LABELS: tsan */
/* Gathered scalars against a plain expansion of the assignment, for random densities and segments.
 */
#include "groth16/gather.h"
#include "support/random_assignment.h"

#include <stdlib.h>

/* The scalars of a whole space, one after the other. */
static fr_plain *expected_scalars(const sample *t, const point_space *space,
                                  const fr_plain *inputs) {
    fr_plain *all = malloc((space->n_points + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < space->n_inputs; i++) {
        all[n++] = inputs[i];
    }
    for (uint64_t i = 0; i < t->n_aux; i++) {
        if (space->aux == NULL || space->aux->words[i / 64] >> (i % 64) & 1) {
            all[n++] = t->aux[i];
        }
    }
    assert_int_equal(n, space->n_points);
    return all;
}

static void check_run(const scalar_run *run, const fr_plain *expected) {
    size_t k = 0;
    for (size_t i = 0; i < run->n; i++) {
        fr_plain v = {{run->bits[i / 64] >> (i % 64) & 1, 0, 0, 0}};
        if (k < run->n_wide && run->wide_at[k] == i) {
            assert_int_equal(v.l[0], 0);
            v = run->wide[k++];
        }
        assert_memory_equal(&v, &expected[i], sizeof v);
    }
    assert_int_equal(k, run->n_wide);
}

static void check_space(const sample *t, const point_space *space, const fr_plain *inputs,
                        const cuzk_ctx *ctx, size_t chunk) {
    fr_plain *expected = expected_scalars(t, space, inputs);
    const size_t len = cuzk_scalar_run_bytes(chunk);
    cuzk_scratch scratch = {aligned_alloc(CUZK_CACHE_LINE, len), len, 0};
    scalar_run run;
    cuzk_scalar_run_init(&run, &scratch, chunk);
    assert_int_equal(scratch.used_bytes, len);
    for (uint64_t first = 0; first < space->n_points; first += chunk) {
        size_t n = space->n_points - first < chunk ? (size_t)(space->n_points - first) : chunk;
        assert_int_equal(cuzk_scalar_run_gather(&run, ctx, space, inputs, &t->w, first, n, NULL),
                         CUZK_OK);
        check_run(&run, expected + first);
    }
    free(scratch.base);
    free(expected);
}

static void check_sample(uint64_t n_aux, unsigned percent, const cuzk_ctx *ctx, size_t chunk,
                         uint64_t seed) {
    test_rng rng = {seed};
    sample t;
    sample_init(&t, n_aux, percent, &rng);
    uint64_t *ranks = malloc(point_space_ranks(&t.aux_density) * sizeof *ranks);
    point_space space;
    cuzk_point_space_init(&space, NULL, 0, NULL, n_aux, NULL);
    check_space(&t, &space, NULL, ctx, chunk);
    cuzk_point_space_init(&space, NULL, SAMPLE_INPUTS, &t.aux_density, n_aux, ranks);
    check_space(&t, &space, t.inputs, ctx, chunk);
    cuzk_point_space_init(&space, &t.input_density, SAMPLE_INPUTS, &t.aux_density, n_aux, ranks);
    check_space(&t, &space, t.chosen_inputs, ctx, chunk);
    free(ranks);
    sample_clear(&t);
}

static void test_sizes_and_densities(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const uint64_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 8192, 20000};
    const unsigned percents[] = {0, 3, 50, 99, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof percents / sizeof percents[0]; j++) {
            check_sample(sizes[i], percents[j], &ctx, 1 << 15, 1 + i * 16 + j);
        }
    }
}

static void test_chunks(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const size_t chunks[] = {1, 63, 100, 8191, 8192, 8193, 10000};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        check_sample(chunks[i] < 100 ? 500 : 30000, 60, &ctx, chunks[i], 77 + i);
    }
}

static void test_threads(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    assert_int_equal(cuzk_pool_create(&ctx.pool, 4, NULL), CUZK_OK);
    check_sample(200000, 99, &ctx, 1 << 17, 5);
    check_sample(200000, 25, &ctx, 1 << 16, 6);
    cuzk_pool_destroy(ctx.pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_and_densities),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* LABELS: levels */
/* Grids of points against sums one by one: parts of rows, several rows, cancellations, doublings.
 */
#include "curve/curve_kernels.h"
#include "msm/point_grid.h"
#include "support/support.h"

#include <stdlib.h>

enum { N_ROWS = 3 };

/* p[i] = [start + step i] G */
static void g1_chain(g1_affine *p, size_t n, uint64_t start, uint64_t step) {
    g1_jac *chain = malloc(n * sizeof *chain), generator, increment;
    const fr_plain from = {{start, 0, 0, 0}}, by = {{step, 0, 0, 0}};
    g1_jac_from_affine(&generator, &cuzk_g1_generator);
    cuzk_g1_jac_mul(&increment, &generator, &by);
    cuzk_g1_jac_mul(&chain[0], &generator, &from);
    for (size_t i = 1; i < n; i++) {
        g1_jac_add(&chain[i], &chain[i - 1], &increment);
    }
    cuzk_curve_kernels()->g1_to_affine(p, chain, n);
    free(chain);
}

static void g2_chain(g2_affine *p, size_t n, uint64_t start, uint64_t step) {
    g2_jac *chain = malloc(n * sizeof *chain), generator, increment;
    const fr_plain from = {{start, 0, 0, 0}}, by = {{step, 0, 0, 0}};
    g2_jac_from_affine(&generator, &cuzk_g2_generator);
    cuzk_g2_jac_mul(&increment, &generator, &by);
    cuzk_g2_jac_mul(&chain[0], &generator, &from);
    for (size_t i = 1; i < n; i++) {
        g2_jac_add(&chain[i], &chain[i - 1], &increment);
    }
    cuzk_curve_kernels()->g2_to_affine(p, chain, n);
    free(chain);
}

/* Where a run begins and how long it is. */
static const struct {
    uint64_t first;
    size_t n;
} runs[] = {{0, 1},
            {5, 9},
            {GRID_COLUMNS - 1, 1},
            {GRID_COLUMNS - 3, 7},
            {GRID_COLUMNS, GRID_COLUMNS},
            {100, 2 * GRID_COLUMNS + 50},
            {2 * GRID_COLUMNS + 4000, 96}};

static void check(const cuzk_ctx *ctx) {
    static g1_affine rows1[N_ROWS], columns1[GRID_COLUMNS], r1[3 * GRID_COLUMNS];
    static g2_affine rows2[N_ROWS], columns2[GRID_COLUMNS], r2[3 * GRID_COLUMNS];
    /* row 1 is column 4 (a doubling there), row 2 the negative of column 3 */
    g1_chain(columns1, GRID_COLUMNS, 7, 2);
    g2_chain(columns2, GRID_COLUMNS, 7, 2);
    g1_chain(rows1, 1, 1000003, 1);
    g2_chain(rows2, 1, 1000003, 1);
    rows1[1] = columns1[4];
    rows2[1] = columns2[4];
    rows1[2] = columns1[3];
    rows2[2] = columns2[3];
    fp_neg(&rows1[2].y, &rows1[2].y);
    fp2_neg(&rows2[2].y, &rows2[2].y);
    uint64_t cpu_ns = 0;
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const uint64_t first = runs[k].first;
        const size_t n = runs[k].n;
        assert_int_equal(cuzk_point_grid_g1(ctx, r1, rows1, columns1, first, n, &cpu_ns, NULL),
                         CUZK_OK);
        assert_int_equal(cuzk_point_grid_g2(ctx, r2, rows2, columns2, first, n, NULL, NULL),
                         CUZK_OK);
        for (size_t i = 0; i < n; i += i < 8 ? 1 : 37) {
            const size_t row = (size_t)(first + i) / GRID_COLUMNS;
            const size_t column = (size_t)(first + i) % GRID_COLUMNS;
            g1_jac p;
            g2_jac q;
            g1_affine p_affine;
            g2_affine q_affine;
            g1_jac_from_affine(&p, &rows1[row]);
            g1_jac_add_affine(&p, &p, &columns1[column]);
            cuzk_g1_jac_to_affine(&p_affine, &p);
            assert_memory_equal(&r1[i], &p_affine, sizeof p_affine);
            g2_jac_from_affine(&q, &rows2[row]);
            g2_jac_add_affine(&q, &q, &columns2[column]);
            cuzk_g2_jac_to_affine(&q_affine, &q);
            assert_memory_equal(&r2[i], &q_affine, sizeof q_affine);
        }
    }
    assert_true(cpu_ns > 0);
}

static void test_grid(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    check(&ctx);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 3, NULL), CUZK_OK);
    check(&ctx);
    cuzk_pool_destroy(ctx.pool);
}

static void test_failures(void **state) {
    (void)state;
    cuzk_cancel cancel = {false};
    cuzk_ctx ctx = {.cancel = &cancel};
    g1_affine columns[2] = {cuzk_g1_generator, cuzk_g1_generator}, r;
    assert_int_equal(cuzk_point_grid_g1(&ctx, &r, &cuzk_g1_generator, columns, 0, 0, NULL, NULL),
                     CUZK_OK);
    assert_int_equal(cuzk_account_create(&ctx.account, 100, NULL), CUZK_OK);
    assert_int_equal(cuzk_point_grid_g1(&ctx, &r, &cuzk_g1_generator, columns, 0, 1, NULL, NULL),
                     CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cuzk_account_destroy(ctx.account);
    ctx.account = NULL;
    cuzk_cancel_set(&cancel);
    assert_int_equal(cuzk_point_grid_g1(&ctx, &r, &cuzk_g1_generator, columns, 0, 1, NULL, NULL),
                     CUZK_E_CANCELLED);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grid),
                                       cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

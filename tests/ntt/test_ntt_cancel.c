/* Transforms cancelled at every task. LABELS: levels tsan */
#include <stdlib.h>

#include "ntt/ntt.h"
#include "support/cancel_at.h"

enum { LOG2_N = 15, N = 1 << LOG2_N };

typedef struct round_trip {
    ntt_domain *domain;
    ntt_kind forward, inverse;
    ntt_order order, back;
    fr_plain *before, *x;
} round_trip;

/* There and back again. */
static cuzk_status transform(void *arg, const cuzk_ctx *ctx, cuzk_error *err) {
    const round_trip *t = arg;
    memcpy(t->x, t->before, N * sizeof *t->x);
    cuzk_status status = cuzk_ntt(ctx, t->domain, t->x, t->forward, t->order, err);
    if (status == CUZK_OK) {
        status = cuzk_ntt(ctx, t->domain, t->x, t->inverse, t->back, err);
    }
    if (status == CUZK_OK) {
        assert_memory_equal(t->x, t->before, N * sizeof *t->x);
    }
    return status;
}

static void test_cancel(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    round_trip trips[] = {
        {.forward = NTT_FORWARD, .inverse = NTT_INVERSE},
        {.forward = NTT_COSET, .inverse = NTT_COSET_INVERSE},
        {.forward = NTT_COSET,
         .inverse = NTT_COSET_INVERSE,
         .order = NTT_OUT_REORDERED,
         .back = NTT_IN_REORDERED},
    };
    cuzk_pool *pool;
    ntt_domain *domain;
    fr_plain *before = malloc(N * sizeof *before), *x = malloc(N * sizeof *x);
    test_rng rng = {15};
    for (size_t i = 0; i < N; i++) {
        test_rng_fr_plain(&before[i], &rng);
    }
    assert_int_equal(cuzk_pool_create(&pool, 2, NULL), CUZK_OK);
    assert_int_equal(cuzk_ntt_domain_create(&domain, &ctx, LOG2_N, NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof trips / sizeof trips[0]; i++) {
        trips[i].domain = domain;
        trips[i].before = before;
        trips[i].x = x;
        check_cancel_everywhere(NULL, transform, &trips[i], 0);
        check_cancel_everywhere(pool, transform, &trips[i], 0);
    }
    cuzk_ntt_domain_destroy(domain);
    cuzk_pool_destroy(pool);
    free(before);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cancel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

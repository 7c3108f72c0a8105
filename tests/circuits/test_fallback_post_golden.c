/* LABELS: slow heavy
 * The real 32 GiB WindowPoSt vanilla proof: parsed, checked, synthesised in full (125 million
 * constraints), every row evaluated, digests as the reference's. 4.1 GB, 150 CPU
 * seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rss.h"
#include "filecoin/post_check.h"
#include "support/post_support.h"
#include "support/witness_vectors.h"

#define LIMIT_BYTES ((size_t)12000000000)

static const cuzk_ctx plain_ctx;

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void test_golden(void **state) {
    (void)state;
    test_post p;
    fallback_post self;
    cuzk_rss_sampler *sampler;
    assert_int_equal(cuzk_rss_start(&sampler, NULL), CUZK_OK);
    double start = cpu_seconds();
    test_post_open(&p, "inputs/window-32GiB-golden");
    assert_int_equal(cuzk_post_check(&plain_ctx, p.proofs, &p.s, NULL, NULL), CUZK_OK);
    const r1cs_circuit circuit = test_post_circuit(&self, &p, 0);

    r1cs_witness w;
    assert_int_equal(cuzk_r1cs_witness_create(&w, &plain_ctx, &circuit, NULL), CUZK_OK);
    printf("synthesis: %.1f CPU s, %.2f GB\n", cpu_seconds() - start,
           (double)cuzk_rss_peak(sampler) / 1e9);
    size_t n = cuzk_post_input_count(p.s.type);
    fr_plain *inputs = malloc(n * sizeof *inputs);
    assert_non_null(inputs);
    assert_int_equal(cuzk_post_inputs(inputs, &p.s, 0, NULL), CUZK_OK);
    assert_int_equal(w.assignment.n_inputs, n + 1);
    assert_memory_equal(w.assignment.inputs + 1, inputs, n * sizeof *inputs);
    free(inputs);

    test_assignment_vector("window-32GiB-golden.p0", &circuit, &w.assignment);
    cuzk_r1cs_witness_clear(&w);
    size_t peak = cuzk_rss_stop(sampler);
    printf("in all: %.1f CPU s, %.2f GB\n", cpu_seconds() - start, (double)peak / 1e9);
    assert_true(peak < LIMIT_BYTES);
    test_post_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

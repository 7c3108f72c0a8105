/* LABELS: slow
 * The native check of a full WindowPoSt partition of 32 GiB sectors. Prints what it cost. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "filecoin/post_check.h"
#include "support/post_support.h"

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void full_partition(void **state) {
    (void)state;
    const post_proof_type *type = cuzk_post_proof_by_number(13);
    const cuzk_ctx ctx = {0};
    const size_t n = type->size->window_sectors;
    test_post p;
    cuzk_error err;
    bool *bad = malloc(n * sizeof *bad);
    assert_non_null(bad);
    test_post_fabricate(&p, type, n);
    double start = cpu_seconds();
    if (cuzk_post_check(&ctx, p.proofs, &p.s, bad, &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
    printf("%zu sectors: %.2f CPU s\n", n, cpu_seconds() - start);

    static const size_t faults[] = {1000, 1001, 2348};
    for (size_t i = 0; i < 3; i++) {
        digest *sibling = (digest *)&p.proofs[faults[i]].inclusions[i].siblings[69];
        sibling->bytes[20] ^= 16; /* the last one of the top level */
    }
    assert_int_equal(cuzk_post_check(&ctx, p.proofs, &p.s, bad, &err), CUZK_E_INCONSISTENT);
    assert_string_equal(err.text,
                        "vanilla proof of sector 2000, challenge 0 is inconsistent: the path does "
                        "not lead from its leaf to comm_r_last [partition=0 bad=3 of=2349 "
                        "bad_sectors=2000-2001,3348]");
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(bad[i], i == 1000 || i == 1001 || i == 2348);
    }
    free(bad);
    test_post_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Group laws, multiples, subgroup checks. LABELS: levels */
#include "curve/curve_kernels.h"
#include "curve_constants.h"
#include "support/support.h"

static void random_fp2(fp2 *r, test_rng *rng) {
    test_rng_fp(&r->c0, rng);
    test_rng_fp(&r->c1, rng);
}

#define G(name) g1_##name
#define GT(name) g1_##name
#define CG(name) cuzk_g1_##name
#define KERNEL(name) g1_##name
#define F fp
#define FN(name) fp_##name
#define CF(name) cuzk_fp_##name
#define FB G1_B
#define RANDOM test_rng_fp
#include "group_laws.h"
#undef G
#undef GT
#undef CG
#undef KERNEL
#undef F
#undef FN
#undef CF
#undef FB
#undef RANDOM

#define G(name) g2_##name
#define GT(name) g2_##name
#define CG(name) cuzk_g2_##name
#define KERNEL(name) g2_##name
#define F fp2
#define FN(name) fp2_##name
#define CF(name) cuzk_fp2_##name
#define FB G2_B
#define RANDOM random_fp2
#include "group_laws.h"

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(g1_test_sums),
        cmocka_unit_test(g2_test_sums),
        cmocka_unit_test(g1_test_multiples),
        cmocka_unit_test(g2_test_multiples),
        cmocka_unit_test(g1_test_subgroup),
        cmocka_unit_test(g2_test_subgroup),
        cmocka_unit_test(g1_test_batch_to_affine),
        cmocka_unit_test(g2_test_batch_to_affine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

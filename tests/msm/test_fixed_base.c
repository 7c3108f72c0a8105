/* Multiples of one point against multiplications one by one. LABELS: levels */
#include "patterns.h"

#define G(name) g1_##name
#define GT(name) g1_##name
#define CG(name) cuzk_g1_##name
#define TABLE(name) cuzk_fixed_base_g1_##name
#define TABLE_TYPE fixed_base_g1
#include "multiples_cases.h"
#undef G
#undef GT
#undef CG
#undef TABLE
#undef TABLE_TYPE

#define G(name) g2_##name
#define GT(name) g2_##name
#define CG(name) cuzk_g2_##name
#define TABLE(name) cuzk_fixed_base_g2_##name
#define TABLE_TYPE fixed_base_g2
#include "multiples_cases.h"

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(g1_test_multiples),
        cmocka_unit_test(g2_test_multiples),
        cmocka_unit_test(g1_test_failures),
        cmocka_unit_test(g2_test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* LABELS: slow
 * PoRep circuits of every sector size: sizes, densities and digests of circuits.md 3.4. A big one
 * takes minutes; name some as arguments to run only these. */
#include "support/porep_support.h"

#include <stdio.h>

static const porep_row rows[] = {
    {{7, {8, 2, 0, 2}, 2, 2},
     2773158,
     716039,
     22,
     {0, 0, 0},
     {"PoRep 4KiB", 2788733, 2786423, 40,
      "d5a90de3471d6cb4e52b8c98d4b87433e1d9f5dbf44a0afea62d4a4287097029"}},
    {{9, {8, 8, 0, 2}, 2, 2},
     2959930,
     766963,
     22,
     {0, 0, 0},
     {"PoRep 16KiB", 2977173, 2974867, 40,
      "6825ed63d62c7afbb8b1fb2d25691c057e124fd150b78ffca3eeb6f3b12eda6a"}},
    {{10, {8, 8, 2, 2}, 2, 2},
     3058180,
     797481,
     22,
     {0, 0, 0},
     {"PoRep 32KiB", 3077985, 3075617, 40,
      "98076e135128c2457e7463f283a92ccc597eaddac7dc439a5532d1f4fcb4009b"}},
    {{18, {8, 0, 0, 6}, 2, 2},
     3814996,
     1011289,
     22,
     {9388413, 3847886, 8234882},
     {"PoRep 8MiB", 3844929, 3842449, 40,
      "b1fe5a4629fb8fc6684d6c90d6f8d6d32e5bccf6bc9439e4e8a9758e579328db"}},
    {{19, {8, 2, 0, 6}, 2, 2},
     3913246,
     1041807,
     22,
     {0, 0, 0},
     {"PoRep 16MiB", 3945741, 3943199, 40,
      "3f9771852d0d19d49761c876199520f0204ff8ff07281ef38247ad1e63fba34f"}},
    {{24, {8, 0, 0, 8}, 2, 2},
     4385040,
     1174173,
     23,
     {10872137, 4427326, 9439982},
     {"PoRep 512MiB", 4423433, 4420837, 40,
      "c7ade8c93707968e967cce4507669258eab20ff010e6dc1827d55544ee671cbb"}},
    {{25, {8, 2, 0, 8}, 2, 2},
     4483290,
     1204691,
     23,
     {0, 0, 0},
     {"PoRep 1GiB", 4524245, 4521587, 40,
      "adf871d80ddc70fe9f406e12394fb8559a13fd95ff78eb351516c02929016588"}},
    {{30, {8, 8, 0, 9}, 11, 18},
     129753292,
     33112281,
     27,
     {309404723, 130327340, 282656500},
     {"PoRep 32GiB", 130278541, 130169893, 328,
      "a790207ea0435359e7d5f286563586e3f9a3a286c97af2440f65a4a18063d9cb"}},
    {{31, {8, 8, 2, 9}, 11, 18},
     130637542,
     33386943,
     27,
     {311892197, 131235764, 284512534},
     {"PoRep 64GiB", 131185849, 131076643, 328,
      "7686117961498d7849ede7429233254b20e3b149011eca8674ca8e9ab0655af6"}},
};
#define N_ROWS (sizeof rows / sizeof rows[0])

static void test_row(void **state) {
    const porep_row *row = *state;
    test_porep_row(row);
}

int main(int argc, char **argv) {
    struct CMUnitTest tests[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++) {
        tests[i] = (struct CMUnitTest){
            .name = rows[i].row.name, .test_func = test_row, .initial_state = (void *)&rows[i]};
    }
    return test_run_named("porep", tests, N_ROWS, argc, argv);
}

/* LABELS: slow
 * WindowPoSt circuits of the largest sectors: sizes, densities and digests of circuits.md 4.5. Each
 * takes a minute or two; name one as an argument to run only it. */
#include "support/post_support.h"

static const post_row rows[] = {
    {96179805,
     91925766,
     27,
     {"wpost-32g", 125279217, 126902376, 25840,
      "1036a47757014fa295aee4d8539d43c45adaf71c80a4b17c1dba6eca41b0d54f"}},
    {99624500,
     95413200,
     27,
     {"wpost-64g", 129887900, 131500200, 25301,
      "c0067486fdc1ab0885e045ae7e61190ec4cdc979f939d08d67c3d06fc3c6f42c"}},
};
#define N_ROWS (sizeof rows / sizeof rows[0])

static void test_row(void **state) {
    const post_row *row = *state;
    test_post_row(row);
}

int main(int argc, char **argv) {
    struct CMUnitTest tests[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++) {
        tests[i] = (struct CMUnitTest){
            .name = rows[i].row.name, .test_func = test_row, .initial_state = (void *)&rows[i]};
    }
    return test_run_named("post", tests, N_ROWS, argc, argv);
}

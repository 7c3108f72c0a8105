/* Times the densities of the 32 GiB circuits: computed, and read from a file
 * (r1cs/densities_file.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/structure_cache.h"
#include "filecoin/circuit_sizes.h"
#include "support/harness.h"

typedef struct structure_bench {
    const bench *b;
    param_set set;
    const char *directory; /* NULL: computed */
} structure_bench;

static void get(void *arg) {
    const structure_bench *s = arg;
    r1cs_densities d;
    cuzk_error err;
    if (cuzk_structure_of(&d, &s->b->ctx, &s->set, s->directory, &err) != CUZK_OK) {
        fprintf(stderr, "bench-structure: %s\n", err.text);
        exit(1);
    }
    cuzk_r1cs_densities_clear(&d);
}

int main(int argc, char **argv) {
    static const char *const circuits[] = {"porep-2k", "winning-32g", "porep-32g", "wpost-32g",
                                           "snap-32g"};
    bench b;
    bench_init(&b, argc, argv);
    char directory[] = "/tmp/bench-structure-XXXXXX", path[100];
    CUZK_ASSERT(mkdtemp(directory) != NULL);
    for (size_t i = 0; i < sizeof circuits / sizeof circuits[0]; i++) {
        structure_bench s = {.b = &b};
        CUZK_ASSERT(cuzk_param_set_by_id(&s.set, circuits[i], NULL) == CUZK_OK);
        const uint64_t size = cuzk_circuit_sizes_of(circuits[i])->n_constraints;
        bench_run(&b, "structure_computed", size, 1, get, &s);
        s.directory = directory;
        bench_run(&b, "structure_read", size, 1, get, &s);
        snprintf(path, sizeof path, "%s/%s.densities", directory, circuits[i]);
        unlink(path);
    }
    rmdir(directory);
    bench_clear(&b);
    return 0;
}

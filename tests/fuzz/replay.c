/* Runs a fuzz target over its seeds without a fuzzer: each as it is, cut at some places, and with
 * single bytes changed.
 *
 * usage: fuzz-NAME FOLDER */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_target.h"
#include "support/support.h"

#define N_CUTS 64
#define N_CHANGES 128

/* A copy of just these bytes, so that the address sanitizer sees a read behind them. */
static void run(const uint8_t *data, size_t len_bytes) {
    uint8_t *copy = malloc(len_bytes > 0 ? len_bytes : 1);
    assert_non_null(copy);
    if (len_bytes > 0) {
        memcpy(copy, data, len_bytes);
    }
    assert_int_equal(LLVMFuzzerTestOneInput(copy, len_bytes), 0);
    free(copy);
}

static void replay(const char *path, test_rng *rng) {
    size_t len;
    uint8_t *data = test_read_file(path, &len);
    run(data, len);
    for (size_t i = 0; i < N_CUTS; i++) {
        run(data, len * i / N_CUTS);
    }
    for (size_t i = 0; i < N_CHANGES && len > 0; i++) {
        const size_t at = (size_t)(test_rng_u64(rng) % len);
        const uint8_t kept = data[at];
        data[at] = (uint8_t)test_rng_u64(rng);
        run(data, len);
        data[at] = kept;
    }
    free(data);
}

int main(int argc, char **argv) {
    test_rng rng = {1};
    size_t n_seeds = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        replay(path, &rng);
        n_seeds++;
    }
    closedir(folder);
    printf("%zu seeds\n", n_seeds);
    return n_seeds > 0 ? 0 : 1;
}

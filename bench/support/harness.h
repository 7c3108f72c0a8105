/* What benchmarks share: options, the best of several repeats, one JSON line a measurement:
 *
 *   {"peer":"cuzk","version":"1a2b3c4","op":"fp_mul","size":1,"threads":1,"level":"adx","wall_s_min":2.0e-08,
 *    "cpu_s_min":2.0e-08,"repeats":9}
 *
 * wall_s_min and cpu_s_min are the smallest wall time and the smallest user + system time of the
 * whole process over the repeats, taken separately. level is the CPU level in force; CUZK_CPU
 * lowers it. */
#ifndef CUZK_BENCH_HARNESS_H
#define CUZK_BENCH_HARNESS_H

#include "base/pool.h"

typedef struct bench {
    const char *version; /* --version, the git commit; "unknown" */
    const char *ops;     /* --ops, a list with commas; NULL: all */
    unsigned threads;    /* --threads; 1 */
    unsigned min_log2; /* --min-log, --max-log: bounds of sizes 2^k, where a benchmark has such; 10
                          and 18 */
    unsigned max_log2;
    double seconds; /* --seconds for each measurement, at least three repeats; 1.0 */
    cuzk_ctx ctx;   /* with a pool of `threads` workers, none for one thread */
} bench;

/* Reads the options and creates the pool. Ends the program with a text on bad ones. */
void bench_init(bench *b, int argc, char **argv);
void bench_clear(bench *b);

/* Whether --ops asks for it. */
bool bench_wants(const bench *b, const char *op);

/* Work to be timed: does what is measured `n_inner` times. */
typedef void (*bench_fn)(void *arg);

/* Runs fn once untimed, then times it until `seconds` have passed, and prints the line; times are
 * divided by n_inner. Does nothing if the op is not wanted. */
void bench_run(const bench *b, const char *op, uint64_t size, double n_inner, bench_fn fn,
               void *arg);

/* The generator of peers/README.md: state 0x9e3779b97f4a7c15 to start with. */
#define BENCH_RNG_START 0x9e3779b97f4a7c15ull
static inline uint64_t bench_rng(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
/* n scalars below 2^254 of four words each, from one state. */
void bench_scalars(uint64_t *words, size_t n, uint64_t *state);

#endif

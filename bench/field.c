/* Times products, sums and differences of Fp and Fr over 256 independent elements, and inverses.
 * Where the level in force has lanes, fp_mul, fp_sqr, fp2_mul and fr_mul are for elements in lanes,
 * a lane; the _vector ops always for elements in memory. */
#include "field/field_kernels.h"
#include "support/field_lanes.h"
#include "support/harness.h"

#define N_ELEMENTS 256
#define N_ROUNDS 64

typedef struct field_bench {
    const field_kernels *kernels;
    fp fp_a[N_ELEMENTS], fp_b[N_ELEMENTS], fp_r[N_ELEMENTS];
    fr fr_a[N_ELEMENTS], fr_b[N_ELEMENTS], fr_r[N_ELEMENTS];
} field_bench;

static void fp_products(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        f->kernels->fp_mul(f->fp_r, f->fp_a, f->fp_b, N_ELEMENTS);
    }
}

static void fp_squares(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        f->kernels->fp_sqr(f->fp_r, f->fp_a, N_ELEMENTS);
    }
}

static void fr_products(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        f->kernels->fr_mul(f->fr_r, f->fr_a, f->fr_b, N_ELEMENTS);
    }
}

static void fp_sums(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        for (int k = 0; k < N_ELEMENTS; k++) {
            fp_add(&f->fp_r[k], &f->fp_a[k], &f->fp_b[k]);
        }
        __asm__ volatile("" : : : "memory"); /* each round is done */
    }
}

static void fp_differences(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        for (int k = 0; k < N_ELEMENTS; k++) {
            fp_sub(&f->fp_r[k], &f->fp_a[k], &f->fp_b[k]);
        }
        __asm__ volatile("" : : : "memory"); /* each round is done */
    }
}

static void fr_sums(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        for (int k = 0; k < N_ELEMENTS; k++) {
            fr_add(&f->fr_r[k], &f->fr_a[k], &f->fr_b[k]);
        }
        __asm__ volatile("" : : : "memory"); /* each round is done */
    }
}

static void fr_differences(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ROUNDS; i++) {
        for (int k = 0; k < N_ELEMENTS; k++) {
            fr_sub(&f->fr_r[k], &f->fr_a[k], &f->fr_b[k]);
        }
        __asm__ volatile("" : : : "memory"); /* each round is done */
    }
}

static void fp_inverses(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ELEMENTS; i++) {
        cuzk_fp_inv(&f->fp_r[i], &f->fp_a[i]);
    }
}

static void fr_inverses(void *arg) {
    field_bench *f = arg;
    for (int i = 0; i < N_ELEMENTS; i++) {
        cuzk_fr_inv(&f->fr_r[i], &f->fr_a[i]);
    }
}

int main(int argc, char **argv) {
    bench b;
    bench_init(&b, argc, argv);
    static field_bench f;
    f.kernels = cuzk_field_kernels();
    uint64_t state = BENCH_RNG_START;
    for (int i = 0; i < N_ELEMENTS; i++) {
        bench_scalars(f.fr_a[i].l, 1, &state);
        bench_scalars(f.fr_b[i].l, 1, &state);
        for (int k = 0; k < 6; k++) {
            f.fp_a[i].l[k] = bench_rng(&state) >> (k == 5 ? 4 : 0);
            f.fp_b[i].l[k] = bench_rng(&state) >> (k == 5 ? 4 : 0);
        }
    }
    bool in_lanes = cuzk_cpu_level_now() >= CUZK_CPU_AVX512IFMA;
#ifdef CUZK_HAVE_X86
    unsigned n_rounds = N_ROUNDS;
    for (const bench_lanes_op *op = bench_lanes_ops; in_lanes && op->name != NULL; op++) {
        bench_run(&b, op->name, 1, BENCH_LANES_ELEMENTS * N_ROUNDS, op->run, &n_rounds);
    }
#endif
    if (!in_lanes) {
        bench_run(&b, "fp_mul", 1, N_ELEMENTS * N_ROUNDS, fp_products, &f);
        bench_run(&b, "fp_sqr", 1, N_ELEMENTS * N_ROUNDS, fp_squares, &f);
        bench_run(&b, "fr_mul", 1, N_ELEMENTS * N_ROUNDS, fr_products, &f);
    }
    bench_run(&b, "fp_mul_vector", 1, N_ELEMENTS * N_ROUNDS, fp_products, &f);
    bench_run(&b, "fr_mul_vector", 1, N_ELEMENTS * N_ROUNDS, fr_products, &f);
    bench_run(&b, "fp_add", 1, N_ELEMENTS * N_ROUNDS, fp_sums, &f);
    bench_run(&b, "fp_sub", 1, N_ELEMENTS * N_ROUNDS, fp_differences, &f);
    bench_run(&b, "fr_add", 1, N_ELEMENTS * N_ROUNDS, fr_sums, &f);
    bench_run(&b, "fr_sub", 1, N_ELEMENTS * N_ROUNDS, fr_differences, &f);
    bench_run(&b, "fp_inv", 1, N_ELEMENTS, fp_inverses, &f);
    bench_run(&b, "fr_inv", 1, N_ELEMENTS, fr_inverses, &f);
    bench_clear(&b);
    return 0;
}

/* Products of elements in lanes. */
#include "field/fp2x8.h"
#include "field/fr8.h"
#include "support/field_lanes.h"

#define N_VECTORS (BENCH_LANES_ELEMENTS / LANES)

/* Zeros, as times do not depend on values. */
static fp2x8 fp2_a[N_VECTORS], fp2_b[N_VECTORS], fp2_r[N_VECTORS];
static fr8 fr_a[N_VECTORS], fr_b[N_VECTORS], fr_r[N_VECTORS];

/* Not inlined, with arrays whose contents the compiler cannot know and results that may be read
 * after each round, so that all is computed. */
static __attribute__((noinline)) void repeat(void (*round)(void), const void *n_rounds) {
    __asm__ volatile("" : : "r"(fp2_a), "r"(fp2_b), "r"(fr_a), "r"(fr_b) : "memory");
    for (unsigned i = 0; i < *(const unsigned *)n_rounds; i++) {
        round();
        __asm__ volatile("" : : "r"(fp2_r), "r"(fr_r) : "memory");
    }
}

static void fp_products(void) {
    for (int i = 0; i < N_VECTORS; i++) {
        fp8_mul(&fp2_r[i].c0, &fp2_a[i].c0, &fp2_b[i].c0);
    }
}
static void fp_squares(void) {
    for (int i = 0; i < N_VECTORS; i++) {
        fp8_sqr(&fp2_r[i].c0, &fp2_a[i].c0);
    }
}
static void fp2_products(void) {
    for (int i = 0; i < N_VECTORS; i++) {
        fp2x8_mul(&fp2_r[i], &fp2_a[i], &fp2_b[i]);
    }
}
static void fr_products(void) {
    for (int i = 0; i < N_VECTORS; i++) {
        fr8_mul(&fr_r[i], &fr_a[i], &fr_b[i]);
    }
}

static void run_fp_mul(void *arg) { repeat(fp_products, arg); }
static void run_fp_sqr(void *arg) { repeat(fp_squares, arg); }
static void run_fp2_mul(void *arg) { repeat(fp2_products, arg); }
static void run_fr_mul(void *arg) { repeat(fr_products, arg); }

const bench_lanes_op bench_lanes_ops[] = {
    {"fp_mul", run_fp_mul}, {"fp_sqr", run_fp_sqr}, {"fp2_mul", run_fp2_mul},
    {"fr_mul", run_fr_mul}, {NULL, NULL},
};

/* Times single operations on G1 and G2, decoding and subgroup checks, and the pairing. */
#include "curve/curve_kernels.h"
#include "support/harness.h"

enum { N_POINTS = 64, N_DECODE_ROUNDS = 64 };

typedef struct curve_bench {
    const curve_kernels *kernels;
    const curve_kernels *single; /* the same, or of the level below lanes */
    g1_affine p[N_POINTS];
    g2_affine q[N_POINTS];
    g1_jac p_jac[N_POINTS], p_sum[N_POINTS];
    g2_jac q_jac[N_POINTS], q_sum[N_POINTS];
    fr_plain k[N_POINTS];
    uint8_t p_bytes[N_POINTS * G1_UNCOMPRESSED_BYTES], q_bytes[N_POINTS * G2_UNCOMPRESSED_BYTES];
    uint8_t p_short[N_POINTS * G1_COMPRESSED_BYTES], q_short[N_POINTS * G2_COMPRESSED_BYTES];
    g1_affine p_out[N_POINTS];
    g2_affine q_out[N_POINTS];
    fp12 f;
} curve_bench;

/* P_0 = generator, P_(i+1) = 2 P_i + generator */
static void make_points(curve_bench *c) {
    g1_jac_from_affine(&c->p_jac[0], &cuzk_g1_generator);
    g2_jac_from_affine(&c->q_jac[0], &cuzk_g2_generator);
    for (int i = 1; i < N_POINTS; i++) {
        g1_jac_dbl(&c->p_jac[i], &c->p_jac[i - 1]);
        g1_jac_add_affine(&c->p_jac[i], &c->p_jac[i], &cuzk_g1_generator);
        g2_jac_dbl(&c->q_jac[i], &c->q_jac[i - 1]);
        g2_jac_add_affine(&c->q_jac[i], &c->q_jac[i], &cuzk_g2_generator);
    }
    c->kernels->g1_to_affine(c->p, c->p_jac, N_POINTS);
    c->kernels->g2_to_affine(c->q, c->q_jac, N_POINTS);
    c->kernels->g1_encode(c->p_bytes, c->p, N_POINTS);
    c->kernels->g2_encode(c->q_bytes, c->q, N_POINTS);
    c->kernels->g1_compress(c->p_short, c->p, N_POINTS);
    c->kernels->g2_compress(c->q_short, c->q, N_POINTS);
    for (int i = 0; i < N_POINTS; i++) { /* sums of unlike points, none with z = 1 */
        c->p_sum[i] = c->p_jac[(i + 7) % N_POINTS];
        c->q_sum[i] = c->q_jac[(i + 7) % N_POINTS];
    }
    uint64_t state = BENCH_RNG_START;
    bench_scalars(c->k[0].l, N_POINTS, &state);
}

static void g1_add(void *arg) {
    curve_bench *c = arg;
    c->kernels->g1_add(c->p_sum, c->p_jac, N_POINTS);
}
static void g1_add_mixed(void *arg) {
    curve_bench *c = arg;
    c->kernels->g1_add_affine(c->p_sum, c->p, N_POINTS);
}
static void g2_add_mixed(void *arg) {
    curve_bench *c = arg;
    c->kernels->g2_add_affine(c->q_sum, c->q, N_POINTS);
}
static void g1_subgroup(void *arg) {
    curve_bench *c = arg;
    CUZK_ASSERT(c->kernels->g1_subgroup(c->p, N_POINTS) == N_POINTS);
}
static void g2_subgroup(void *arg) {
    curve_bench *c = arg;
    CUZK_ASSERT(c->kernels->g2_subgroup(c->q, N_POINTS) == N_POINTS);
}
static void g1_decompress(void *arg) {
    curve_bench *c = arg;
    for (int i = 0; i < N_POINTS; i++) {
        c->kernels->g1_read(&c->p_out[i], c->p_short + i * G1_COMPRESSED_BYTES, POINT_COMPRESSED,
                            POINT_CHECK_CURVE);
    }
}
static void g2_decompress(void *arg) {
    curve_bench *c = arg;
    for (int i = 0; i < N_POINTS; i++) {
        c->kernels->g2_read(&c->q_out[i], c->q_short + i * G2_COMPRESSED_BYTES, POINT_COMPRESSED,
                            POINT_CHECK_CURVE);
    }
}
/* With the test for the curve, and without; in lanes where the level in force has them, and one by
 * one. */
static void decode_g1(curve_bench *c, const curve_kernels *kernels, point_check check) {
    point_status status;
    for (int i = 0; i < N_DECODE_ROUNDS; i++) {
        kernels->g1_decode(c->p_out, c->p_bytes, N_POINTS, check, true, &status);
    }
    CUZK_ASSERT(status == POINT_OK);
}
static void decode_g2(curve_bench *c, const curve_kernels *kernels, point_check check) {
    point_status status;
    for (int i = 0; i < N_DECODE_ROUNDS; i++) {
        kernels->g2_decode(c->q_out, c->q_bytes, N_POINTS, check, true, &status);
    }
    CUZK_ASSERT(status == POINT_OK);
}
#define DECODE(g)                                                                                  \
    static void g##_decode(void *arg) {                                                            \
        curve_bench *c = arg;                                                                      \
        decode_##g(c, c->kernels, POINT_CHECK_CURVE);                                              \
    }                                                                                              \
    static void g##_decode_single(void *arg) {                                                     \
        curve_bench *c = arg;                                                                      \
        decode_##g(c, c->single, POINT_CHECK_CURVE);                                               \
    }                                                                                              \
    static void g##_decode_unchecked(void *arg) {                                                  \
        curve_bench *c = arg;                                                                      \
        decode_##g(c, c->kernels, POINT_CHECK_COORDINATES);                                        \
    }                                                                                              \
    static void g##_decode_unchecked_single(void *arg) {                                           \
        curve_bench *c = arg;                                                                      \
        decode_##g(c, c->single, POINT_CHECK_COORDINATES);                                         \
    }
DECODE(g1)
DECODE(g2)
static void g1_mul(void *arg) {
    curve_bench *c = arg;
    c->kernels->g1_mul(c->p_sum, c->p_jac, c->k, N_POINTS);
}
static void g2_mul(void *arg) {
    curve_bench *c = arg;
    c->kernels->g2_mul(c->q_sum, c->q_jac, c->k, N_POINTS);
}
static void miller_loop(void *arg) {
    curve_bench *c = arg;
    c->kernels->miller_loop(&c->f, c->p, c->q, 1);
}
static void final_exponentiation(void *arg) {
    curve_bench *c = arg;
    c->kernels->final_exponentiation(&c->f, &c->f);
}
static void pairing(void *arg) {
    miller_loop(arg);
    final_exponentiation(arg);
}
static void many_miller_loops(void *arg) {
    curve_bench *c = arg;
    c->kernels->miller_loop(&c->f, c->p, c->q, N_POINTS);
}
static void gt_pow(void *arg) {
    curve_bench *c = arg;
    c->kernels->gt_powers(&c->f, &c->f, c->k, 1);
}

int main(int argc, char **argv) {
    bench b;
    bench_init(&b, argc, argv);
    static curve_bench c;
    c.kernels = cuzk_curve_kernels();
    c.single =
        cuzk_cpu_level_now() > CUZK_CPU_ADX ? cuzk_curve_kernels_at(CUZK_CPU_ADX) : c.kernels;
    make_points(&c);
    bench_run(&b, "g1_add", 1, N_POINTS, g1_add, &c);
    bench_run(&b, "g1_add_mixed", 1, N_POINTS, g1_add_mixed, &c);
    bench_run(&b, "g2_add_mixed", 1, N_POINTS, g2_add_mixed, &c);
    bench_run(&b, "g1_mul", 1, N_POINTS, g1_mul, &c);
    bench_run(&b, "g2_mul", 1, N_POINTS, g2_mul, &c);
    bench_run(&b, "g1_subgroup_check", 1, N_POINTS, g1_subgroup, &c);
    bench_run(&b, "g2_subgroup_check", 1, N_POINTS, g2_subgroup, &c);
    bench_run(&b, "g1_decompress", 1, N_POINTS, g1_decompress, &c);
    bench_run(&b, "g2_decompress", 1, N_POINTS, g2_decompress, &c);
    bench_run(&b, "g1_decode", 1, N_POINTS * N_DECODE_ROUNDS, g1_decode, &c);
    bench_run(&b, "g2_decode", 1, N_POINTS * N_DECODE_ROUNDS, g2_decode, &c);
    bench_run(&b, "g1_decode_single", 1, N_POINTS * N_DECODE_ROUNDS, g1_decode_single, &c);
    bench_run(&b, "g1_decode_unchecked", 1, N_POINTS * N_DECODE_ROUNDS, g1_decode_unchecked, &c);
    bench_run(&b, "g1_decode_unchecked_single", 1, N_POINTS * N_DECODE_ROUNDS,
              g1_decode_unchecked_single, &c);
    bench_run(&b, "g2_decode_single", 1, N_POINTS * N_DECODE_ROUNDS, g2_decode_single, &c);
    bench_run(&b, "g2_decode_unchecked", 1, N_POINTS * N_DECODE_ROUNDS, g2_decode_unchecked, &c);
    bench_run(&b, "g2_decode_unchecked_single", 1, N_POINTS * N_DECODE_ROUNDS,
              g2_decode_unchecked_single, &c);
    miller_loop(&c);
    bench_run(&b, "pairing", 1, 1, pairing, &c);
    bench_run(&b, "miller_loop", 1, 1, miller_loop, &c);
    bench_run(&b, "final_exponentiation", 1, 1, final_exponentiation, &c);
    bench_run(&b, "miller_loop", N_POINTS, 1, many_miller_loops, &c);
    bench_run(&b, "gt_pow", 1, 1, gt_pow, &c);
    bench_clear(&b);
    return 0;
}

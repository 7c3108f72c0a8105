/* Plans: sizes from the table of circuits, memory from those who will take it, times from measured
 * unit costs. */
#include "engine/forecast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/machine_memory.h"
#include "curve/curve_kernels.h"
#include "engine/any_circuit.h"
#include "engine/param_files.h"
#include "engine/prove_memory.h"
#include "field/field_kernels.h"
#include "filecoin/circuit_sizes.h"
#include "groth16/groth16_backend.h"
#include "groth16/test_key.h"
#include "hash/rng.h"
#include "msm/msm.h"
#include "ntt/ntt.h"
#include "r1cs/witness.h"

/* ---- unit costs ---- */

enum { LOG2_POINTS = 15, N_POINTS = 1 << LOG2_POINTS, LOG2_TRANSFORM = 18, N_PRODUCTS = 512 };
/* Rounds that fill the buckets of a sum before it is measured, and those that are. */
enum { FILLING_ROUNDS = 4, MEASURED_ROUNDS = 2 };
/* A measurement is the least of so many. */
enum { REPEATS = 3 };

typedef enum unit_group { UNIT_G1, UNIT_G2, UNIT_GROUPS } unit_group;

/* CPU time of a sum over full scalars: each of them, and what comes at the end. */
typedef struct full_sum {
    bool known;
    double scalar_ns, end_ns;
} full_sum;

struct calibration {
    cuzk_ctx ctx; /* one thread */
    groth16_test_key *key;
    groth16_chunk chunk[UNIT_GROUPS];
    fr_plain *scalars;
    double butterfly_ns, fr_mul_ns;
    double bit_ns[UNIT_GROUPS], decode_ns[UNIT_GROUPS]; /* of a point that is read */
    full_sum full[UNIT_GROUPS][MSM_PLANS];
};

static const groth16_section section_of[UNIT_GROUPS] = {GROTH16_L, GROTH16_B_G2};

static void keep_least(double *least, uint64_t since_ns, double n) {
    const double each = (double)(cuzk_thread_cpu_ns() - since_ns) / n;
    *least = *least == 0 || each < *least ? each : *least;
}

static void draw_scalars(calibration *c) {
    chacha_rng rng;
    cuzk_chacha20_seed_u64(&rng, 1);
    for (size_t i = 0; i < N_POINTS; i++) {
        for (int j = 0; j < 4; j++) {
            c->scalars[i].l[j] = cuzk_chacha_u64(&rng) >> (j == 3 ? 2 : 0);
        }
    }
}

static cuzk_status measure_transform(calibration *c, cuzk_error *err) {
    ntt_domain *domain;
    cuzk_block block = {0};
    const double n_butterflies = (double)((uint64_t)LOG2_TRANSFORM << (LOG2_TRANSFORM - 1));
    cuzk_status status = cuzk_ntt_domain_create(&domain, &c->ctx, LOG2_TRANSFORM, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_block_alloc(&block, NULL, sizeof(fr_plain) << LOG2_TRANSFORM, "a transform", err);
    for (int i = 0; status == CUZK_OK && i <= REPEATS; i++) {
        const uint64_t start_ns = cuzk_thread_cpu_ns();
        status = cuzk_ntt(&c->ctx, domain, block.data, NTT_INVERSE, NTT_OUT_REORDERED, err);
        if (i > 0) { /* the first one touches the memory */
            keep_least(&c->butterfly_ns, start_ns, n_butterflies);
        }
    }
    cuzk_block_free(&block);
    cuzk_ntt_domain_destroy(domain);
    return status;
}

static void measure_products(calibration *c) {
    static const fr one = FR_ONE;
    fr a[N_PRODUCTS], r[N_PRODUCTS];
    for (size_t i = 0; i < N_PRODUCTS; i++) {
        a[i] = one;
    }
    for (int i = 0; i < REPEATS; i++) {
        const uint64_t start_ns = cuzk_thread_cpu_ns();
        for (int k = 0; k < 100; k++) {
            cuzk_field_kernels()->fr_mul(r, a, a, N_PRODUCTS);
        }
        keep_least(&c->fr_mul_ns, start_ns, 100 * N_PRODUCTS);
    }
}

/* Half of the bits are set, as in a witness. */
static cuzk_status measure_bits(calibration *c, cuzk_error *err) {
    const uint64_t *bits = &c->scalars[0].l[0]; /* random words, more than N_POINTS bits */
    msm_g1 *g1 = NULL;
    msm_g2 *g2 = NULL;
    cuzk_status status = cuzk_msm_g1_open(&g1, &c->ctx, MSM_POINTS_IN_SUBGROUP, 1, err);
    if (status == CUZK_OK) {
        status = cuzk_msm_g2_open(&g2, &c->ctx, MSM_POINTS_IN_SUBGROUP, 1, err);
    }
    for (int i = 0; status == CUZK_OK && i < REPEATS; i++) {
        uint64_t start_ns = cuzk_thread_cpu_ns();
        status = cuzk_msm_g1_add_bits(g1, &c->ctx, c->chunk[UNIT_G1].g1, bits, N_POINTS, err);
        keep_least(&c->bit_ns[UNIT_G1], start_ns, N_POINTS);
        if (status == CUZK_OK) {
            start_ns = cuzk_thread_cpu_ns();
            status = cuzk_msm_g2_add_bits(g2, &c->ctx, c->chunk[UNIT_G2].g2, bits, N_POINTS, err);
            keep_least(&c->bit_ns[UNIT_G2], start_ns, N_POINTS);
        }
    }
    cuzk_msm_g1_close(g1);
    cuzk_msm_g2_close(g2);
    return status;
}

static cuzk_status measure_decoding(calibration *c, cuzk_error *err) {
    enum { N = 4096 };
    const curve_kernels *k = cuzk_curve_kernels();
    const size_t bytes_g2 = N * sizeof(g2_affine);
    uint8_t *bytes = malloc(2 * bytes_g2);
    if (bytes == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for points");
    }
    void *points = bytes + bytes_g2;
    point_status status;
    for (int i = 0; i < REPEATS; i++) {
        k->g1_encode(bytes, c->chunk[UNIT_G1].g1, N);
        uint64_t start_ns = cuzk_thread_cpu_ns();
        CUZK_ASSERT(k->g1_decode(points, bytes, N, POINT_CHECK_COORDINATES, true, &status) == N);
        keep_least(&c->decode_ns[UNIT_G1], start_ns, N);
        k->g2_encode(bytes, c->chunk[UNIT_G2].g2, N);
        start_ns = cuzk_thread_cpu_ns();
        CUZK_ASSERT(k->g2_decode(points, bytes, N, POINT_CHECK_COORDINATES, true, &status) == N);
        keep_least(&c->decode_ns[UNIT_G2], start_ns, N);
    }
    free(bytes);
    return CUZK_OK;
}

/* One sum of either group, so that measure_full is written once. */
typedef struct any_sum {
    unit_group group;
    msm_g1 *g1;
    msm_g2 *g2;
} any_sum;

static cuzk_status sum_open(any_sum *s, const calibration *c, uint64_t n, cuzk_error *err) {
    return s->group == UNIT_G1 ? cuzk_msm_g1_open(&s->g1, &c->ctx, MSM_POINTS_IN_SUBGROUP, n, err)
                               : cuzk_msm_g2_open(&s->g2, &c->ctx, MSM_POINTS_IN_SUBGROUP, n, err);
}

/* Other points with the same scalars each time, so that buckets fill. */
static cuzk_status sum_add(any_sum *s, const calibration *c, unsigned round, cuzk_error *err) {
    const size_t shift = round * (N_POINTS / (FILLING_ROUNDS + MEASURED_ROUNDS + 1));
    cuzk_status status = CUZK_OK;
    for (int part = 0; status == CUZK_OK && part < 2; part++) {
        const size_t from = part == 0 ? 0 : N_POINTS - shift;
        const size_t n = part == 0 ? N_POINTS - shift : shift;
        const size_t point = part == 0 ? shift : 0;
        if (n > 0 && s->group == UNIT_G1) {
            status = cuzk_msm_g1_add(s->g1, &c->ctx, c->chunk[UNIT_G1].g1 + point,
                                     c->scalars + from, NULL, n, err);
        } else if (n > 0) {
            status = cuzk_msm_g2_add(s->g2, &c->ctx, c->chunk[UNIT_G2].g2 + point,
                                     c->scalars + from, NULL, n, err);
        }
    }
    return status;
}

static cuzk_status sum_value(any_sum *s, const calibration *c, cuzk_error *err) {
    g1_jac p;
    g2_jac q;
    return s->group == UNIT_G1 ? cuzk_msm_g1_value(s->g1, &c->ctx, &p, err)
                               : cuzk_msm_g2_value(s->g2, &c->ctx, &q, err);
}

static cuzk_status measure_full(full_sum *full, unit_group group, const calibration *c, uint64_t n,
                                cuzk_error *err) {
    any_sum sum = {.group = group};
    cuzk_status status = sum_open(&sum, c, n, err);
    for (unsigned i = 0; status == CUZK_OK && i < FILLING_ROUNDS + MEASURED_ROUNDS; i++) {
        const uint64_t start_ns = cuzk_thread_cpu_ns();
        status = sum_add(&sum, c, i, err);
        if (i >= FILLING_ROUNDS) {
            keep_least(&full->scalar_ns, start_ns, N_POINTS);
        }
    }
    if (status == CUZK_OK) {
        const uint64_t start_ns = cuzk_thread_cpu_ns();
        status = sum_value(&sum, c, err);
        keep_least(&full->end_ns, start_ns, 1);
        full->known = true;
    }
    cuzk_msm_g1_close(sum.g1);
    cuzk_msm_g2_close(sum.g2);
    return status;
}

/* ns of a sum of n full scalars */
static cuzk_status full_sum_ns(double *ns, calibration *c, unit_group group, uint64_t n,
                               cuzk_error *err) {
    full_sum *full =
        &c->full[group][group == UNIT_G1 ? cuzk_msm_g1_plan(MSM_POINTS_IN_SUBGROUP, n)
                                         : cuzk_msm_g2_plan(MSM_POINTS_IN_SUBGROUP, n)];
    cuzk_status status = full->known ? CUZK_OK : measure_full(full, group, c, n, err);
    *ns = (double)n * full->scalar_ns + full->end_ns;
    return status;
}

static cuzk_status make_points(calibration *c, cuzk_error *err) {
    const groth16_dims dims = {
        .log2_domain = 0, .n_inputs = 1, .n_h = 1, .n_l = N_POINTS, .n_a = 1, .n_b = N_POINTS};
    cuzk_status status = cuzk_groth16_test_key_create(&c->key, &c->ctx, &dims, 1, err);
    for (int g = 0; status == CUZK_OK && g < UNIT_GROUPS; g++) {
        const groth16_source *source = &cuzk_groth16_test_key_pk(c->key)->source;
        status =
            source->acquire(source->self, &c->ctx, &c->chunk[g], section_of[g], 0, N_POINTS, err);
    }
    return status;
}

cuzk_status cuzk_calibration_create(calibration **created, const cuzk_ctx *ctx, cuzk_error *err) {
    calibration *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a plan");
    }
    c->ctx = (cuzk_ctx){.cancel = ctx->cancel};
    c->scalars = malloc(N_POINTS * sizeof *c->scalars);
    cuzk_status status = c->scalars != NULL
                             ? make_points(c, err)
                             : cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a plan");
    if (status == CUZK_OK) {
        draw_scalars(c);
        measure_products(c);
        status = measure_transform(c, err);
    }
    if (status == CUZK_OK) {
        status = measure_bits(c, err);
    }
    if (status == CUZK_OK) {
        status = measure_decoding(c, err);
    }
    if (status != CUZK_OK) {
        cuzk_calibration_destroy(c);
        return status;
    }
    *created = c;
    return CUZK_OK;
}

void cuzk_calibration_destroy(calibration *c) {
    if (c == NULL) {
        return;
    }
    for (int g = 0; g < UNIT_GROUPS; g++) {
        if (c->chunk[g].hold != NULL) {
            const groth16_source *source = &cuzk_groth16_test_key_pk(c->key)->source;
            source->release(source->self, &c->chunk[g]);
        }
    }
    cuzk_groth16_test_key_destroy(c->key);
    free(c->scalars);
    free(c);
}

/* ---- the model ---- */

/* What tells kinds apart. Products in Fr (of the batch kernel) a constraint, for checking the
 * vanilla proof and for synthesis: docs/performance.md. */
typedef struct kind_model {
    double full_share; /* of the aux variables: they are not bits */
    double check_products, synthesis_products;
} kind_model;

static const kind_model models[CIRCUIT_KINDS] = {
    [CIRCUIT_POREP] = {0.013, 0, 1.2},
    [CIRCUIT_WINNING] = {0.991, 1.9, 12.3},
    [CIRCUIT_WINDOW] = {0.991, 1.9, 12.3},
    [CIRCUIT_UPDATE] = {0.012, 0, 1.2},
    [CIRCUIT_UPDATE_POSEIDON] = {0.991, 0, 12.3},
};

static void add_phase(cuzk_plan *plan, const char *name, double ns) {
    CUZK_ASSERT(plan->n_phases < CUZK_PLAN_PHASES);
    plan->phases[plan->n_phases++] = (cuzk_plan_phase){name, ns * 1e-9};
    plan->core_s += ns * 1e-9;
}

/* The sums over l, a, b_g1 and b_g2. */
static cuzk_status witness_sums_ns(double *ns, calibration *c, const groth16_dims *dims,
                                   double full_share, cuzk_error *err) {
    const struct {
        uint64_t n;
        unit_group group;
    } sections[] = {
        {dims->n_l, UNIT_G1}, {dims->n_a, UNIT_G1}, {dims->n_b, UNIT_G1}, {dims->n_b, UNIT_G2}};
    cuzk_status status = CUZK_OK;
    *ns = 0;
    for (size_t i = 0; status == CUZK_OK && i < sizeof sections / sizeof sections[0]; i++) {
        const uint64_t n_full = (uint64_t)(full_share * (double)sections[i].n) + 1;
        double full_ns = 0;
        status = full_sum_ns(&full_ns, c, sections[i].group, n_full, err);
        *ns += full_ns;
        if (full_share < 0.5) {
            *ns += (double)sections[i].n * c->bit_ns[sections[i].group];
        }
    }
    return status;
}

static cuzk_status add_phases(cuzk_plan *plan, calibration *c, const groth16_dims *dims,
                              const param_set *set, cuzk_error *err) {
    const kind_model *model = &models[set->kind];
    const double rows = (double)plan->n_constraints;
    const double butterflies =
        6.0 * dims->log2_domain / 2 * (double)((uint64_t)1 << dims->log2_domain);
    double sums_ns, h_ns;
    cuzk_status status = witness_sums_ns(&sums_ns, c, dims, model->full_share, err);
    if (status == CUZK_OK) {
        status = full_sum_ns(&h_ns, c, UNIT_G1, dims->n_h, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    add_phase(plan, "check", rows * model->check_products * c->fr_mul_ns);
    add_phase(plan, "synthesis", rows * model->synthesis_products * c->fr_mul_ns);
    add_phase(plan, "quotient", butterflies * c->butterfly_ns);
    add_phase(plan, "sums", sums_ns);
    add_phase(plan, "h sum", h_ns);
    add_phase(plan, "decode",
              (double)(dims->n_h + dims->n_l + dims->n_a + dims->n_b) * c->decode_ns[UNIT_G1] +
                  (double)dims->n_b * c->decode_ns[UNIT_G2]);
    return CUZK_OK;
}

/* ---- memory and disk ---- */

static cuzk_status set_memory(cuzk_plan *plan, const cuzk_ctx *ctx, const param_set *set,
                              cuzk_error *err) {
    any_circuit blank;
    size_t kept = 0, peak = 0;
    cuzk_status status = cuzk_any_circuit_blank(&blank, set, err);
    if (status == CUZK_OK) {
        status = cuzk_r1cs_witness_bytes(&kept, &peak, ctx, &blank.circuit, err);
    }
    plan->witness_bytes = kept;
    for (int tier = CUZK_TIER_RESIDENT; status == CUZK_OK && tier <= CUZK_TIER_STREAMED; tier++) {
        prove_plan way = {
            .tier = cuzk_srs_tier_of((cuzk_tier)tier), .n_at_once = 1, .n_quotients = 1};
        status = cuzk_prove_memory(&way, ctx, set, err);
        plan->memory_bytes[tier] = way.bytes;
    }
    return status;
}

cuzk_status cuzk_forecast(cuzk_plan *plan, calibration *c, const cuzk_ctx *ctx,
                          const param_set *set, cuzk_error *err) {
    const circuit_sizes *sizes = cuzk_circuit_sizes_of(set->id);
    *plan = (cuzk_plan){.n_partitions = set->n_partitions};
    snprintf(plan->circuit, sizeof plan->circuit, "%s", set->id);
    if (sizes == NULL) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "the sizes of %s are not known", set->id);
    }
    const groth16_dims dims = cuzk_circuit_dims(sizes);
    plan->n_constraints = sizes->n_constraints;
    cuzk_status status = cuzk_srs_params_file_bytes(&plan->params_bytes, &dims, err);
    if (status == CUZK_OK) {
        status = set_memory(plan, ctx, set, err);
    }
    return status == CUZK_OK && c != NULL ? add_phases(plan, c, &dims, set, err) : status;
}

/* ---- plans for a prover ---- */

static uint64_t memory_limit(const cuzk_prover *prover) {
    const uint64_t wanted = cuzk_account_limit(prover->account);
    const machine_memory memory = cuzk_machine_memory("");
    uint64_t machine;
    if (wanted != SIZE_MAX || cuzk_machine_budget(&machine, &memory, 0, NULL) != CUZK_OK) {
        return wanted;
    }
    return machine;
}

static void look_at_disk(cuzk_plan *plan, const cuzk_prover *prover, const param_set *set) {
    param_files files;
    struct statvfs info;
    if (cuzk_param_files_init(&files, prover->param_cache, set, true, NULL) != CUZK_OK) {
        return;
    }
    plan->params_present = cuzk_file_exists(files.params_path);
    /* of the directory, or of the nearest one above it that is there */
    char *path = files.stem_path, *slash;
    while ((slash = strrchr(path, '/')) != NULL && slash != path) {
        *slash = '\0';
        if (statvfs(path, &info) == 0) {
            plan->disk_free_bytes = (uint64_t)info.f_bavail * info.f_frsize;
            return;
        }
    }
    if (statvfs(slash != NULL ? "/" : ".", &info) == 0) {
        plan->disk_free_bytes = (uint64_t)info.f_bavail * info.f_frsize;
    }
}

cuzk_status cuzk_plan_run(cuzk_prover *prover, cuzk_plan *plans, const size_t *circuits, size_t n,
                          cuzk_error *err) {
    const cuzk_ctx ctx = cuzk_prover_ctx(prover);
    calibration *c = NULL;
    cuzk_status status = cuzk_calibration_create(&c, &ctx, err);
    for (size_t i = 0; status == CUZK_OK && i < n; i++) {
        param_set set;
        cuzk_param_set_at(&set, circuits[i]);
        status = cuzk_forecast(&plans[i], c, &ctx, &set, err);
        plans[i].n_threads = cuzk_ctx_workers(&ctx);
        plans[i].memory_limit_bytes = memory_limit(prover);
        look_at_disk(&plans[i], prover, &set);
    }
    cuzk_calibration_destroy(c);
    return status;
}

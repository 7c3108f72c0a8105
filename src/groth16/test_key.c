/* The points of test keys. */
#include "groth16/test_key_internal.h"

#include <stdlib.h>

#include "base/clock.h"
#include "field/field_kernels.h"
#include "groth16/setup.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"

static size_t section_rows(const groth16_dims *d, groth16_section section) {
    return (size_t)(groth16_section_points(d, section) / GRID_COLUMNS) + 1;
}

/* ---- chunks ---- */

static chunk_buffer *take_buffer(groth16_test_key *key, cuzk_error *err) {
    pthread_mutex_lock(&key->mutex);
    chunk_buffer *buffer = key->unused;
    if (buffer != NULL) {
        key->unused = buffer->next;
    }
    pthread_mutex_unlock(&key->mutex);
    if (buffer != NULL) {
        return buffer;
    }
    buffer = calloc(1, sizeof *buffer);
    if (buffer == NULL) {
        cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for points");
        return NULL;
    }
    if (cuzk_block_alloc(&buffer->block, key->account, key->pk.source.chunk_bytes,
                         "points of a test key", err) != CUZK_OK) {
        free(buffer);
        return NULL;
    }
    return buffer;
}

static void give_buffer(groth16_test_key *key, chunk_buffer *buffer) {
    pthread_mutex_lock(&key->mutex);
    buffer->next = key->unused;
    key->unused = buffer;
    pthread_mutex_unlock(&key->mutex);
}

static cuzk_status key_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                               groth16_section section, uint64_t first, size_t count,
                               cuzk_error *err) {
    groth16_test_key *key = self;
    const uint64_t n_points = groth16_section_points(&key->pk.dims, section);
    CUZK_ASSERT(count <= key->pk.source.max_chunk && first <= n_points &&
                count <= n_points - first);
    chunk_buffer *buffer = take_buffer(key, err);
    if (buffer == NULL) {
        return CUZK_E_NO_MEMORY;
    }
    cuzk_ctx made = *ctx;
    made.account = key->account;
    uint64_t cpu_ns = 0;
    cuzk_status status;
    *chunk = (groth16_chunk){.hold = buffer};
    if (section == GROTH16_B_G2) {
        chunk->g2 = buffer->block.data;
        status = cuzk_point_grid_g2(&made, buffer->block.data, key->rows_g2, key->columns_g2, first,
                                    count, &cpu_ns, err);
    } else {
        chunk->g1 = buffer->block.data;
        status = cuzk_point_grid_g1(&made, buffer->block.data, key->rows_g1[section],
                                    key->columns_g1, first, count, &cpu_ns, err);
    }
    pthread_mutex_lock(&key->mutex);
    key->cpu_ns[section] += cpu_ns;
    pthread_mutex_unlock(&key->mutex);
    if (status != CUZK_OK) {
        give_buffer(key, buffer);
        *chunk = (groth16_chunk){0};
    }
    return status;
}

static void key_release(void *self, groth16_chunk *chunk) {
    give_buffer(self, chunk->hold);
    *chunk = (groth16_chunk){0};
}

/* ---- logarithms ---- */

void cuzk_groth16_test_key_log(fr *log, const groth16_test_key *key, groth16_section section,
                               uint64_t i) {
    fr_add(log, &key->row_logs[test_key_logs_of(section)][i / GRID_COLUMNS],
           &key->column_logs[i % GRID_COLUMNS]);
}

static void draw_logs(groth16_test_key *key, uint64_t seed) {
    chacha_rng rng;
    cuzk_chacha20_seed_u64(&rng, seed);
    const rng_source source = cuzk_rng_from_chacha(&rng);
    cuzk_fr_random(&key->alpha, &source);
    cuzk_fr_random(&key->beta, &source);
    cuzk_fr_random(&key->delta, &source);
    for (size_t i = 0; i < GRID_COLUMNS; i++) {
        cuzk_fr_random(&key->column_logs[i], &source);
    }
    for (int s = GROTH16_H; s < GROTH16_B_G2; s++) {
        for (size_t i = 0; i < section_rows(&key->pk.dims, s); i++) {
            cuzk_fr_random(&key->row_logs[s][i], &source);
        }
    }
}

/* ---- making a key ---- */

/* Tables of the generators' multiples, and room for scalars. */
typedef struct maker {
    const cuzk_ctx *ctx;
    fixed_base_g1 *g1;
    fixed_base_g2 *g2;
    fr_plain *scalars; /* as many as the longest list of points */
} maker;

static cuzk_status make_g1(const maker *m, g1_affine *points, const fr *logs, size_t n,
                           cuzk_error *err) {
    cuzk_field_kernels()->fr_to_plain(m->scalars, logs, n);
    return cuzk_fixed_base_g1_mul(m->g1, m->ctx, points, m->scalars, n, err);
}

static cuzk_status make_g2(const maker *m, g2_affine *points, const fr *logs, size_t n,
                           cuzk_error *err) {
    cuzk_field_kernels()->fr_to_plain(m->scalars, logs, n);
    return cuzk_fixed_base_g2_mul(m->g2, m->ctx, points, m->scalars, n, err);
}

/* The inputs of a verifier matter to nobody here: they get the points of section a. */
static cuzk_status make_vk(groth16_test_key *key, const maker *m, cuzk_error *err) {
    const fr logs[] = {key->alpha, key->beta, key->delta};
    g1_affine g1[3];
    g2_affine g2[3];
    cuzk_status status = make_g1(m, g1, logs, 3, err);
    if (status == CUZK_OK) {
        status = make_g2(m, g2, logs, 3, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_point_grid_g1(m->ctx, key->vk.ic, key->rows_g1[GROTH16_A], key->columns_g1, 0,
                                    key->vk.n_ic, NULL, err);
    }
    if (status == CUZK_OK) {
        key->vk.alpha_g1 = g1[0];
        key->vk.beta_g1 = g1[1];
        key->vk.delta_g1 = g1[2];
        key->vk.beta_g2 = g2[1];
        key->vk.gamma_g2 = g2[0];
        key->vk.delta_g2 = g2[2];
    }
    return status;
}

static cuzk_status make_points(groth16_test_key *key, const maker *m, cuzk_error *err) {
    const groth16_dims *d = &key->pk.dims;
    cuzk_status status = make_g1(m, key->columns_g1, key->column_logs, GRID_COLUMNS, err);
    for (int s = GROTH16_H; status == CUZK_OK && s < GROTH16_B_G2; s++) {
        status = make_g1(m, key->rows_g1[s], key->row_logs[s], section_rows(d, s), err);
    }
    if (status == CUZK_OK) {
        status = make_g2(m, key->columns_g2, key->column_logs, GRID_COLUMNS, err);
    }
    if (status == CUZK_OK) {
        status = make_g2(m, key->rows_g2, key->row_logs[GROTH16_B_G1],
                         section_rows(d, GROTH16_B_G1), err);
    }
    return status == CUZK_OK ? make_vk(key, m, err) : status;
}

static cuzk_status take_memory(groth16_test_key *key, maker *m, cuzk_error *err) {
    const groth16_dims *d = &key->pk.dims;
    const size_t n_b = section_rows(d, GROTH16_B_G1);
    size_t most = GRID_COLUMNS, len = scratch_need(GRID_COLUMNS, sizeof(fr)) +
                                      scratch_need(GRID_COLUMNS, sizeof(g1_affine)) +
                                      scratch_need(GRID_COLUMNS, sizeof(g2_affine)) +
                                      scratch_need(n_b, sizeof(g2_affine)) +
                                      scratch_need((size_t)d->n_inputs, sizeof(g1_affine));
    for (int s = GROTH16_H; s < GROTH16_B_G2; s++) {
        const size_t n = section_rows(d, s);
        most = n > most ? n : most;
        len += scratch_need(n, sizeof(fr)) + scratch_need(n, sizeof(g1_affine));
    }
    len += scratch_need(most, sizeof(fr_plain));
    cuzk_status status = cuzk_block_alloc(&key->block, key->account, len, "a test key", err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_scratch scratch = cuzk_block_scratch(&key->block);
    key->column_logs = scratch_take(&scratch, GRID_COLUMNS, sizeof(fr));
    key->columns_g1 = scratch_take(&scratch, GRID_COLUMNS, sizeof(g1_affine));
    key->columns_g2 = scratch_take(&scratch, GRID_COLUMNS, sizeof(g2_affine));
    key->rows_g2 = scratch_take(&scratch, n_b, sizeof(g2_affine));
    key->vk.n_ic = (size_t)d->n_inputs;
    key->vk.ic = scratch_take(&scratch, key->vk.n_ic, sizeof(g1_affine));
    for (int s = GROTH16_H; s < GROTH16_B_G2; s++) {
        key->row_logs[s] = scratch_take(&scratch, section_rows(d, s), sizeof(fr));
        key->rows_g1[s] = scratch_take(&scratch, section_rows(d, s), sizeof(g1_affine));
    }
    m->scalars = scratch_take(&scratch, most, sizeof(fr_plain));
    return CUZK_OK;
}

cuzk_status cuzk_groth16_test_key_create(groth16_test_key **created, const cuzk_ctx *ctx,
                                         const groth16_dims *dims, uint64_t seed, cuzk_error *err) {
    groth16_test_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a key");
    }
    pthread_mutex_init(&key->mutex, NULL);
    key->account = ctx->account;
    key->pk.dims = *dims;
    key->pk.vk = &key->vk;
    key->pk.source = (groth16_source){.self = key,
                                      .acquire = key_acquire,
                                      .release = key_release,
                                      .max_chunk = MSM_CHUNK_POINTS,
                                      .chunk_bytes = MSM_CHUNK_POINTS * sizeof(g2_affine)};
    maker m = {.ctx = ctx};
    cuzk_status status = take_memory(key, &m, err);
    if (status == CUZK_OK) {
        const uint64_t n_rows = dims->n_h / GRID_COLUMNS * 4 + GRID_COLUMNS;
        status = cuzk_fixed_base_g1_create(&m.g1, ctx, &cuzk_g1_generator, n_rows, err);
    }
    if (status == CUZK_OK) {
        const uint64_t n_rows = dims->n_b / GRID_COLUMNS + GRID_COLUMNS;
        status = cuzk_fixed_base_g2_create(&m.g2, ctx, &cuzk_g2_generator, n_rows, err);
    }
    if (status == CUZK_OK) {
        draw_logs(key, seed);
        status = make_points(key, &m, err);
    }
    cuzk_fixed_base_g1_destroy(m.g1);
    cuzk_fixed_base_g2_destroy(m.g2);
    if (status != CUZK_OK) {
        cuzk_groth16_test_key_destroy(key);
        return status;
    }
    *created = key;
    return CUZK_OK;
}

void cuzk_groth16_test_key_destroy(groth16_test_key *key) {
    if (key == NULL) {
        return;
    }
    while (key->unused != NULL) {
        chunk_buffer *buffer = key->unused;
        key->unused = buffer->next;
        cuzk_block_free(&buffer->block);
        free(buffer);
    }
    cuzk_block_free(&key->block);
    pthread_mutex_destroy(&key->mutex);
    free(key);
}

const groth16_pk *cuzk_groth16_test_key_pk(const groth16_test_key *key) { return &key->pk; }

void cuzk_groth16_test_key_cost(const groth16_test_key *key, uint64_t cpu_ns[GROTH16_SECTIONS]) {
    groth16_test_key *locked = (groth16_test_key *)key;
    pthread_mutex_lock(&locked->mutex);
    memcpy(cpu_ns, key->cpu_ns, sizeof key->cpu_ns);
    pthread_mutex_unlock(&locked->mutex);
}

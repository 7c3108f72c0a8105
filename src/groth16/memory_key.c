/* A key held in memory, filled by the setup: what tests and small tools use. */
#include <stdlib.h>

#include "groth16/setup.h"
#include "msm/msm.h"

struct groth16_memory_key {
    groth16_pk pk;
    groth16_vk vk;
    cuzk_account *account;
    cuzk_block ic;
    cuzk_block points[GROTH16_SECTIONS];
    /* while being filled */
    groth16_section section;
    uint64_t n_filled;
};

static uint64_t *section_count(groth16_memory_key *key, groth16_section section) {
    groth16_dims *d = &key->pk.dims;
    uint64_t *const counts[GROTH16_SECTIONS] = {&d->n_h, &d->n_l, &d->n_a, &d->n_b, &d->n_b};
    return counts[section];
}

static size_t point_bytes(groth16_section section) {
    return section == GROTH16_B_G2 ? sizeof(g2_affine) : sizeof(g1_affine);
}

/* ---- sink ---- */

static cuzk_status key_vk(void *self, const groth16_vk *vk, cuzk_error *err) {
    groth16_memory_key *key = self;
    const size_t len = vk->n_ic * sizeof *vk->ic;
    cuzk_status status = cuzk_block_alloc(&key->ic, key->account, len, "verifying key", err);
    if (status != CUZK_OK) {
        return status;
    }
    key->vk = *vk;
    key->vk.ic = key->ic.data;
    memcpy(key->vk.ic, vk->ic, len);
    key->pk.dims.n_inputs = vk->n_ic;
    return CUZK_OK;
}

static cuzk_status key_section(void *self, groth16_section section, uint64_t n_points,
                               cuzk_error *err) {
    groth16_memory_key *key = self;
    key->section = section;
    key->n_filled = 0;
    *section_count(key, section) = n_points;
    size_t len;
    if (n_points > SIZE_MAX || !size_mul(&len, (size_t)n_points, point_bytes(section))) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "a section of %llu points does not fit memory",
                         (unsigned long long)n_points);
    }
    return cuzk_block_alloc(&key->points[section], key->account, len, "key section", err);
}

static void key_append(groth16_memory_key *key, const void *points, size_t n) {
    const size_t size = point_bytes(key->section);
    CUZK_ASSERT(n <= *section_count(key, key->section) - key->n_filled);
    memcpy((uint8_t *)key->points[key->section].data + key->n_filled * size, points, n * size);
    key->n_filled += n;
}

static cuzk_status key_g1(void *self, const g1_affine *points, size_t n, cuzk_error *err) {
    (void)err;
    key_append(self, points, n);
    return CUZK_OK;
}

static cuzk_status key_g2(void *self, const g2_affine *points, size_t n, cuzk_error *err) {
    (void)err;
    key_append(self, points, n);
    return CUZK_OK;
}

/* ---- source ---- */

static cuzk_status key_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                               groth16_section section, uint64_t first, size_t count,
                               cuzk_error *err) {
    (void)ctx;
    (void)err;
    groth16_memory_key *key = self;
    const uint64_t n = *section_count(key, section);
    CUZK_ASSERT(first <= n && count <= n - first);
    const void *points = key->points[section].data;
    *chunk = (groth16_chunk){0};
    if (section == GROTH16_B_G2) {
        chunk->g2 = (const g2_affine *)points + first;
    } else {
        chunk->g1 = (const g1_affine *)points + first;
    }
    return CUZK_OK;
}

static void key_release(void *self, groth16_chunk *chunk) {
    (void)self;
    *chunk = (groth16_chunk){0};
}

/* ---- life ---- */

static unsigned log2_of(uint64_t power_of_two) { return (unsigned)__builtin_ctzll(power_of_two); }

cuzk_status cuzk_groth16_memory_key_create(groth16_memory_key **created, const cuzk_ctx *ctx,
                                           const r1cs_circuit *circuit, const groth16_toxic *toxic,
                                           cuzk_error *err) {
    groth16_memory_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a key");
    }
    key->account = ctx->account;
    const groth16_sink sink = {key, key_vk, key_section, key_g1, key_g2};
    cuzk_status status = cuzk_groth16_setup(ctx, &sink, circuit, toxic, err);
    if (status != CUZK_OK) {
        cuzk_groth16_memory_key_destroy(key);
        return status;
    }
    key->pk.dims.log2_domain = log2_of(key->pk.dims.n_h + 1);
    key->pk.dims.n_aux = key->pk.dims.n_l;
    key->pk.vk = &key->vk;
    key->pk.source = (groth16_source){
        .self = key, .acquire = key_acquire, .release = key_release, .max_chunk = MSM_CHUNK_POINTS};
    *created = key;
    return CUZK_OK;
}

void cuzk_groth16_memory_key_destroy(groth16_memory_key *key) {
    if (key == NULL) {
        return;
    }
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        cuzk_block_free(&key->points[i]);
    }
    cuzk_block_free(&key->ic);
    free(key);
}

const groth16_pk *cuzk_groth16_memory_key_pk(const groth16_memory_key *key) { return &key->pk; }

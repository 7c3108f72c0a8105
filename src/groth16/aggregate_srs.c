/* The SRS of SnarkPack: made for tests, read and written. */
#include "groth16/aggregate_srs.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/entropy.h"
#include "base/file.h"
#include "curve/curve_kernels.h"
#include "field/field_kernels.h"
#include "groth16/setup.h"
#include "msm/fixed_base.h"

void cuzk_aggregate_srs_destroy(aggregate_srs *srs) {
    if (srs == NULL) {
        return;
    }
    free(srs->ga);
    free(srs->gb);
    free(srs->ha);
    free(srs->hb);
    free(srs);
}

/* Allocates what the counts of *sizes say. */
static cuzk_status create(aggregate_srs **created, const aggregate_srs *sizes, cuzk_error *err) {
    aggregate_srs *srs = calloc(1, sizeof *srs);
    if (srs != NULL) {
        *srs = *sizes;
        srs->ga = calloc(srs->n_ga + 1, sizeof *srs->ga); /* a vector may be empty */
        srs->gb = calloc(srs->n_gb + 1, sizeof *srs->gb);
        srs->ha = calloc(srs->n_ha + 1, sizeof *srs->ha);
        srs->hb = calloc(srs->n_hb + 1, sizeof *srs->hb);
    }
    if (srs == NULL || srs->ga == NULL || srs->gb == NULL || srs->ha == NULL || srs->hb == NULL) {
        cuzk_aggregate_srs_destroy(srs);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an aggregation SRS of %zu powers",
                         sizes->n_ga);
    }
    *created = srs;
    return CUZK_OK;
}

/* ---- made ---- */

cuzk_status cuzk_aggregate_srs_fake(aggregate_srs **created, const cuzk_ctx *ctx,
                                    const rng_source *rng, size_t size, cuzk_error *err) {
    if (size == 0 || size > AGGREGATE_SRS_MAX_POWERS / 2) {
        return cuzk_fail(err, CUZK_E_RANGE,
                         "an aggregation SRS is made for 1 to %zu proofs, not %zu",
                         AGGREGATE_SRS_MAX_POWERS / 2, size);
    }
    const size_t n = 2 * size;
    const aggregate_srs sizes = {.n_ga = n, .n_gb = n, .n_ha = n, .n_hb = n};
    aggregate_srs *srs = NULL;
    fixed_base_g1 *g = NULL;
    fixed_base_g2 *h = NULL;
    fr alpha, beta;
    const fr one = FR_ONE;
    const field_kernels *kernels = cuzk_field_kernels();
    fr *power = calloc(n, sizeof *power);
    fr_plain *k = calloc(n, sizeof *k);
    cuzk_status status = power == NULL || k == NULL
                             ? cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %zu powers", n)
                             : create(&srs, &sizes, err);
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g1_create(&g, ctx, &cuzk_g1_generator, 2 * n, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g2_create(&h, ctx, &cuzk_g2_generator, 2 * n, err);
    }
    if (status != CUZK_OK) {
        goto done;
    }
    cuzk_fr_random(&alpha, rng);
    cuzk_fr_random(&beta, rng);
    kernels->fr_powers(power, &one, &alpha, n);
    kernels->fr_to_plain(k, power, n);
    status = cuzk_fixed_base_g1_mul(g, ctx, srs->ga, k, n, err);
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g2_mul(h, ctx, srs->ha, k, n, err);
    }
    kernels->fr_powers(power, &one, &beta, n);
    kernels->fr_to_plain(k, power, n);
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g1_mul(g, ctx, srs->gb, k, n, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_fixed_base_g2_mul(h, ctx, srs->hb, k, n, err);
    }
    cuzk_wipe(&alpha, sizeof alpha);
    cuzk_wipe(&beta, sizeof beta);
    cuzk_wipe(power, n * sizeof *power);
    cuzk_wipe(k, n * sizeof *k);
done:
    cuzk_fixed_base_g1_destroy(g);
    cuzk_fixed_base_g2_destroy(h);
    free(power);
    free(k);
    if (status != CUZK_OK) {
        cuzk_aggregate_srs_destroy(srs);
        return status;
    }
    *created = srs;
    return CUZK_OK;
}

/* ---- read ---- */

/* The four vectors of a file, in order. */
typedef struct srs_vector {
    const char *name;
    size_t point_bytes;
    size_t at;     /* of the first point */
    size_t n_kept; /* of those there */
} srs_vector;

enum { GA, GB, HA, HB, N_VECTORS };

static cuzk_status refuse(cuzk_error *err, size_t offset, const char *vector, const char *what) {
    cuzk_fail(err, CUZK_E_BAD_PARAMS, "aggregation SRS, vector %s at offset %zu: %s", vector,
              offset, what);
    if (err != NULL) {
        err->offset = (int64_t)offset;
    }
    return CUZK_E_BAD_PARAMS;
}

static cuzk_status find_vectors(srs_vector v[N_VECTORS], size_t len_bytes, const uint8_t *bytes,
                                size_t max_powers, cuzk_error *err) {
    size_t at = 0;
    for (int i = 0; i < N_VECTORS; i++) {
        if (len_bytes - at < 4) {
            return refuse(err, at, v[i].name, "the file ends before the count");
        }
        const size_t count = load_be32(bytes + at);
        if (count > AGGREGATE_SRS_MAX_POWERS) {
            return refuse(err, at, v[i].name, "more than 2^20 + 1 points");
        }
        at += 4;
        if (count > (len_bytes - at) / v[i].point_bytes) {
            return refuse(err, at, v[i].name, "the file ends within the points");
        }
        v[i].at = at;
        v[i].n_kept = count < max_powers ? count : max_powers;
        at += count * v[i].point_bytes;
    }
    return at == len_bytes ? CUZK_OK : refuse(err, at, v[HB].name, "bytes after the last point");
}

enum { READ_PART = 64 };

typedef struct srs_reader {
    aggregate_srs *srs;
    const uint8_t *bytes;
    const srs_vector *v;
    size_t first_part[N_VECTORS + 1]; /* number of parts before each vector */
    atomic_size_t bad_at;             /* offset of the first point that is none, SIZE_MAX */
} srs_reader;

static void lower(atomic_size_t *a, size_t value) {
    size_t old = atomic_load(a);
    while (value < old && !atomic_compare_exchange_weak(a, &old, value)) {
    }
}

static void read_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    srs_reader *reader = arg;
    int which = 0;
    while (index >= reader->first_part[which + 1]) {
        which++;
    }
    const srs_vector *v = &reader->v[which];
    const size_t first = (index - reader->first_part[which]) * READ_PART;
    const size_t end = v->n_kept - first < READ_PART ? v->n_kept : first + READ_PART;
    const curve_kernels *kernels = cuzk_curve_kernels();
    for (size_t i = first; i < end; i++) {
        const size_t at = v->at + i * v->point_bytes;
        const uint8_t *bytes = reader->bytes + at;
        point_status status;
        if (which == GA || which == GB) {
            g1_affine *p = which == GA ? reader->srs->ga : reader->srs->gb;
            status = kernels->g1_read(&p[i], bytes, POINT_COMPRESSED, POINT_CHECK_SUBGROUP);
        } else {
            g2_affine *p = which == HA ? reader->srs->ha : reader->srs->hb;
            status = kernels->g2_read(&p[i], bytes, POINT_COMPRESSED, POINT_CHECK_SUBGROUP);
        }
        if (status != POINT_OK) {
            lower(&reader->bad_at, at);
            return;
        }
    }
}

cuzk_status cuzk_aggregate_srs_read(aggregate_srs **created, const cuzk_ctx *ctx,
                                    const uint8_t *bytes, size_t len_bytes, size_t max_powers,
                                    cuzk_error *err) {
    srs_vector v[N_VECTORS] = {{"g^(alpha^i)", G1_COMPRESSED_BYTES, 0, 0},
                               {"g^(beta^i)", G1_COMPRESSED_BYTES, 0, 0},
                               {"h^(alpha^i)", G2_COMPRESSED_BYTES, 0, 0},
                               {"h^(beta^i)", G2_COMPRESSED_BYTES, 0, 0}};
    cuzk_status status = find_vectors(v, len_bytes, bytes, max_powers, err);
    if (status != CUZK_OK) {
        return status;
    }
    const aggregate_srs sizes = {
        .n_ga = v[GA].n_kept, .n_gb = v[GB].n_kept, .n_ha = v[HA].n_kept, .n_hb = v[HB].n_kept};
    aggregate_srs *srs;
    status = create(&srs, &sizes, err);
    if (status != CUZK_OK) {
        return status;
    }
    srs_reader reader = {.srs = srs, .bytes = bytes, .v = v};
    atomic_init(&reader.bad_at, SIZE_MAX);
    for (int i = 0; i < N_VECTORS; i++) {
        reader.first_part[i + 1] = reader.first_part[i] + (v[i].n_kept + READ_PART - 1) / READ_PART;
    }
    status = cuzk_pool_run(ctx, reader.first_part[N_VECTORS], read_part, &reader, err);
    const size_t bad_at = atomic_load(&reader.bad_at);
    if (status == CUZK_OK && bad_at != SIZE_MAX) {
        int which = N_VECTORS - 1;
        while (bad_at < v[which].at) {
            which--;
        }
        status = refuse(err, bad_at, v[which].name, "not a point of the group");
    }
    if (status != CUZK_OK) {
        cuzk_aggregate_srs_destroy(srs);
        return status;
    }
    *created = srs;
    return CUZK_OK;
}

cuzk_status cuzk_aggregate_srs_open(aggregate_srs **srs, const cuzk_ctx *ctx, const char *path,
                                    size_t max_powers, cuzk_error *err) {
    cuzk_map map;
    cuzk_status status = cuzk_map_open(&map, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_aggregate_srs_read(srs, ctx, map.data, map.len_bytes, max_powers, err);
    cuzk_map_close(&map);
    if (status == CUZK_E_BAD_PARAMS) {
        cuzk_error_at_file(err, path, err == NULL ? CUZK_NOWHERE : err->offset);
    }
    return status;
}

/* ---- written ---- */

size_t cuzk_aggregate_srs_bytes(const aggregate_srs *srs) {
    return 16 + (srs->n_ga + srs->n_gb) * G1_COMPRESSED_BYTES +
           (srs->n_ha + srs->n_hb) * G2_COMPRESSED_BYTES;
}

void cuzk_aggregate_srs_write(uint8_t *bytes, const aggregate_srs *srs) {
    const curve_kernels *kernels = cuzk_curve_kernels();
    const size_t n1[2] = {srs->n_ga, srs->n_gb}, n2[2] = {srs->n_ha, srs->n_hb};
    const g1_affine *g[2] = {srs->ga, srs->gb};
    const g2_affine *h[2] = {srs->ha, srs->hb};
    for (int i = 0; i < 2; i++) {
        store_be32(bytes, (uint32_t)n1[i]);
        kernels->g1_compress(bytes + 4, g[i], n1[i]);
        bytes += 4 + n1[i] * G1_COMPRESSED_BYTES;
    }
    for (int i = 0; i < 2; i++) {
        store_be32(bytes, (uint32_t)n2[i]);
        kernels->g2_compress(bytes + 4, h[i], n2[i]);
        bytes += 4 + n2[i] * G2_COMPRESSED_BYTES;
    }
}

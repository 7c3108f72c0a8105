/* The structured reference string of SnarkPack: g^(alpha^i), g^(beta^i) in G1 and h^(alpha^i),
 * h^(beta^i) in G2, and its file, groth16.md 2.7 and 5.3. */
#ifndef CUZK_GROTH16_AGGREGATE_SRS_H
#define CUZK_GROTH16_AGGREGATE_SRS_H

#include "base/pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "hash/rng.h"

/* An SRS file may not hold more powers in a vector. */
#define AGGREGATE_SRS_MAX_POWERS (((size_t)1 << 20) + 1)
/* What production keeps of each vector. */
#define AGGREGATE_SRS_PRODUCTION_POWERS (((size_t)1 << 15) + 1)

typedef struct aggregate_srs {
    size_t n_ga, n_gb, n_ha, n_hb; /* powers loaded */
    g1_affine *ga, *gb;
    g2_affine *ha, *hb;
} aggregate_srs;

/* Powers 0 .. 2 size - 1 over the standard generators; draws alpha, then beta. For tests: whoever
 * knows the generator's state can forge aggregates. size: 1 .. 2^19. */
cuzk_status cuzk_aggregate_srs_fake(aggregate_srs **srs, const cuzk_ctx *ctx, const rng_source *rng,
                                    size_t size, cuzk_error *err);

/* At most max_powers of each vector are kept, the rest is skipped unread (as the reference does
 * with AGGREGATE_SRS_PRODUCTION_POWERS); every kept point is checked for curve and subgroup,
 * infinity is accepted. Fails: CUZK_E_BAD_PARAMS (counts, length, a point, with its offset),
 * CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_aggregate_srs_read(aggregate_srs **srs, const cuzk_ctx *ctx, const uint8_t *bytes,
                                    size_t len_bytes, size_t max_powers, cuzk_error *err);
/* The same from a file. Fails also: CUZK_E_IO. */
cuzk_status cuzk_aggregate_srs_open(aggregate_srs **srs, const cuzk_ctx *ctx, const char *path,
                                    size_t max_powers, cuzk_error *err);
void cuzk_aggregate_srs_destroy(aggregate_srs *srs); /* accepts NULL */

/* The file's bytes: four times a count of 4 bytes big-endian and the compressed points. */
size_t cuzk_aggregate_srs_bytes(const aggregate_srs *srs);
void cuzk_aggregate_srs_write(uint8_t *bytes, const aggregate_srs *srs);

#endif

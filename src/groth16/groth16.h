/* Groth16 over BLS12-381: keys in memory, prover, verifier (groth16.md 4 and 5; Groth 2016, eprint
 * 2016/260). */
#ifndef CUZK_GROTH16_GROTH16_H
#define CUZK_GROTH16_GROTH16_H

#include "base/pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fp12.h"
#include "r1cs/assignment.h"
#include "r1cs/structure.h"

#define GROTH16_PROOF_BYTES 192

/* Sizes of a key; everything a back end needs for planning. */
typedef struct groth16_dims {
    unsigned log2_domain;
    uint64_t n_inputs; /* ONE included: points of ic */
    uint64_t n_aux;
    uint64_t n_h, n_l, n_a, n_b; /* points of each section */
} groth16_dims;

typedef struct groth16_vk {
    g1_affine alpha_g1, beta_g1, delta_g1;
    g2_affine beta_g2, gamma_g2, delta_g2;
    size_t n_ic;
    g1_affine *ic;
} groth16_vk;

typedef enum groth16_section {
    GROTH16_H,
    GROTH16_L,
    GROTH16_A,
    GROTH16_B_G1,
    GROTH16_B_G2,
    GROTH16_SECTIONS
} groth16_section;

/* Points of a section. */
static inline uint64_t groth16_section_points(const groth16_dims *d, groth16_section section) {
    const uint64_t n[GROTH16_SECTIONS] = {d->n_h, d->n_l, d->n_a, d->n_b, d->n_b};
    return n[section];
}

/* A run of points lent by a key source; g1 or g2 is set, depending on the section. */
typedef struct groth16_chunk {
    const g1_affine *g1;
    const g2_affine *g2;
    void *hold; /* the source's */
} groth16_chunk;

/* Where the points of a key come from, in chunks: mapped, streamed, resident, or made up by a test
 * all look alike. They are in the subgroups of order r, or the proof will not verify: the prover
 * does not look. acquire and release may be called from several threads; a chunk stays valid until
 * its release. */
typedef struct groth16_source {
    void *self;
    /* Points first .. first + count - 1 of a section; count is at most max_chunk. ctx: of the
     * caller; whose pool decodes, and whose cancel flag ends a wait. */
    cuzk_status (*acquire)(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                           groth16_section section, uint64_t first, size_t count, cuzk_error *err);
    void (*release)(void *self, groth16_chunk *chunk);
    /* The points from the beginning of that section on will be acquired in order: l, a, b_g1, b_g2,
     * then h. Starts reading; never waits. NULL: there is nothing to read ahead. */
    void (*will_need)(void *self, groth16_section section);
    /* Time that calls of acquire have waited for a device so far. NULL: they never wait. */
    uint64_t (*waited_ns)(void *self);
    size_t max_chunk;
    size_t chunk_bytes; /* memory of one acquired chunk of max_chunk points, for admission; 0 if
                           resident */
} groth16_source;
static inline uint64_t groth16_source_waited_ns(const groth16_source *source) {
    return source->waited_ns == NULL ? 0 : source->waited_ns(source->self);
}
static inline void groth16_source_will_need(const groth16_source *source, groth16_section section) {
    if (source->will_need != NULL) {
        source->will_need(source->self, section);
    }
}

/* A proving key bound to nothing yet: sizes, verifying key, points. Borrowed pointers. */
typedef struct groth16_pk {
    groth16_dims dims;
    const groth16_vk *vk;
    groth16_source source;
} groth16_pk;

/* A proof as group elements. */
typedef struct groth16_proof {
    g1_affine a;
    g2_affine b;
    g1_affine c;
} groth16_proof;
void cuzk_groth16_proof_write(uint8_t bytes[GROTH16_PROOF_BYTES], const groth16_proof *proof);
/* Curve and subgroup are checked, infinity is refused. Fails: CUZK_E_INPUT naming the element and
 * offset. */
cuzk_status cuzk_groth16_proof_read(groth16_proof *proof, const uint8_t bytes[GROTH16_PROOF_BYTES],
                                    cuzk_error *err);

/* Times of one step, in nanoseconds: wall, CPU of all threads that worked for it, and the part of
 * wall in which it waited for points to be read. */
typedef struct groth16_time {
    uint64_t wall_ns, cpu_ns, wait_ns;
} groth16_time;
static inline void groth16_time_add(groth16_time *t, const groth16_time *more) {
    t->wall_ns += more->wall_ns;
    t->cpu_ns += more->cpu_ns;
    t->wait_ns += more->wait_ns;
}

/* Times of one proof, or of several made together. Steps may overlap. */
typedef struct groth16_timing {
    groth16_time quotient, sections[GROTH16_SECTIONS], assemble;
} groth16_timing;
/* The sums over the sections that the witness multiplies, CPU. */
static inline uint64_t groth16_witness_cpu_ns(const groth16_timing *t) {
    return t->sections[GROTH16_L].cpu_ns + t->sections[GROTH16_A].cpu_ns +
           t->sections[GROTH16_B_G1].cpu_ns + t->sections[GROTH16_B_G2].cpu_ns;
}

/* The sizes of a key for the circuit of these densities. */
groth16_dims cuzk_groth16_dims_of(const r1cs_densities *densities);

/* The key must have exactly the sizes the circuit's densities imply. Fails: CUZK_E_BAD_PARAMS
 * naming both numbers. */
cuzk_status cuzk_groth16_key_fits(const groth16_dims *key, const r1cs_densities *densities,
                                  cuzk_error *err);

/* Memory of cuzk_groth16_prove beyond its arguments: what it charges, from beginning to end. */
size_t cuzk_groth16_prove_bytes(const cuzk_ctx *ctx, const groth16_pk *pk);

/* One proof. r, s: blinding scalars, drawn by the caller from cuzk_entropy (only tests fix them).
 * Fails: CUZK_E_INCONSISTENT if the assignment does not satisfy the circuit (top quotient
 * coefficient not zero), CUZK_E_BAD_PARAMS (key does not fit, infinity in it), CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. The proof is not yet verified: see cuzk_groth16_verify. */
cuzk_status cuzk_groth16_prove(const cuzk_ctx *ctx, groth16_proof *proof, groth16_timing *timing,
                               const groth16_pk *pk, const r1cs_densities *densities,
                               const r1cs_assignment *w, const fr_plain *r, const fr_plain *s,
                               cuzk_error *err);

/* What verifying needs of a key, prepared once. */
typedef struct groth16_pvk groth16_pvk;
cuzk_status cuzk_groth16_pvk_create(groth16_pvk **pvk, const groth16_vk *vk, cuzk_error *err);
void cuzk_groth16_pvk_destroy(groth16_pvk *pvk);

/* x: n_x = n_ic - 1 public inputs, ONE left out. Returns CUZK_OK if the proof is valid,
 * CUZK_E_PROOF_INVALID if not, CUZK_E_ARGUMENT if n_x is wrong. The inputs are summed by an MSM. */
cuzk_status cuzk_groth16_verify(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                const groth16_proof *proof, const fr_plain *x, size_t n_x,
                                cuzk_error *err);
/* n proofs of one key at once, random linear combination with 128-bit weights from cuzk_entropy; x
 * is n rows of n_x. CUZK_E_PROOF_INVALID says nothing about which. groth16.md 5.2. */
cuzk_status cuzk_groth16_verify_batch(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                      const groth16_proof *proofs, const fr_plain *x, size_t n_x,
                                      size_t n, cuzk_error *err);

#endif

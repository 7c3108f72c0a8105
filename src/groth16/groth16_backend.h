/* The heavy steps of a proof (quotient and five sums) on whatever does them: the CPU here, devices
 * elsewhere. Nothing above this table knows which. Blinding never reaches a back end: it returns
 * sums, cuzk_groth16_prove_on assembles.
 *
 * Calls on different jobs may run at once, calls on one job may not. For equal inputs every back
 * end gives the same group elements. */
#ifndef CUZK_GROTH16_GROTH16_BACKEND_H
#define CUZK_GROTH16_GROTH16_BACKEND_H

#include "groth16/groth16.h"

typedef struct groth16_backend groth16_backend;

/* A key made usable on a back end. Back ends put it first in their own structure. */
typedef struct groth16_attached {
    const groth16_backend *backend;
    const groth16_pk *pk; /* borrowed until detach */
} groth16_attached;

/* Proofs under way. Back ends put it first in their own structure. */
typedef struct groth16_job {
    groth16_attached *key;
} groth16_job;

/* Memory for one key and for a job of n proofs with it. */
typedef struct groth16_need {
    size_t key_bytes;        /* host, from attach to detach, beyond what the key's source holds */
    size_t job_bytes;        /* host, from start to finish */
    size_t device_key_bytes; /* 0 for the CPU */
    size_t device_job_bytes;
} groth16_need;

/* What n >= 1 proofs of one circuit are made of. A back end that wants 32-byte vectors expands the
 * segments itself. */
typedef struct groth16_inputs {
    const r1cs_densities *densities;
    size_t n;
    const r1cs_assignment *const *w; /* n of them */
    size_t n_h; /* quotients held at once, each as long as the domain; 0: all n. With fewer, h is
                 * passed over more often than the other sections */
} groth16_inputs;

/* h = sum_i [h_i] H_i; l, a, b_g1, b_g2: the sums of groth16.md 4.3 over aux, and inputs and aux,
 * of each section. */
typedef struct groth16_sums {
    g1_jac h, l, a, b_g1;
    g2_jac b_g2;
} groth16_sums;

struct groth16_backend {
    const char *name; /* "cpu", ... */
    void *self;

    /* Facts for admission: what n proofs with n_h quotients at once (0: n) charge, whatever the
     * assignments. Of pk, vk and points are not touched. */
    void (*need)(const groth16_backend *backend, groth16_need *out, const cuzk_ctx *ctx,
                 const groth16_pk *pk, size_t n, size_t n_h);

    /* Fails: CUZK_E_NO_MEMORY. */
    cuzk_status (*key_attach)(const groth16_backend *backend, groth16_attached **key,
                              const cuzk_ctx *ctx, const groth16_pk *pk, cuzk_error *err);
    void (*key_detach)(groth16_attached *key); /* accepts NULL; no job may use the key */

    /* in->n proofs that share one pass over the key's points. ctx is copied, what it points to is
     * borrowed until the job ends; `in` and all it points to may be reused when start returns. The
     * inputs fit the key (cuzk_groth16_key_fits): caller's duty. A failed start leaves no job.
     * Fails: CUZK_E_INCONSISTENT (top coefficient of a quotient is not zero), CUZK_E_BAD_PARAMS
     * (infinity among the points), CUZK_E_NO_MEMORY, CUZK_E_CANCELLED, what the key's source
     * returns. */
    cuzk_status (*start)(groth16_attached *key, groth16_job **job, const cuzk_ctx *ctx,
                         const groth16_inputs *in, cuzk_error *err);
    /* Blocks for the sums of the n proofs; ends the job in any case. timing may be NULL. Fails as
     * start. */
    cuzk_status (*finish)(groth16_job *job, groth16_sums *sums, groth16_timing *timing,
                          cuzk_error *err);
    void (*cancel)(groth16_job *job); /* ends the job without a result; accepts NULL */
};

/* The CPU back end: start computes the quotients and walks l, a, b_g1, b_g2, side by side where the
 * key is read ahead; finish walks h, for the last quotients that were held at once. */
extern const groth16_backend cuzk_groth16_cpu_backend;

/* Blinding scalars of one proof, canonical. */
typedef struct groth16_blinding {
    fr_plain r, s;
} groth16_blinding;

/* in->n proofs with one attached key: cuzk_groth16_prove for any back end and several partitions at
 * once. timing may be NULL; it is of all proofs together. */
cuzk_status cuzk_groth16_prove_on(groth16_attached *key, const cuzk_ctx *ctx, groth16_proof *proofs,
                                  groth16_timing *timing, const groth16_inputs *in,
                                  const groth16_blinding *blinding, cuzk_error *err);

/* The proof from its sums (groth16.md 4.4). */
void cuzk_groth16_assemble(groth16_proof *proof, const groth16_vk *vk, const groth16_sums *sums,
                           const groth16_blinding *blinding);

#endif

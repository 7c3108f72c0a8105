/* The Groth16 part of every kind's job: the partitions of one request's circuit, and the steps from
 * a partition to its verified proof. What is proved comes from the job of the kind: seal_job.h,
 * post_job.h, update_job.h. */
#ifndef CUZK_ENGINE_PARTITIONS_H
#define CUZK_ENGINE_PARTITIONS_H

#include "engine/any_circuit.h"
#include "engine/handle.h"
#include "engine/param_files.h"
#include "field/fr.h"
#include "groth16/groth16_backend.h"
#include "r1cs/witness.h"

/* The partitions of one request that was read and judged, or of a statement, as its kind describes
 * them. Any number of threads may use one at once. */
typedef struct partition_source {
    param_set set;
    unsigned n_partitions;    /* of the whole proof */
    unsigned first_partition; /* what errors call partition 0 */
    int64_t sector;           /* that errors name; or CUZK_NOWHERE */
    void *arg;                /* handed to the functions */
    /* The circuit of a partition with its values, in the caller's storage, valid as long as the
     * source. NULL in a source that only verifies. */
    cuzk_status (*fill)(const void *arg, any_circuit *circuit, unsigned partition, cuzk_error *err);
    /* inputs  out  set.n_inputs - 1 public inputs, ONE left out, from what a verifier knows, never
     * from the vanilla proof */
    cuzk_status (*inputs)(const void *arg, fr_plain *inputs, unsigned partition, cuzk_error *err);
    /* The native checks that the request passed when it was read, once more. NULL as fill. */
    cuzk_status (*check)(const void *arg, const cuzk_ctx *ctx, cuzk_error *err);
    bool aggregated; /* its proofs are delivered as one aggregate: non-interactive PoRep */
    void (*close)(void *arg);
} partition_source;

/* Accepts a zeroed one; leaves such a one. */
void cuzk_partition_source_close(partition_source *source);

/* Which partitions a request or a verification is about: *n from *first on; all, or (only_one) one.
 * Fails: CUZK_E_INPUT when there is no such partition. */
cuzk_status cuzk_partitions_chosen(unsigned *first, unsigned *n, const partition_source *source,
                                   bool only_one, unsigned only_partition, cuzk_error *err);
/* Puts "partition K: " in front of a failure, K counted in the whole proof, and records it; nothing
 * for CUZK_OK, CUZK_E_CANCELLED or without err. Returns the status. */
cuzk_status cuzk_partition_name(cuzk_error *err, const partition_source *source, unsigned partition,
                                cuzk_status status);

/* ---- the steps ---- */

/* What the partitions of a circuit are proved with. Zeroed: nothing. Stays where it is. */
typedef struct partition_keys {
    param_files files;
    srs_params *params;
    groth16_pvk *pvk;
    r1cs_densities densities;
    bool local; /* parameters made on this machine, insecure */
} partition_keys;

/* Accepts and opens the parameters at keys->files, which the caller has filled. Charged to
 * ctx->account. options: of the file, or NULL. Fails: as cuzk_prove, leaving what
 * cuzk_partition_keys_clear must free; so does the next. */
cuzk_status cuzk_partition_keys_open(partition_keys *keys, const cuzk_ctx *ctx,
                                     const srs_params_options *options, cuzk_error *err);
/* The circuit's structure; and, once parameters are open, whether they fit it. */
cuzk_status cuzk_partition_keys_bind(partition_keys *keys, const cuzk_ctx *ctx,
                                     const param_set *set, cuzk_error *err);
void cuzk_partition_keys_clear(partition_keys *keys);

cuzk_status cuzk_partition_synthesise(r1cs_witness *witness, const cuzk_ctx *ctx,
                                      const partition_source *source, unsigned partition,
                                      cuzk_error *err);
/* blinding: NULL, or fixed by a test. timing may be NULL. Fails: as cuzk_groth16_prove_on,
 * CUZK_E_IO (no entropy). */
cuzk_status cuzk_partition_prove(uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                                 const cuzk_ctx *ctx, groth16_attached *key,
                                 const r1cs_densities *densities, const r1cs_witness *witness,
                                 const groth16_blinding *blinding, cuzk_error *err);
/* The same for in->n partitions that share a pass over the key; proofs one after the other. fixed:
 * NULL, or the blinding of each of them. */
cuzk_status cuzk_partitions_prove_at_once(uint8_t *proofs, groth16_timing *timing,
                                          const cuzk_ctx *ctx, groth16_attached *key,
                                          const groth16_inputs *in, const groth16_blinding *fixed,
                                          cuzk_error *err);
/* From its bytes, so that what is checked is what leaves. Fails: CUZK_E_PROOF_INVALID, also for
 * bytes that are no proof. */
cuzk_status cuzk_partition_check(const cuzk_ctx *ctx, const groth16_pvk *pvk,
                                 const partition_source *source, unsigned partition,
                                 const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err);

/* ---- all of them ---- */

/* Loads the set's parameters, then synthesises, proves and verifies the partitions, as many at once
 * as the budget allows, into result->proof: all of them, or request->only_partition. Adds phases,
 * circuit and local_params to the result. Fails: as cuzk_prove. */
cuzk_status cuzk_partitions_prove(cuzk_prover *prover, cuzk_result *result,
                                  const cuzk_request *request, const partition_source *source,
                                  cuzk_error *err);

/* Verifies proof bytes of all partitions, or (only_one) of one. Fails: as cuzk_verify_seal. */
cuzk_status cuzk_partitions_verify(cuzk_prover *prover, const partition_source *source,
                                   const uint8_t *proof, size_t proof_bytes, bool only_one,
                                   unsigned only_partition, cuzk_error *err);

#endif

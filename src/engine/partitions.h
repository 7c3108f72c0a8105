/* The Groth16 part of every kind's job: the partitions of one circuit are proved, verified and put
 * together. What is proved comes from the job of the kind: seal_job.h, post_job.h, update_job.h. */
#ifndef CUZK_ENGINE_PARTITIONS_H
#define CUZK_ENGINE_PARTITIONS_H

#include "engine/handle.h"
#include "field/fr.h"
#include "filecoin/param_set.h"
#include "r1cs/structure.h"

/* The partitions of one request, as its kind describes them. */
typedef struct partition_source {
    param_set set;
    unsigned n_partitions;    /* of the whole proof */
    unsigned first_partition; /* what errors call partition 0 */
    void *arg;                /* handed to the functions */
    /* The circuit of a partition with its values, valid until the next call. NULL in a source that
     * only verifies. */
    cuzk_status (*fill)(void *arg, r1cs_circuit *circuit, unsigned partition, cuzk_error *err);
    /* inputs  out  set.n_inputs - 1 public inputs, ONE left out, from what a verifier knows, never
     * from the vanilla proof */
    cuzk_status (*inputs)(void *arg, fr_plain *inputs, unsigned partition, cuzk_error *err);
} partition_source;

/* What is done with the partitions of a request that was read and judged. */
typedef cuzk_status (*partition_work)(void *arg, cuzk_prover *prover, cuzk_result *result,
                                      const cuzk_request *request, const partition_source *source,
                                      cuzk_error *err);

/* Loads the set's parameters, then synthesises, proves and verifies one partition after the other
 * into result->proof: all of them, or request->only_partition. Adds phases, circuit and
 * local_params to the result. Fails: as cuzk_prove. */
cuzk_status cuzk_partitions_prove(cuzk_prover *prover, cuzk_result *result,
                                  const cuzk_request *request, const partition_source *source,
                                  cuzk_error *err);

/* Verifies proof bytes of all partitions, or (only_one) of one. Fails: as cuzk_verify_seal. */
cuzk_status cuzk_partitions_verify(cuzk_prover *prover, const partition_source *source,
                                   const uint8_t *proof, size_t proof_bytes, bool only_one,
                                   unsigned only_partition, cuzk_error *err);

#endif

/* Proofs without parameters: a request from bytes to the proofs of its partitions, made with a key
 * that is made on the fly and checked by its known logarithms. For measuring. */
#ifndef CUZK_ENGINE_TEST_KEY_JOB_H
#define CUZK_ENGINE_TEST_KEY_JOB_H

#include <cuzk_unstable.h>

#include "engine/handle.h"

/* cuzk_prove_with_test_key; arguments were checked. */
cuzk_status cuzk_test_key_run(cuzk_prover *prover, cuzk_result *result, const cuzk_request *request,
                              cuzk_error *err);

#endif

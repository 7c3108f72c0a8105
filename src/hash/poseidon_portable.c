/* Poseidon in portable C. */
#include "hash/hash_internal.h"
#include "hash/poseidon_kernel.h"

const hash_kernels cuzk_hash_kernels_portable = {poseidon_hash, poseidon_one_by_one,
                                                 poseidon_trace};

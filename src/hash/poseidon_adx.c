/* Poseidon on the BMI2 and ADX field product. */
#include "hash/hash_internal.h"
#include "hash/poseidon_kernel.h"

const hash_kernels cuzk_hash_kernels_adx = {poseidon_hash, poseidon_one_by_one, poseidon_trace};

/* The label of a node in constraints: SHA-256 of replica id, layer, node and the parents' labels.
 * circuits.md 3.2. */
#ifndef CUZK_CIRCUITS_CREATE_LABEL_H
#define CUZK_CIRCUITS_CREATE_LABEL_H

#include "gadgets/uint64.h"

#define LABEL_PARENTS 37

/* Every 256-bit value as words that SHA-256 reads: 32 bytes, bit 31 of a word the most significant
 * bit of its first byte. The result is the digest's first 254 bits, little-endian, packed into one
 * variable. */
num cuzk_create_label(r1cs_cs *cs, const word32 replica_id[8],
                      const word32 *const parents[LABEL_PARENTS], uint32_t layer,
                      const uint64_gadget *node);

#endif

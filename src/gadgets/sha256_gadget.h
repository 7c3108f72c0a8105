/* SHA-256 in constraints. circuits.md 2.8. */
#ifndef CUZK_GADGETS_SHA256_GADGET_H
#define CUZK_GADGETS_SHA256_GADGET_H

#include "gadgets/multieq.h"

/* h = compression(h, block): 16 words as SHA-256 reads them, bit 31 the first of the message. */
void cuzk_sha256_gadget_compress(r1cs_cs *cs, word32 h[8], const word32 *const block[16]);

/* The hash of a message of n_words words, padding included. */
void cuzk_sha256_gadget(r1cs_cs *cs, word32 digest[8], const word32 *const *message,
                        size_t n_words);
/* One compression of 16 words from the initial state: sha256_block_no_padding. */
void cuzk_sha256_gadget_block(r1cs_cs *cs, word32 digest[8], const word32 *const block[16]);

#endif

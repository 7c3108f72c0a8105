/* The Fiat-Shamir transcript of SnarkPack: groth16.md 5.4. SHA-256 over "snarkpack-v1", a tag and
 * items in their serde form, then a counter until the digest is a scalar other than 0 and 1. */
#ifndef CUZK_GROTH16_TRANSCRIPT_H
#define CUZK_GROTH16_TRANSCRIPT_H

#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fp12.h"
#include "hash/sha256.h"

typedef struct transcript {
    sha256_state hash;
} transcript;

void cuzk_transcript_init(transcript *t, const char *tag);
/* Items, without separators: 32 bytes little-endian; compressed points; 576 bytes of Gt; a length
 * of 8 bytes little-endian and the bytes. */
void cuzk_transcript_fr(transcript *t, const fr *a);
void cuzk_transcript_g1(transcript *t, const g1_affine *p);
void cuzk_transcript_g2(transcript *t, const g2_affine *p);
void cuzk_transcript_gt(transcript *t, const fp12 *a);
void cuzk_transcript_bytes(transcript *t, const uint8_t *data, size_t len_bytes);
/* The challenge of everything added; ends t. */
void cuzk_transcript_challenge(fr *r, transcript *t);

#endif

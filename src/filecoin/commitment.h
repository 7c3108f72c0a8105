/* Commitments as operators write them: 64 hex digits or a CID. */
#ifndef CUZK_FILECOIN_COMMITMENT_H
#define CUZK_FILECOIN_COMMITMENT_H

#include "base/status.h"

typedef enum commitment_kind {
    COMMITMENT_SEALED,  /* comm_r: codec fil-commitment-sealed, Poseidon */
    COMMITMENT_UNSEALED /* comm_d: codec fil-commitment-unsealed, SHA-256 truncated to 254 bits */
} commitment_kind;

/* Fails: CUZK_E_INPUT saying what the text is not (neither form, a CID of the other kind, a wrong
 * length). Source: multiformats table: 0xf102 with 0xb401 (sealed), 0xf101 with 0x1012 (unsealed),
 * 32-byte digests. */
cuzk_status cuzk_commitment_read(uint8_t commitment[32], commitment_kind kind, const char *text,
                                 cuzk_error *err);

#endif

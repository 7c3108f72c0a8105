/* What a verifier knows of a proof: the public part of a request. */
#ifndef CUZK_PROGRAMS_STATEMENT_H
#define CUZK_PROGRAMS_STATEMENT_H

#include "support/request_options.h"

/* That of the kind is set. Zeroed is valid to clear. */
typedef struct statement {
    cuzk_proof_kind kind;
    cuzk_seal_statement seal;
    cuzk_post_statement post;
    cuzk_post_sector *sectors; /* what post borrows */
    cuzk_update_statement update;
} statement;

/* From the files of a request, and what its options say instead or besides. Without inputs, the
 * members that only they have are 0. Returns the exit code, after reporting; clear it in any case.
 */
int statement_of_request(statement *s, const request_options *q, const payload *p);
void statement_clear(statement *s);

/* Of all partitions, or of the one that the request names. As cuzk_verify_seal and its kin. */
cuzk_status verify_statement(cuzk_prover *prover, const statement *s, const request_options *q,
                             const uint8_t *proof, size_t proof_bytes, cuzk_error *err);

#endif

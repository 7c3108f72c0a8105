/* Reads a C1 document ("c1.json") into a porep_proof: the wrapper, base64, and the inner document,
 * as circuits.md 6.3 and engine.md 7.1 describe them. docs/formats/c1_json.md. */
#ifndef CUZK_FILECOIN_C1_READER_H
#define CUZK_FILECOIN_C1_READER_H

#include "base/pool.h"
#include "filecoin/porep_proof.h"

/* Everything whose form depends on the proof type is exact afterwards: numbers of partitions,
 * challenges, columns, rows, path levels and siblings, positions below their arity, one node in all
 * labeling proofs. Values are not judged: see porep_check.h. Members that nothing reads
 * (labeling_proofs[].parents, encoding_proof, _h, unknown ones) are skipped.
 *   data  borrowed for the call; the result does not refer to it
 *   name  what errors call the document; may be NULL
 * Memory, charged to ctx->account: the decoded text during the call, and until
 * cuzk_porep_proof_clear about 8 MB for a 32 GiB document.
 * Cost: 0.4 s for a 32 GiB document (51 MB), on the calling thread.
 * Fails: CUZK_E_NO_MEMORY; CUZK_E_INPUT with one of the texts of engine.md 8.1 in front, then NAME,
 * the offset, and within the inner document partition, challenge and path of the member. Offsets
 * count in the wrapper, in the text of Phase1Out, or in the decoded document, as the text says. */
cuzk_status cuzk_c1_read(porep_proof *proof, const cuzk_ctx *ctx, const uint8_t *data,
                         size_t len_bytes, const char *name, cuzk_error *err);
void cuzk_porep_proof_clear(porep_proof *proof); /* accepts a zeroed one; leaves it zeroed */

#endif

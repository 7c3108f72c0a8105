/* Writes a C1 document ("c1.json", docs/formats/c1_json.md): what cuzk_c1_read reads, in the key
 * order and spelling of the reference, byte for byte. */
#ifndef CUZK_FILECOIN_C1_WRITER_H
#define CUZK_FILECOIN_C1_WRITER_H

#include "filecoin/porep_proof.h"

/* Takes the next bytes of the file. */
typedef cuzk_status (*c1_sink)(void *arg, const void *data, size_t len_bytes, cuzk_error *err);

/* A document on its way through a sink; nothing of it is kept but a few buffers. */
typedef struct c1_writer c1_writer;

/* document: every member but the challenges, which follow one by one; kept until the finish. Its
 * sector number goes into the wrapper. Fails: CUZK_E_NO_MEMORY; then there is no writer. */
cuzk_status cuzk_c1_writer_create(c1_writer **writer, const porep_proof *document, c1_sink sink,
                                  void *arg, cuzk_error *err);
/* The next challenge, partition after partition. The parents' labels of its labeling and encoding
 * proofs are taken from the rows of its parent columns. */
void cuzk_c1_writer_put(c1_writer *writer, const porep_challenge_proof *challenge);
/* Ends the document, which must have all its challenges by now, and the writer.
 * Fails: with the first failure of the sink, after which it was not called again. */
cuzk_status cuzk_c1_writer_finish(c1_writer *writer, cuzk_error *err);
/* Ends a writer whose document is not wanted; accepts NULL. */
void cuzk_c1_writer_abandon(c1_writer *writer);

#endif

/* The public part of a seal as a small JSON document, for those who no longer have the c1.json.
 * docs/formats/seal_statement.md. */
#ifndef CUZK_FILECOIN_STATEMENT_READER_H
#define CUZK_FILECOIN_STATEMENT_READER_H

#include "filecoin/porep_inputs.h"

/* Every member of the statement must be there; values are not judged beyond their form. name: for
 * messages. Fails: CUZK_E_INPUT naming the document and the member. */
cuzk_status cuzk_porep_statement_read(porep_statement *s, const uint8_t *data, size_t len_bytes,
                                      const char *name, cuzk_error *err);

#endif

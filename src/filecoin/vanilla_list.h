/* Vanilla proofs as a request's file holds them: a JSON array of base64 strings, or one of them in
 * binary (engine.md 7.2 and 24.1). */
#ifndef CUZK_FILECOIN_VANILLA_LIST_H
#define CUZK_FILECOIN_VANILLA_LIST_H

#include "base/status.h"
#include "cuzk_unstable.h"

/* Whether bytes are an array in JSON and no vanilla proof that happens to begin with '[': those
 * have bytes that no text has. */
bool cuzk_vanilla_list_is_json(const uint8_t *data, size_t len_bytes);

/* cuzk_vanilla_read; arguments were checked. */
cuzk_status cuzk_vanilla_list_read(cuzk_vanilla_list *list, const cuzk_input *file,
                                   cuzk_error *err);

#endif

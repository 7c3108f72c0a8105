/* What a file holds and whether it is sound: `cuzk inspect`. */
#ifndef CUZK_ENGINE_INSPECTION_H
#define CUZK_ENGINE_INSPECTION_H

#include "cuzk_unstable.h"
#include "engine/handle.h"

/* cuzk_inspect. The kind is told from the content: a JSON object is a C1 document; a name ending in
 * .params or .vk says so; multiples of 192 bytes that start like compressed points are proofs; what
 * reads as a vanilla proof of some sector size is one. */
cuzk_status cuzk_inspect_file(cuzk_prover *prover, cuzk_inspection *inspection, const char *path,
                              cuzk_error *err);

#endif

/* What a file holds and whether it is sound: `cuzk inspect`. */
#ifndef CUZK_ENGINE_INSPECTION_H
#define CUZK_ENGINE_INSPECTION_H

#include "cuzk_unstable.h"
#include "engine/handle.h"

/* cuzk_inspect. A name ending in .params, .vk or .srs says the kind; otherwise the content does: an
 * array in JSON is a list of vanilla proofs; what reads as a seal statement is one, any other JSON
 * object is a C1 document; what has the length of an aggregate of as many proofs as it names is
 * one; what reads as a vanilla proof of some sector size is one; multiples of 192 bytes that start
 * like compressed points are proofs. */
cuzk_status cuzk_inspect_file(cuzk_prover *prover, cuzk_inspection *inspection, const char *path,
                              cuzk_error *err);

#endif

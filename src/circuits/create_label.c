/* The label of a node in constraints. */
#include "circuits/create_label.h"

#include "gadgets/sha256_gadget.h"

#define MESSAGE_WORDS (8 + 8 + 8 * LABEL_PARENTS)

num cuzk_create_label(r1cs_cs *cs, const word32 replica_id[8],
                      const word32 *const parents[LABEL_PARENTS], uint32_t layer,
                      const uint64_gadget *node) {
    word32 layer_word, zero, digest[8], packed[8];
    word32_set_const(&layer_word, layer);
    word32_set_const(&zero, 0);
    const word32 *message[MESSAGE_WORDS];
    size_t n = 0;
    for (unsigned i = 0; i < 8; i++) {
        message[n++] = &replica_id[i];
    }
    message[n++] = &layer_word;
    message[n++] = &node->high;
    message[n++] = &node->low;
    while (n < 16) {
        message[n++] = &zero;
    }
    for (unsigned p = 0; p < LABEL_PARENTS; p++) {
        for (unsigned i = 0; i < 8; i++) {
            message[n++] = &parents[p][i];
        }
    }
    cuzk_sha256_gadget(cs, digest, message, n);
    for (unsigned i = 0; i < 8; i++) {
        cuzk_word32_swap_bytes(cs, &packed[i], &digest[i]);
    }
    return cuzk_pack_words(cs, packed);
}

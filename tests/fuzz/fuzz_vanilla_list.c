/* Any bytes as a file of vanilla proofs; every byte of every proof can be read. */
#include "filecoin/vanilla_list.h"

#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    cuzk_error err;
    cuzk_vanilla_list list;
    const cuzk_input file = {.data = data, .len_bytes = len_bytes, .name = "fuzz"};
    if (cuzk_vanilla_list_read(&list, &file, &err) != CUZK_OK) {
        CUZK_ASSERT(err.text[0] != '\0' && list.proofs == NULL);
        return 0;
    }
    unsigned sum = 0;
    for (size_t i = 0; i < list.n_proofs; i++) {
        CUZK_ASSERT(list.proofs[i].name[0] != '\0');
        for (size_t k = 0; k < list.proofs[i].len_bytes; k++) {
            sum += list.proofs[i].data[k];
        }
    }
    CUZK_ASSERT(sum <= 255 * (unsigned)len_bytes);
    cuzk_vanilla_list_clear(&list);
    return 0;
}

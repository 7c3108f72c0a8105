/* Any bytes as a configuration file: refused with a place in it, or read; what is written then
 * reads back as the same. */
#include <stdlib.h>
#include <string.h>

#include "engine/config.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    config c, again;
    cuzk_error err;
    cuzk_status status = cuzk_config_read(&c, (const char *)data, len_bytes, "f", &err);
    if (status != CUZK_OK) {
        CUZK_ASSERT(status == CUZK_E_INPUT && strncmp(err.text, "f:", 2) == 0);
        CUZK_ASSERT(strchr(err.text, '\n') == NULL);
        return 0;
    }
    char *text, *second;
    size_t len, second_len;
    CUZK_ASSERT(cuzk_config_text(&text, &len, &c, &err) == CUZK_OK);
    CUZK_ASSERT(cuzk_config_read(&again, text, len, "written", &err) == CUZK_OK);
    CUZK_ASSERT(again.n_warnings == 0);
    CUZK_ASSERT(cuzk_config_text(&second, &second_len, &again, &err) == CUZK_OK);
    CUZK_ASSERT(len == second_len && memcmp(text, second, len) == 0);
    free(text);
    free(second);
    cuzk_config_clear(&c);
    cuzk_config_clear(&again);
    return 0;
}

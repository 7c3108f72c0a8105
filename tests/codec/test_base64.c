/* Base64: the examples of RFC 4648, every length around a block, joined pieces. */
#include "codec/base64.h"

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static void known_answers(void **state) {
    (void)state;
    static const char *const texts[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t n = 0; n <= 6; n++) {
        char text[16];
        memset(text, '#', sizeof text);
        cuzk_base64_encode(text, (const uint8_t *)"foobar", n);
        assert_string_equal(text, texts[n]);
        assert_int_equal(base64_length(n), strlen(texts[n]));
    }
}

static void there_and_back(void **state) {
    (void)state;
    uint8_t data[200], back[210];
    char text[280], joined[280];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 151 + 7);
    }
    for (size_t n = 0; n <= sizeof data; n++) {
        size_t n_back;
        cuzk_base64_encode(text, data, n);
        assert_int_equal(strlen(text), base64_length(n));
        assert_true(base64_room(base64_length(n)) <= sizeof back);
        assert_int_equal(cuzk_base64_decode(back, &n_back, text, strlen(text), NULL), CUZK_OK);
        assert_int_equal(n_back, n);
        assert_memory_equal(back, data, n);
        for (size_t first = 0; first <= n; first += 33) {
            cuzk_base64_encode(joined, data, first);
            cuzk_base64_encode(joined + base64_length(first), data + first, n - first);
            assert_string_equal(joined, text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* LABELS: quick */
/* The bincode cursor: values, ends at every offset, counts, trailing bytes. */
#include "codec/bincode.h"

#include "support/support.h"

static const uint8_t sample[] = {7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0xaa, 0xbb};

static void reads_what_is_there(void **state) {
    (void)state;
    bincode b = {.data = sample, .len_bytes = sizeof sample};
    uint32_t tag;
    uint8_t bytes[2];
    assert_int_equal(cuzk_bincode_u32(&b, &tag, "tag"), CUZK_OK);
    assert_int_equal(tag, 7);
    assert_int_equal(cuzk_bincode_count(&b, 5, "count"), CUZK_OK);
    assert_int_equal(cuzk_bincode_bytes(&b, bytes, 2, "bytes"), CUZK_OK);
    assert_int_equal(bytes[1], 0xbb);
    assert_int_equal(cuzk_bincode_end(&b), CUZK_OK);
}

static void stops_at_every_end(void **state) {
    (void)state;
    for (size_t len = 0; len < sizeof sample; len++) {
        cuzk_error err;
        bincode b = {.data = sample, .len_bytes = len, .err = &err};
        uint32_t tag;
        uint8_t bytes[2];
        bool good = cuzk_bincode_u32(&b, &tag, "tag") == CUZK_OK &&
                    cuzk_bincode_count(&b, 5, "count") == CUZK_OK &&
                    cuzk_bincode_bytes(&b, bytes, 2, "bytes") == CUZK_OK;
        assert_false(good);
        assert_int_equal(err.status, CUZK_E_INPUT);
        assert_int_equal(err.offset, b.at);
        assert_non_null(strstr(err.text, "unexpected end"));
    }
}

static void names_wrong_counts_and_trailing_data(void **state) {
    (void)state;
    cuzk_error err;
    bincode b = {.data = sample, .len_bytes = sizeof sample, .at = 4, .err = &err};
    assert_int_equal(cuzk_bincode_count(&b, 10, "inclusion proofs"), CUZK_E_INPUT);
    assert_string_equal(err.text, "offset 4: inclusion proofs: expected 10, found 5");
    b.at = 12;
    assert_int_equal(cuzk_bincode_end(&b), CUZK_E_INPUT);
    assert_int_equal(err.offset, 12);
    const uint8_t zeros[3] = {0};
    b = (bincode){.data = zeros, .len_bytes = sizeof zeros};
    assert_int_equal(cuzk_bincode_end(&b), CUZK_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(stops_at_every_end),
        cmocka_unit_test(names_wrong_counts_and_trailing_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

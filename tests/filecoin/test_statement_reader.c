/* The public part of a seal as JSON: the manifests of the vectors are such documents, each member
 * is needed, and what is cut short is refused. */
#include "filecoin/statement_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/hex.h"
#include "support/support.h"

static const char document[] =
    "{\"registered_proof\":8,\"miner_id\":1000,\"sector_number\":7,"
    "\"ticket\":\"1eb77b7dd5a4566131559eed15d9f146c41ee0a663ca06639d5ac3569e2c8f06\","
    "\"seed\":\"06c34ab4fa4c37f50cc2bac8dac851acd9e6d39d450e2abdb56dca7eeef6351e\","
    "\"comm_d\":\"baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2mpq\","
    "\"comm_r\":\"e82e45b95d371ff0e80bca43851ac49688b57fa6e49d6be1a2b98f8139be8209\"}";

static cuzk_status read_text(porep_statement *s, const char *text, cuzk_error *err) {
    return cuzk_porep_statement_read(s, (const uint8_t *)text, strlen(text), "a.json", err);
}

static void reads_all_members(void **state) {
    (void)state;
    porep_statement s;
    digest want;
    assert_int_equal(read_text(&s, document, NULL), CUZK_OK);
    assert_int_equal(s.type->number, 8);
    assert_int_equal(s.miner_id, 1000);
    assert_int_equal(s.sector_number, 7);
    assert_int_equal(s.ticket.bytes[0], 0x1e);
    assert_int_equal(s.seed.bytes[31], 0x1e);
    assert_true(cuzk_hex_decode(
        want.bytes, 32, "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e"));
    assert_true(digest_eq(&s.comm_d, &want));
    assert_int_equal(s.comm_r.bytes[0], 0xe8);
}

static void reads_a_manifest(void **state) {
    (void)state;
    porep_statement s;
    size_t len;
    uint8_t *text = test_read_vector("inputs/porep-2KiB-v1_1/manifest.json", &len);
    assert_int_equal(cuzk_porep_statement_read(&s, text, len, "manifest.json", NULL), CUZK_OK);
    assert_int_equal(s.type->number, 5);
    assert_int_equal(s.sector_number, 1);
    assert_int_equal(cuzk_porep_statement_check(&s, NULL), CUZK_OK);
    free(text);
}

static void refuses_what_is_cut_short(void **state) {
    (void)state;
    for (size_t len = 0; len + 1 < sizeof document; len++) {
        porep_statement s;
        cuzk_error err;
        char *copy = malloc(len + 1); /* the sanitizers see a read beyond it */
        assert_non_null(copy);
        memcpy(copy, document, len);
        assert_int_equal(cuzk_porep_statement_read(&s, (uint8_t *)copy, len, "a.json", &err),
                         CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "a.json"));
        free(copy);
    }
}

/* `from` replaced by `to` in the document. */
static void refuse(const char *from, const char *to, const char *text) {
    char changed[sizeof document + 256];
    const char *at = strstr(document, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - document), document, to,
             at + strlen(from));
    porep_statement s;
    cuzk_error err;
    assert_int_equal(read_text(&s, changed, &err), CUZK_E_INPUT);
    assert_non_null(strstr(err.text, text));
    assert_int_equal(read_text(&s, changed, NULL), CUZK_E_INPUT);
}

static void names_the_member(void **state) {
    (void)state;
    static const char *const members[] = {
        "registered_proof", "miner_id", "sector_number", "ticket", "seed", "comm_d", "comm_r"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        refuse(members[i], "other", members[i]);
    }
    refuse("registered_proof\":8", "registered_proof\":20", "registered_proof");
    refuse(":1000", ":-1", "miner_id");
    refuse(":1000", ":18446744073709551616", "miner_id");
    refuse(":7", ":7,\"sector_number\":7", "sector_number");
    refuse("\"1eb7", "\"1eb", "ticket");
    refuse("\"06c3", "\"g6c3", "seed");
    refuse("\"baga6", "\"bagb6", "comm_d");
    refuse("\"e82e", "\"baga", "comm_r");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_members),
        cmocka_unit_test(reads_a_manifest),
        cmocka_unit_test(refuses_what_is_cut_short),
        cmocka_unit_test(names_the_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Files of vanilla proofs: the two forms of the vectors, and what is refused. */
#include "filecoin/vanilla_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/support.h"

static void reads_both_forms(void **state) {
    (void)state;
    static const char *const names[] = {"sector-101.vproof", "sector-108.vproof",
                                        "sector-115.vproof"};
    cuzk_input file = {.name = "vanilla.json"};
    file.data = test_read_vector("inputs/window-2KiB-3/vanilla.json", &file.len_bytes);
    cuzk_vanilla_list list;
    assert_int_equal(cuzk_vanilla_read(&list, &file, NULL), CUZK_OK);
    assert_int_equal(list.n_proofs, 3);
    assert_string_equal(list.proofs[2].name, "vanilla.json[2]");
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        cuzk_input raw = {.name = names[i]};
        snprintf(path, sizeof path, "inputs/window-2KiB-3/%s", names[i]);
        raw.data = test_read_vector(path, &raw.len_bytes);
        cuzk_vanilla_list one;
        assert_int_equal(cuzk_vanilla_read(&one, &raw, NULL), CUZK_OK);
        assert_int_equal(one.n_proofs, 1);
        assert_ptr_equal(one.proofs[0].data, raw.data);
        assert_int_equal(one.proofs[0].len_bytes, list.proofs[i].len_bytes);
        assert_memory_equal(one.proofs[0].data, list.proofs[i].data, raw.len_bytes);
        assert_string_equal(one.proofs[0].name, names[i]);
        cuzk_vanilla_list_clear(&one);
        free((void *)(uintptr_t)raw.data);
    }
    cuzk_vanilla_list_clear(&list);
    free((void *)(uintptr_t)file.data);
}

static cuzk_status read_text(cuzk_vanilla_list *list, const char *text, size_t len,
                             cuzk_error *err) {
    char *copy = malloc(len + 1); /* the sanitizers see a read beyond it */
    assert_non_null(copy);
    memcpy(copy, text, len);
    const cuzk_input file = {.data = (uint8_t *)copy, .len_bytes = len, .name = "a.json"};
    cuzk_status status = cuzk_vanilla_read(list, &file, err);
    if (status == CUZK_OK && list->n_proofs == 1) {
        list->proofs[0].data = NULL; /* may be the copy */
    }
    free(copy);
    return status;
}

static void tells_the_forms_apart(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t len;
        bool is_json;
    } cases[] = {
        {"[]", 2, true},
        {"[", 1, true},
        {" \r\n\t[\"AA==\"]", 12, true},
        {"[1,2]", 5, true},
        {"", 0, false},
        {" ", 1, false},
        {"{}", 2, false},
        {"[\0\0\0\0\0\0\0AA", 10, false}, /* sector 91 */
        {"\0[]", 3, false},
        {"[\"AA==\"\x7f]", 9, false},
        {"[\"AA==\"\xff]", 9, false},
        {"AA==", 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cuzk_vanilla_list_is_json((const uint8_t *)cases[i].text, cases[i].len),
                         cases[i].is_json);
    }
    cuzk_vanilla_list list;
    assert_int_equal(read_text(&list, " [ ] ", 5, NULL), CUZK_OK);
    assert_int_equal(list.n_proofs, 0);
    cuzk_vanilla_list_clear(&list);
    cuzk_vanilla_list_clear(&list);
}

static void refuses_the_rest(void **state) {
    (void)state;
    static const char good[] = "[\"ZQAAAAAAAAC3POZP\",\"AA==\" , \"Af8=\"]";
    cuzk_vanilla_list list;
    cuzk_error err;
    for (size_t len = 1; len + 1 < sizeof good; len++) {
        assert_int_equal(read_text(&list, good, len, &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, "a.json"));
        assert_int_equal(read_text(&list, good, len, NULL), CUZK_E_INPUT);
    }
    static const struct {
        const char *text, *fault;
    } cases[] = {
        {"[1]", "offset"},
        {"[null]", "offset"},
        {"[[\"AA==\"]]", "nested"},
        {"[{\"a\":\"AA==\"}]", "nested"},
        {"[\"AA==\"]x", "offset"},
        {"[\"AA==\",\"\"]", "vanilla proof 1: empty"},
        {"[\"AA==\",\"AA=\"]", "vanilla proof 1: "},
        {"[\"AA==\",\"Af8=\",\"A!==\"]", "vanilla proof 2: offset 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_text(&list, cases[i].text, strlen(cases[i].text), &err),
                         CUZK_E_INPUT);
        assert_non_null(strstr(err.text, cases[i].fault));
    }
    assert_int_equal(cuzk_vanilla_read(NULL, NULL, &err), CUZK_E_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_both_forms),
        cmocka_unit_test(tells_the_forms_apart),
        cmocka_unit_test(refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

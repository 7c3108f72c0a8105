/* LABELS: quick */
/* Each public header compiles alone (as C here, as C++ in the build's own check), and the version
 * is one string. */
#include <cuzk.h>
#include <cuzk_unstable.h>

#include <stdio.h>

#include "support/support.h"

static void version_is_the_header_s(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CUZK_VERSION_MAJOR, CUZK_VERSION_MINOR,
             CUZK_VERSION_PATCH);
    assert_string_equal(cuzk_version(), text);
}

static void every_status_has_name_and_text(void **state) {
    (void)state;
    for (int i = 0; i <= CUZK_E_INTERNAL; i++) {
        assert_int_equal(strncmp(cuzk_status_name((cuzk_status)i), "CUZK_", 5), 0);
        assert_true(strlen(cuzk_status_text((cuzk_status)i)) > 3);
    }
    assert_string_equal(cuzk_status_name(CUZK_E_INPUT), "CUZK_E_INPUT");
    assert_string_equal(cuzk_status_text((cuzk_status)99), "unknown status");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_the_header_s),
        cmocka_unit_test(every_status_has_name_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

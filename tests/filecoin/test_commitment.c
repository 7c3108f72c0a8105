/* LABELS: quick */
/* Commitments in hex and as CIDs. The CIDs are known ones of a zero 32 GiB piece and made ones of
 * each kind. */
#include "filecoin/commitment.h"

#include "codec/hex.h"
#include "support/support.h"

/* comm_d of an all-zero 32 GiB sector */
static const char zero_32_gib_cid[] =
    "baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2mpq";
static const char zero_32_gib_hex[] =
    "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e";

static void reads_both_forms(void **state) {
    (void)state;
    uint8_t want[32], got[32];
    assert_true(cuzk_hex_decode(want, 32, zero_32_gib_hex));
    assert_int_equal(cuzk_commitment_read(got, COMMITMENT_UNSEALED, zero_32_gib_hex, NULL),
                     CUZK_OK);
    assert_memory_equal(got, want, 32);
    assert_int_equal(cuzk_commitment_read(got, COMMITMENT_UNSEALED, zero_32_gib_cid, NULL),
                     CUZK_OK);
    assert_memory_equal(got, want, 32);
}

static void refuses_everything_else(void **state) {
    (void)state;
    uint8_t got[32];
    cuzk_error err;
    assert_int_equal(cuzk_commitment_read(got, COMMITMENT_SEALED, zero_32_gib_cid, &err),
                     CUZK_E_INPUT);
    assert_non_null(strstr(err.text, "sealed (comm_r)"));
    const char *const bad[] = {"",
                               "b",
                               "077e",
                               "Qmabc",
                               "baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2mp",
                               "baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2mpr",
                               "baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2mpqaa",
                               "baga6ea4seaqao7s73y24kcutaosvacpdjgfe5pw76ooefnyqw4ynr3d2y6x2m!q"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(cuzk_commitment_read(got, COMMITMENT_UNSEALED, bad[i], &err),
                         CUZK_E_INPUT);
        assert_true(strlen(err.text) > 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_both_forms),
        cmocka_unit_test(refuses_everything_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

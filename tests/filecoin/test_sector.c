/* Sector sizes and registered proofs: internal consistency and the published names and numbers. */
#include <stdio.h>

#include "filecoin/sector.h"
#include "support/support.h"

static unsigned log2_exact(uint64_t n) {
    unsigned l = 0;
    while ((1ull << l) < n) {
        l++;
    }
    assert_true(n == 1ull << l);
    return l;
}

static void sizes_are_consistent(void **state) {
    (void)state;
    assert_int_equal(cuzk_n_sector_sizes, 12);
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        const sector_size *s = &cuzk_sector_sizes[i];
        assert_true(s->bytes == s->nodes * 32);
        assert_int_equal(log2_exact(s->nodes), s->log2_nodes);
        uint64_t leaves = 1;
        for (unsigned l = 0; l < tree_shape_levels(&s->shape); l++) {
            leaves *= tree_shape_arity(&s->shape, l);
        }
        assert_true(leaves == s->nodes);
        assert_ptr_equal(cuzk_sector_size_by_bytes(s->bytes), s);

        char name[16], id[16];
        uint64_t n = s->bytes >> 10;
        const char *unit = "KiB";
        if (n >= 1 << 20) {
            n >>= 20;
            unit = "GiB";
        } else if (n >= 1 << 10) {
            n >>= 10;
            unit = "MiB";
        }
        snprintf(name, sizeof name, "%u%s", (unsigned)n, unit);
        assert_string_equal(name, s->name);
        snprintf(id, sizeof id, "%u%c", (unsigned)n, unit[0] | 0x20);
        assert_string_equal(id, s->id);

        if (s->n_layers != 0) {
            bool big = s->n_layers == FILECOIN_MAX_LAYERS;
            unsigned parts = s->interactive_partitions, ni = s->ni_partitions;
            assert_int_equal(s->interactive_challenges, ((big ? 176 : 2) + parts - 1) / parts);
            assert_int_equal(s->ni_challenges, ((big ? 2253 : 26) + ni - 1) / ni);
        }
    }
    assert_null(cuzk_sector_size_by_bytes(0));
    assert_null(cuzk_sector_size_by_bytes(2047));
    assert_null(cuzk_sector_size_by_bytes(UINT64_MAX));
}

static void registered_proofs(void **state) {
    (void)state;
    static const uint64_t bytes[5] = {2048, 8ull << 20, 512ull << 20, 32ull << 30, 64ull << 30};
    static const char *const sizes[5] = {"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"};
    static const char *const seal[4] = {"V1", "V1_1", "V1_1_Feat_SyntheticPoRep",
                                        "V1_2_Feat_NonInteractivePoRep"};
    static const char *const post[3][2] = {{"Winning", "V1"}, {"Window", "V1"}, {"Window", "V1_1"}};
    char name[80];
    for (unsigned n = 0; n < 20; n++) {
        const seal_proof_type *t = cuzk_seal_proof_by_number(n);
        assert_non_null(t);
        assert_int_equal(t->number, n);
        assert_true(t->size->bytes == bytes[n % 5] && t->size->published);
        snprintf(name, sizeof name, "StackedDrg%s%s", sizes[n % 5], seal[n / 5]);
        assert_string_equal(t->name, name);
        assert_ptr_equal(cuzk_seal_proof_by_name(name, strlen(name)), t);
        bool ni = t->feature == POREP_NON_INTERACTIVE;
        assert_int_equal(t->n_partitions,
                         ni ? t->size->ni_partitions : t->size->interactive_partitions);
        assert_int_equal(t->n_challenges,
                         ni ? t->size->ni_challenges : t->size->interactive_challenges);
        assert_int_equal(t->version, n < 5 ? POREP_V1_0 : n < 10 ? POREP_V1_1 : POREP_V1_2);
    }
    assert_null(cuzk_seal_proof_by_number(20));
    assert_null(cuzk_seal_proof_by_number(1ull << 32));
    assert_null(cuzk_seal_proof_by_name("StackedDrg2KiBV1_1", 17)); /* ...V1_ */
    assert_null(cuzk_seal_proof_by_name("", 0));

    for (unsigned n = 0; n < 15; n++) {
        const post_proof_type *t = cuzk_post_proof_by_number(n);
        assert_non_null(t);
        assert_int_equal(t->number, n);
        assert_true(t->size->bytes == bytes[n % 5] && t->winning == (n < 5));
        snprintf(name, sizeof name, "StackedDrg%s%s%s", post[n / 5][0], sizes[n % 5],
                 post[n / 5][1]);
        assert_string_equal(t->name, name);
        assert_int_equal(t->version, n < 10 ? POREP_V1_0 : POREP_V1_2);
    }
    assert_null(cuzk_post_proof_by_number(15));

    for (unsigned n = 0; n < 5; n++) {
        const update_proof_type *t = cuzk_update_proof_by_number(n);
        assert_non_null(t);
        assert_int_equal(t->number, n);
        assert_true(t->size->bytes == bytes[n] && t->size->update_partitions != 0);
        snprintf(name, sizeof name, "StackedDrg%sV1", sizes[n]);
        assert_string_equal(t->name, name);
    }
    assert_null(cuzk_update_proof_by_number(5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_consistent),
        cmocka_unit_test(registered_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

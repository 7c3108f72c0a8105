/* Parameter sets: ids, shapes, and every name of circuits.md 6.7 and engine.md 6.4. */
#include <stdio.h>

#include "filecoin/param_set.h"
#include "support/support.h"

#define TREE_0 "merkletree-poseidon_hasher-8-0-0"
#define TREE_8 "merkletree-poseidon_hasher-8-8-0"
#define TREE_2 "merkletree-poseidon_hasher-8-8-2"
#define POREP(tree) "v28-stacked-proof-of-replication-" tree "-sha256_hasher-"
#define POST(tree) "v28-proof-of-spacetime-fallback-" tree "-"
#define SNAP(tree) "v28-empty-sector-update-" tree "-"
#define SNAP_P(tree) "v28-empty-sector-update-poseidon-" tree "-"

/* All published files: parameters.json of storage-proofs-core 19.0.1. */
static const struct {
    const char *id, *stem, *params, *vk;
} published[] = {
#define HASH_S2K "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194"
#define HASH_S32 "3b7f44a9362e3985369454947bc94022e118211e49fd672d52bec1cbfd599d18"
#define HASH_S64 "102e1444a7e9a97ebf1e3d6855dcc77e66c011ea66f936d9b2c508f87f2f83a7"
    {"porep-2k", POREP(TREE_0) "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f",
     "434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
    {"porep-8m", POREP(TREE_0) "ecd683648512ab1765faa2a5f14bab48f676e633467f0aa8aad4b55dcb0652bb",
     "09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
    {"porep-512m", POREP(TREE_0) "6babf46ce344ae495d558e7770a585b2382d54f225af8ed0397b8be7c3fcd472",
     "6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
    {"porep-32g", POREP(TREE_8) "82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820",
     "6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
    {"porep-64g", POREP(TREE_2) "96f1b4a04c5c51e4759bbf224bbc2ef5a42c7100f16ec0637123f16a845ddfb2",
     "1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"},
    {"winning-2k", POST(TREE_0) "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
     "82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
    {"winning-8m", POST(TREE_0) "50c7368dea9593ed0989e70974d28024efa9d156d585b7eea1be22b2e753f331",
     "700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
    {"winning-512m",
     POST(TREE_0) "7d739b8cf60f1b0709eeebee7730e297683552e4b69cab6984ec0285663c5781",
     "827359440349fe8f5a016e7598993b79", "bd2cd62f65c1ab84f19ca27e97b7c731"},
    {"winning-32g", POST(TREE_8) "559e581f022bb4e4ec6e719e563bf0e026ad6de42e56c18714a2c692b1b88d7e",
     "d84f79a16fe40e9e25a36e2107bb1ba0", "fc02943678dd119e69e7fab8420e8819"},
    {"winning-64g", POST(TREE_2) "b62098629d07946e9028127e70295ed996fe3ed25b0f9f88eb610a0ab4385a3c",
     "2170a91ad5bae22ea61f2ea766630322", "6d3789148fb6466d07ee1e24d6292fd6"},
    {"wpost-2k", POST(TREE_0) "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
     "7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
    {"wpost-8m", POST(TREE_0) "5294475db5237a2e83c3e52fd6c2b03859a1831d45ed08c4f35dbf9a803165a9",
     "c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
    {"wpost-512m", POST(TREE_0) "0cfb4f178bbb71cf2ecfcd42accce558b27199ab4fb59cb78f2483fe21ef36d9",
     "1a7d4a9c8a502a497ed92a54366af33f", "4dae975de4f011f101f5a2f86d1daaba"},
    {"wpost-32g", POST(TREE_8) "0377ded656c6f524f1618760bffe4e0a1c51d5a70c4509eedae8a27555733edc",
     "2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
    {"wpost-64g", POST(TREE_2) "2627e4006b67f99cef990c0a47d5426cb7ab0a0ad58fc1061547bf2d28b09def",
     "3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"},
    {"snap-2k", SNAP(TREE_0) HASH_S2K, "311f92a3e75036ced01b1c0025f1fa0c",
     "eadad9784969890d30f2749708c79771"},
    {"snap-8m", SNAP(TREE_0) "92180959e1918d26350b8e6cfe217bbdd0a2d8de51ebec269078b364b715ad63",
     "5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
    {"snap-512m", SNAP(TREE_0) "61fa69f38b9cc771ba27b670124714b4ea77fbeae05e377fb859c4a43b73a30c",
     "c3ad7bb549470b82ad52ed070aebb4f4", "994c5b7d450ca9da348c910689f2dc7f"},
    {"snap-32g", SNAP(TREE_8) HASH_S32, "1b3cfd761a961543f9eb273e435a06a2",
     "3a6941983754737fde880d29c7094905"},
    {"snap-64g", SNAP(TREE_2) HASH_S64, "1a392e7b759fb18e036c7559b5ece816",
     "80e366df2f1011953c2d01c7b7c9ee8e"},
    {"snap-poseidon-32g", SNAP_P(TREE_8) HASH_S32, "b69983b5d7a97a20f43b3d5ff2a4ed04",
     "1ac05784f304129f74c5184190c1ec78"},
    {"snap-poseidon-64g", SNAP_P(TREE_2) HASH_S64, "a6d4f96e2b641a6d7a1a8e6dc1155c8a",
     "8e8fb9e2c56eb5d740d0de135305a7b8"},
};
#define N_PUBLISHED (sizeof published / sizeof published[0])

static void published_names(void **state) {
    (void)state;
    for (size_t i = 0; i < N_PUBLISHED; i++) {
        param_set set;
        char stem[PARAM_STEM_CHARS];
        assert_int_equal(cuzk_param_set_by_id(&set, published[i].id, NULL), CUZK_OK);
        assert_string_equal(set.id, published[i].id);
        cuzk_param_set_stem(stem, &set);
        assert_string_equal(stem, published[i].stem);
        assert_true(set.published);
        assert_string_equal(set.params_digest, published[i].params);
        assert_string_equal(set.vk_digest, published[i].vk);
    }
    size_t n = 0;
    for (size_t i = 0; i < cuzk_n_param_sets; i++) {
        param_set set;
        cuzk_param_set_at(&set, i);
        n += set.published;
        assert_true(set.published == (set.params_digest != NULL));
    }
    assert_int_equal(n, N_PUBLISHED);
}

static void identifiers(void **state) {
    (void)state;
    param_set set;
    char text[PARAM_IDENTIFIER_CHARS];
    assert_int_equal(cuzk_param_set_by_id(&set, "porep-32g", NULL), CUZK_OK);
    cuzk_param_set_identifier(text, &set);
    assert_string_equal(
        text,
        "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: 8 "
        "base_graph: drgraph::BucketGraph{size: 1073741824; degree: 6; hasher: poseidon_hasher} }, "
        "challenges: LayerChallenges { layers: 11, max_count: 18 }, tree: "
        "merkletree-poseidon_hasher-8-8-0 }");
    assert_int_equal(cuzk_param_set_by_id(&set, "wpost-64g", NULL), CUZK_OK);
    cuzk_param_set_identifier(text, &set);
    assert_string_equal(text, "FallbackPoSt::PublicParams{sector_size: 68719476736, "
                              "challenge_count: 10, sector_count: 2300}");
    assert_int_equal(cuzk_param_set_by_id(&set, "snap-1k", NULL), CUZK_OK);
    cuzk_param_set_identifier(text, &set);
    assert_string_equal(text, "empty_sector_update::PublicParams{ sector_nodes: 32 }");
}

static void ids(void **state) {
    (void)state;
    static const struct {
        const char *spelled, *id;
    } same[] = {
        {"porep-2KiB", "porep-2k"},
        {"POREP-2K", "porep-2k"},
        {"window-32GiB", "wpost-32g"},
        {"Wpost-32gib", "wpost-32g"},
        {"winning-8MiB", "winning-8m"},
        {"update-64GiB", "snap-64g"},
        {"update-poseidon-1KiB", "snap-poseidon-1k"},
        {"Porep-Test-8-4-2", "porep-test-8-4-2"},
    };
    static const char *const none[] = {
        "",          "porep",     "porep-",         "porep-3k",        "porep-1k",  "winning-8k",
        "wpost-1k",  "snap-1g",   "snap-1GiB",      "porep-test",      "porep2k",   "porep-2kib ",
        "porep-2ki", "snap-test", "snap-poseidon-", "window-poseidon", "-porep-2k", "%s%s%n",
    };
    param_set set;
    cuzk_error err;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_int_equal(cuzk_param_set_by_id(&set, same[i].spelled, NULL), CUZK_OK);
        assert_string_equal(set.id, same[i].id);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(cuzk_param_set_by_id(&set, none[i], &err), CUZK_E_RANGE);
        assert_non_null(strstr(err.text, none[i]));
    }
    for (size_t i = 0; i < cuzk_n_param_sets; i++) {
        param_set listed, found;
        cuzk_param_set_at(&listed, i);
        assert_int_equal(cuzk_param_set_by_id(&found, listed.id, NULL), CUZK_OK);
        assert_string_equal(listed.id, found.id);
        assert_true(listed.kind == found.kind && listed.nodes == found.nodes);
        for (size_t j = 0; j < i; j++) {
            char stem_i[PARAM_STEM_CHARS], stem_j[PARAM_STEM_CHARS];
            cuzk_param_set_at(&found, j);
            assert_string_not_equal(listed.id, found.id);
            cuzk_param_set_stem(stem_i, &listed);
            cuzk_param_set_stem(stem_j, &found);
            assert_string_not_equal(stem_i, stem_j);
        }
    }
}

/* The input counts of the tables of circuits.md 3.4, 4.5 and 5.5, with ONE. */
static void input_counts(void **state) {
    (void)state;
    static const struct {
        const char *id;
        unsigned n_inputs, n_partitions;
    } expected[] = {
        {"porep-2k", 40, 1},
        {"porep-1g", 40, 1},
        {"porep-32g", 328, 10},
        {"porep-test-8-4-2", 22, 1},
        {"winning-64g", 133, 1},
        {"wpost-2k", 23, 1},
        {"wpost-32g", 25840, 1},
        {"wpost-64g", 25301, 1},
        {"wpost-test-8-4-0-3x5", 19, 1},
        {"wpost-test-8-0-0-2x5", 13, 1},
        {"wpost-test-8-0-0-5x10", 56, 1},
        {"snap-8m", 5, 4},
        {"snap-32g", 5, 16},
        {"snap-poseidon-32g", 5, 1},
    };
    param_set set;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(cuzk_param_set_by_id(&set, expected[i].id, NULL), CUZK_OK);
        assert_int_equal(set.n_inputs, expected[i].n_inputs);
        assert_int_equal(set.n_partitions, expected[i].n_partitions);
    }
    assert_int_equal(cuzk_param_set_by_id(&set, "snap-poseidon-32g", NULL), CUZK_OK);
    assert_int_equal(set.n_challenges, 1376);
    for (size_t i = 0; i < cuzk_n_param_sets; i++) {
        cuzk_param_set_at(&set, i);
        uint64_t leaves = 1;
        for (unsigned l = 0; l < tree_shape_levels(&set.shape); l++) {
            leaves *= tree_shape_arity(&set.shape, l);
        }
        assert_true(leaves == set.nodes && set.sector_bytes == 32 * set.nodes);
        assert_true(1ull << set.log2_nodes == set.nodes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_names),
        cmocka_unit_test(identifiers),
        cmocka_unit_test(ids),
        cmocka_unit_test(input_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

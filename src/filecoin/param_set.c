/* The sets behind param_set.h, made from the table of sector sizes. */
#include "filecoin/param_set.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "codec/hex.h"
#include "hash/sha256.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* From the manifests of the reference, storage-proofs-core 19.0.1 parameters.json. */
static const struct {
    circuit_kind kind;
    const char *size, *params, *vk;
} published[] = {
    {CIRCUIT_POREP, "2k", "434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
    {CIRCUIT_POREP, "8m", "09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
    {CIRCUIT_POREP, "512m", "6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
    {CIRCUIT_POREP, "32g", "6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
    {CIRCUIT_POREP, "64g", "1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"},
    {CIRCUIT_WINNING, "2k", "82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
    {CIRCUIT_WINNING, "8m", "700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
    {CIRCUIT_WINNING, "512m", "827359440349fe8f5a016e7598993b79",
     "bd2cd62f65c1ab84f19ca27e97b7c731"},
    {CIRCUIT_WINNING, "32g", "d84f79a16fe40e9e25a36e2107bb1ba0",
     "fc02943678dd119e69e7fab8420e8819"},
    {CIRCUIT_WINNING, "64g", "2170a91ad5bae22ea61f2ea766630322",
     "6d3789148fb6466d07ee1e24d6292fd6"},
    {CIRCUIT_WINDOW, "2k", "7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
    {CIRCUIT_WINDOW, "8m", "c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
    {CIRCUIT_WINDOW, "512m", "1a7d4a9c8a502a497ed92a54366af33f",
     "4dae975de4f011f101f5a2f86d1daaba"},
    {CIRCUIT_WINDOW, "32g", "2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
    {CIRCUIT_WINDOW, "64g", "3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"},
    {CIRCUIT_UPDATE, "2k", "311f92a3e75036ced01b1c0025f1fa0c", "eadad9784969890d30f2749708c79771"},
    {CIRCUIT_UPDATE, "8m", "5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
    {CIRCUIT_UPDATE, "512m", "c3ad7bb549470b82ad52ed070aebb4f4",
     "994c5b7d450ca9da348c910689f2dc7f"},
    {CIRCUIT_UPDATE, "32g", "1b3cfd761a961543f9eb273e435a06a2", "3a6941983754737fde880d29c7094905"},
    {CIRCUIT_UPDATE, "64g", "1a392e7b759fb18e036c7559b5ece816", "80e366df2f1011953c2d01c7b7c9ee8e"},
    {CIRCUIT_UPDATE_POSEIDON, "32g", "b69983b5d7a97a20f43b3d5ff2a4ed04",
     "1ac05784f304129f74c5184190c1ec78"},
    {CIRCUIT_UPDATE_POSEIDON, "64g", "a6d4f96e2b641a6d7a1a8e6dc1155c8a",
     "8e8fb9e2c56eb5d740d0de135305a7b8"},
};

/* The test shapes of circuits.md 3.4 and 4.5. PoRep: two layers, one challenge. */
static const struct {
    const char *id;
    circuit_kind kind;
    unsigned log2_nodes;
    tree_shape shape;
    unsigned n_sectors, n_challenges;
} test_shapes[] = {
    {"porep-test-2-0-0", CIRCUIT_POREP, 3, {2, 0, 0, 3}, 0, 1},
    {"porep-test-8-0-0", CIRCUIT_POREP, 3, {8, 0, 0, 1}, 0, 1},
    {"porep-test-8-4-0", CIRCUIT_POREP, 5, {8, 4, 0, 1}, 0, 1},
    {"porep-test-8-4-2", CIRCUIT_POREP, 6, {8, 4, 2, 1}, 0, 1},
    {"wpost-test-8-0-0-3x5", CIRCUIT_WINDOW, 6, {8, 0, 0, 2}, 3, 5},
    {"wpost-test-8-0-0-2x5", CIRCUIT_WINDOW, 6, {8, 0, 0, 2}, 2, 5},
    {"wpost-test-8-4-0-3x5", CIRCUIT_WINDOW, 8, {8, 4, 0, 2}, 3, 5},
    {"wpost-test-8-4-2-3x5", CIRCUIT_WINDOW, 9, {8, 4, 2, 2}, 3, 5},
    {"wpost-test-8-0-0-5x10", CIRCUIT_WINDOW, 30, {8, 0, 0, 10}, 5, 10},
};

/* What an id starts with: the first is the one we write. */
static const char *const kind_names[CIRCUIT_KINDS][2] = {
    [CIRCUIT_POREP] = {"porep", "porep"},
    [CIRCUIT_WINNING] = {"winning", "winning"},
    [CIRCUIT_WINDOW] = {"wpost", "window"},
    [CIRCUIT_UPDATE] = {"snap", "update"},
    [CIRCUIT_UPDATE_POSEIDON] = {"snap-poseidon", "update-poseidon"},
};

/* ONE, then: PoRep replica_id, comm_d, comm_r and 18 values a challenge; PoSt comm_r and its
 * challenges for each sector; update four values. circuits.md 3.3, 4.3, 5.2, 5.4. */
static uint64_t count_inputs(const param_set *set) {
    switch (set->kind) {
    case CIRCUIT_POREP:
        return 4 + 18ull * set->n_challenges;
    case CIRCUIT_WINNING:
    case CIRCUIT_WINDOW:
        return 1 + (uint64_t)set->n_sectors * (1 + set->n_challenges);
    default:
        return 5;
    }
}

bool cuzk_param_set_of(param_set *set, circuit_kind kind, const sector_size *size) {
    *set = (param_set){.kind = kind,
                       .size = size,
                       .sector_bytes = size->bytes,
                       .nodes = size->nodes,
                       .log2_nodes = size->log2_nodes,
                       .shape = size->shape,
                       .n_partitions = 1};
    switch (kind) {
    case CIRCUIT_POREP:
        set->n_layers = size->n_layers;
        set->n_challenges = size->interactive_challenges;
        set->n_partitions = size->interactive_partitions;
        break;
    case CIRCUIT_WINNING:
        set->n_sectors = WINNING_SECTORS;
        set->n_challenges = size->window_sectors != 0; /* sizes without PoSt have none */
        break;
    case CIRCUIT_WINDOW:
        set->n_sectors = size->window_sectors;
        set->n_challenges = size->window_sectors != 0 ? WINDOW_CHALLENGES : 0;
        break;
    case CIRCUIT_UPDATE:
        set->n_challenges = size->update_challenges;
        set->n_partitions = size->update_partitions;
        set->n_apex_leaves = size->update_apex_leaves;
        set->update_h = size->update_h;
        break;
    case CIRCUIT_UPDATE_POSEIDON:
        set->n_challenges = size->update_challenges * size->update_partitions;
        set->update_h = size->update_h;
        break;
    default:
        return false;
    }
    if (set->n_challenges == 0) {
        return false;
    }
    snprintf(set->id, sizeof set->id, "%s-%s", kind_names[kind][0], size->id);
    set->n_inputs = count_inputs(set);
    for (size_t i = 0; i < LENGTH(published); i++) {
        if (published[i].kind == kind && strcmp(published[i].size, size->id) == 0) {
            set->published = true;
            set->params_digest = published[i].params;
            set->vk_digest = published[i].vk;
        }
    }
    return true;
}

static void make_test_shape(param_set *set, size_t i) {
    *set = (param_set){.kind = test_shapes[i].kind,
                       .sector_bytes = 32ull << test_shapes[i].log2_nodes,
                       .nodes = 1ull << test_shapes[i].log2_nodes,
                       .log2_nodes = test_shapes[i].log2_nodes,
                       .shape = test_shapes[i].shape,
                       .n_layers = test_shapes[i].kind == CIRCUIT_POREP ? 2 : 0,
                       .n_sectors = test_shapes[i].n_sectors,
                       .n_challenges = test_shapes[i].n_challenges,
                       .n_partitions = 1};
    snprintf(set->id, sizeof set->id, "%s", test_shapes[i].id);
    set->n_inputs = count_inputs(set);
}

/* PoRep and PoSt exist for 10 of the 12 sizes (not 1 and 8 KiB), updates for 11 (not 1 GiB). */
const size_t cuzk_n_param_sets = 3 * 10 + 2 * 11 + LENGTH(test_shapes);

void cuzk_param_set_at(param_set *set, size_t index) {
    size_t n = 0;
    for (int kind = 0; kind < CIRCUIT_KINDS; kind++) {
        for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
            if (cuzk_param_set_of(set, (circuit_kind)kind, &cuzk_sector_sizes[i]) && n++ == index) {
                return;
            }
        }
    }
    CUZK_ASSERT(index - n < LENGTH(test_shapes));
    make_test_shape(set, index - n);
}

static bool find_by_names(param_set *set, const char *id) {
    for (int kind = 0; kind < CIRCUIT_KINDS; kind++) {
        for (int alias = 0; alias < 2; alias++) {
            size_t len = strlen(kind_names[kind][alias]);
            if (strncasecmp(id, kind_names[kind][alias], len) != 0 || id[len] != '-') {
                continue;
            }
            for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
                const sector_size *size = &cuzk_sector_sizes[i];
                if ((strcasecmp(id + len + 1, size->id) == 0 ||
                     strcasecmp(id + len + 1, size->name) == 0) &&
                    cuzk_param_set_of(set, (circuit_kind)kind, size)) {
                    return true;
                }
            }
        }
    }
    for (size_t i = 0; i < LENGTH(test_shapes); i++) {
        if (strcasecmp(id, test_shapes[i].id) == 0) {
            make_test_shape(set, i);
            return true;
        }
    }
    return false;
}

cuzk_status cuzk_param_set_by_id(param_set *set, const char *id, cuzk_error *err) {
    if (find_by_names(set, id)) {
        return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_E_RANGE,
                     "there is no circuit \"%.40s\"; ids are {porep,winning,wpost,snap}-SIZE, "
                     "for example porep-32g",
                     id);
}

static void print_tree(char *text, size_t chars, const tree_shape *shape) {
    snprintf(text, chars, "merkletree-poseidon_hasher-%u-%u-%u", shape->base, shape->sub,
             shape->top);
}

void cuzk_param_set_identifier(char text[PARAM_IDENTIFIER_CHARS], const param_set *set) {
    char tree[64];
    print_tree(tree, sizeof tree, &set->shape);
    unsigned long long nodes = set->nodes, bytes = set->sector_bytes;
    int n = 0;
    switch (set->kind) {
    case CIRCUIT_POREP:
        n = snprintf(text, PARAM_IDENTIFIER_CHARS,
                     "layered_drgporep::PublicParams{ graph: "
                     "stacked_graph::StackedGraph{expansion_degree: 8 base_graph: "
                     "drgraph::BucketGraph{size: %llu; degree: 6; hasher: poseidon_hasher} }, "
                     "challenges: LayerChallenges { layers: %u, max_count: %u }, tree: %s }",
                     nodes, set->n_layers, set->n_challenges, tree);
        break;
    case CIRCUIT_WINNING:
    case CIRCUIT_WINDOW:
        n = snprintf(text, PARAM_IDENTIFIER_CHARS,
                     "FallbackPoSt::PublicParams{sector_size: %llu, challenge_count: %u, "
                     "sector_count: %u}",
                     bytes, set->n_challenges, set->n_sectors);
        break;
    default:
        n = snprintf(text, PARAM_IDENTIFIER_CHARS,
                     "empty_sector_update::PublicParams{ sector_nodes: %llu }", nodes);
        break;
    }
    CUZK_ASSERT(n > 0 && n < PARAM_IDENTIFIER_CHARS);
}

void cuzk_param_set_stem(char text[PARAM_STEM_CHARS], const param_set *set) {
    static const char *const prefixes[CIRCUIT_KINDS][2] = {
        [CIRCUIT_POREP] = {"stacked-proof-of-replication-", "-sha256_hasher"},
        [CIRCUIT_WINNING] = {"proof-of-spacetime-fallback-", ""},
        [CIRCUIT_WINDOW] = {"proof-of-spacetime-fallback-", ""},
        [CIRCUIT_UPDATE] = {"empty-sector-update-", ""},
        [CIRCUIT_UPDATE_POSEIDON] = {"empty-sector-update-poseidon-", ""},
    };
    char tree[64], identifier[PARAM_IDENTIFIER_CHARS], hex[2 * SHA256_BYTES + 1];
    uint8_t digest[SHA256_BYTES];
    print_tree(tree, sizeof tree, &set->shape);
    cuzk_param_set_identifier(identifier, set);
    cuzk_sha256(digest, identifier, strlen(identifier));
    cuzk_hex_encode(hex, digest, sizeof digest);
    int n = snprintf(text, PARAM_STEM_CHARS, "v28-%s%s%s-%s", prefixes[set->kind][0], tree,
                     prefixes[set->kind][1], hex);
    CUZK_ASSERT(n > 0 && n < PARAM_STEM_CHARS);
}

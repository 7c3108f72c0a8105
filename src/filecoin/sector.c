/* The tables behind sector.h. */
#include "filecoin/sector.h"

#include <string.h>

enum {
    SIZE_1K,
    SIZE_2K,
    SIZE_4K,
    SIZE_8K,
    SIZE_16K,
    SIZE_32K,
    SIZE_8M,
    SIZE_16M,
    SIZE_512M,
    SIZE_1G,
    SIZE_32G,
    SIZE_64G,
    N_SIZES
};

/* Challenges a partition = ceil(minimum / partitions): interactive 2 / 1, or 176 / 10;
 * non-interactive 26 / 13, or 2253 / 126. circuits.md 3.1. */
#define SIZE(label, short_id, log2, sub, top, base_levels)                                         \
    .name = label, .id = short_id, .bytes = 32ull << (log2), .nodes = 1ull << (log2),              \
    .log2_nodes = log2, .shape = {8, sub, top, base_levels}
#define SMALL_SEAL                                                                                 \
    .n_layers = 2, .interactive_partitions = 1, .interactive_challenges = 2, .ni_partitions = 13,  \
    .ni_challenges = 2, .window_sectors = 2
#define BIG_SEAL(sectors)                                                                          \
    .n_layers = 11, .interactive_partitions = 10, .interactive_challenges = 18,                    \
    .ni_partitions = 126, .ni_challenges = 18, .window_sectors = sectors
#define UPDATE(partitions, challenges, h, apex)                                                    \
    .update_partitions = partitions, .update_challenges = challenges, .update_h = h,               \
    .update_apex_leaves = apex

const sector_size cuzk_sector_sizes[N_SIZES] = {
    [SIZE_1K] = {SIZE("1KiB", "1k", 5, 4, 0, 1), UPDATE(1, 10, 1, 8)},
    [SIZE_2K] = {SIZE("2KiB", "2k", 6, 0, 0, 2), SMALL_SEAL, .published = true,
                 UPDATE(1, 10, 1, 8)},
    [SIZE_4K] = {SIZE("4KiB", "4k", 7, 2, 0, 2), SMALL_SEAL, UPDATE(1, 10, 1, 8)},
    [SIZE_8K] = {SIZE("8KiB", "8k", 8, 4, 0, 2), UPDATE(1, 10, 1, 8)},
    [SIZE_16K] = {SIZE("16KiB", "16k", 9, 8, 0, 2), SMALL_SEAL, UPDATE(2, 10, 1, 128)},
    [SIZE_32K] = {SIZE("32KiB", "32k", 10, 8, 2, 2), SMALL_SEAL, UPDATE(2, 10, 1, 128)},
    [SIZE_8M] = {SIZE("8MiB", "8m", 18, 0, 0, 6), SMALL_SEAL, .published = true,
                 UPDATE(4, 10, 10, 128)},
    [SIZE_16M] = {SIZE("16MiB", "16m", 19, 2, 0, 6), SMALL_SEAL, UPDATE(4, 10, 10, 128)},
    [SIZE_512M] = {SIZE("512MiB", "512m", 24, 0, 0, 8), SMALL_SEAL, .published = true,
                   UPDATE(16, 86, 10, 128)},
    [SIZE_1G] = {SIZE("1GiB", "1g", 25, 2, 0, 8), SMALL_SEAL},
    [SIZE_32G] = {SIZE("32GiB", "32g", 30, 8, 0, 9), BIG_SEAL(2349), .published = true,
                  UPDATE(16, 86, 10, 128)},
    [SIZE_64G] = {SIZE("64GiB", "64g", 31, 8, 2, 9), BIG_SEAL(2300), .published = true,
                  UPDATE(16, 86, 10, 128)},
};
const size_t cuzk_n_sector_sizes = N_SIZES;

const sector_size *cuzk_sector_size_by_bytes(uint64_t bytes) {
    for (size_t i = 0; i < N_SIZES; i++) {
        if (cuzk_sector_sizes[i].bytes == bytes) {
            return &cuzk_sector_sizes[i];
        }
    }
    return NULL;
}

/* Five sizes a group, 2 KiB first. */
#define SEAL(n, size_index, label, suffix, v, f, parts, challenges)                                \
    {                                                                                              \
        .number = (n), .name = "StackedDrg" label suffix, .size = &cuzk_sector_sizes[size_index],  \
        .version = (v), .feature = (f), .n_partitions = (parts), .n_challenges = (challenges)      \
    }
#define SEAL_GROUP(first, suffix, v, f, small_parts, big_parts)                                    \
    SEAL(first, SIZE_2K, "2KiB", suffix, v, f, small_parts, 2),                                    \
        SEAL(first + 1, SIZE_8M, "8MiB", suffix, v, f, small_parts, 2),                            \
        SEAL(first + 2, SIZE_512M, "512MiB", suffix, v, f, small_parts, 2),                        \
        SEAL(first + 3, SIZE_32G, "32GiB", suffix, v, f, big_parts, 18),                           \
        SEAL(first + 4, SIZE_64G, "64GiB", suffix, v, f, big_parts, 18)

static const seal_proof_type seal_proofs[] = {
    SEAL_GROUP(0, "V1", POREP_V1_0, POREP_INTERACTIVE, 1, 10),
    SEAL_GROUP(5, "V1_1", POREP_V1_1, POREP_INTERACTIVE, 1, 10),
    SEAL_GROUP(10, "V1_1_Feat_SyntheticPoRep", POREP_V1_2, POREP_SYNTHETIC, 1, 10),
    SEAL_GROUP(15, "V1_2_Feat_NonInteractivePoRep", POREP_V1_2, POREP_NON_INTERACTIVE, 13, 126),
};

#define POST(n, size_index, label, use, suffix, is_winning, v)                                     \
    {                                                                                              \
        .number = (n), .name = "StackedDrg" use label suffix,                                      \
        .size = &cuzk_sector_sizes[size_index], .winning = (is_winning), .version = (v)            \
    }
#define POST_GROUP(first, use, suffix, is_winning, v)                                              \
    POST(first, SIZE_2K, "2KiB", use, suffix, is_winning, v),                                      \
        POST(first + 1, SIZE_8M, "8MiB", use, suffix, is_winning, v),                              \
        POST(first + 2, SIZE_512M, "512MiB", use, suffix, is_winning, v),                          \
        POST(first + 3, SIZE_32G, "32GiB", use, suffix, is_winning, v),                            \
        POST(first + 4, SIZE_64G, "64GiB", use, suffix, is_winning, v)

static const post_proof_type post_proofs[] = {
    POST_GROUP(0, "Winning", "V1", true, POREP_V1_0),
    POST_GROUP(5, "Window", "V1", false, POREP_V1_0),
    POST_GROUP(10, "Window", "V1_1", false, POREP_V1_2),
};

#define UPDATE_PROOF(n, size_index, label)                                                         \
    { .number = (n), .name = "StackedDrg" label "V1", .size = &cuzk_sector_sizes[size_index] }

static const update_proof_type update_proofs[] = {
    UPDATE_PROOF(0, SIZE_2K, "2KiB"),     UPDATE_PROOF(1, SIZE_8M, "8MiB"),
    UPDATE_PROOF(2, SIZE_512M, "512MiB"), UPDATE_PROOF(3, SIZE_32G, "32GiB"),
    UPDATE_PROOF(4, SIZE_64G, "64GiB"),
};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The arrays are in order of number, without gaps. */
const seal_proof_type *cuzk_seal_proof_by_number(uint64_t number) {
    return number < LENGTH(seal_proofs) ? &seal_proofs[number] : NULL;
}

const seal_proof_type *cuzk_seal_proof_by_name(const char *name, size_t len) {
    for (size_t i = 0; i < LENGTH(seal_proofs); i++) {
        if (strlen(seal_proofs[i].name) == len && memcmp(seal_proofs[i].name, name, len) == 0) {
            return &seal_proofs[i];
        }
    }
    return NULL;
}

const post_proof_type *cuzk_post_proof_by_number(uint64_t number) {
    return number < LENGTH(post_proofs) ? &post_proofs[number] : NULL;
}

const update_proof_type *cuzk_update_proof_by_number(uint64_t number) {
    return number < LENGTH(update_proofs) ? &update_proofs[number] : NULL;
}

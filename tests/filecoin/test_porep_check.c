/* The native check of PoRep vanilla proofs: valid ones pass, damaged ones are refused with a text
 * that names the fault, and every part of a valid one matters. */
#include <stdio.h>
#include <stdlib.h>

#include "filecoin/c1_reader.h"
#include "filecoin/porep_check.h"
#include "support/manifest.h"
#include "support/sealed_sector.h"
#include "support/support.h"

static cuzk_status read_c1(const char *folder, porep_proof *proof, cuzk_error *err) {
    char name[300];
    size_t len;
    snprintf(name, sizeof name, "%s/c1.json", folder);
    uint8_t *json = test_read_vector(name, &len);
    const cuzk_ctx ctx = {0};
    cuzk_status status = cuzk_c1_read(proof, &ctx, json, len, "c1.json", err);
    free(json);
    return status;
}

static porep_request request_of(const char *folder) {
    test_manifest *m = test_manifest_open(folder);
    porep_request r = {.miner_id = test_manifest_u64(m, "miner_id"),
                       .sector_number = test_manifest_u64(m, "sector_number"),
                       .has_registered_proof = true,
                       .registered_proof = test_manifest_u64(m, "registered_proof")};
    test_manifest_close(m);
    return r;
}

static void valid_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {
        "inputs/porep-2KiB-v1",
        "inputs/porep-2KiB-v1_1",
        "inputs/porep-2KiB-synthetic",
        "inputs/porep-2KiB-ni",
        "inputs/porep-8MiB-v1_1",
        "invalid/porep-label-parents", /* damaged where nobody looks */
        "invalid/porep-unknown-key",
        "invalid/porep-missing-h",
    };
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        porep_proof proof;
        cuzk_error err;
        cuzk_ctx ctx = {0};
        porep_request request = request_of(folders[i]);
        assert_int_equal(read_c1(folders[i], &proof, &err), CUZK_OK);
        for (int with_pool = 0; with_pool < 2; with_pool++) {
            ctx.pool = with_pool ? pool : NULL;
            cuzk_status status = cuzk_porep_check(&ctx, &proof, &request, &err);
            if (status != CUZK_OK) {
                fail_msg("%s: %s", folders[i], err.text);
            }
        }
        cuzk_porep_proof_clear(&proof);
    }
    cuzk_pool_destroy(pool);
}

/* Everything of the table of damaged inputs that is not marked "accept", and what the error must
 * say. */
static const struct {
    const char *name, *text;
} refused[] = {
    {"base64", "base64"},
    {"challenges-1", "partition 0 has 1 challenges, expected 2"},
    {"column-row", "partition 0, challenge 0: drg_parents[1]: TreeC path: the leaf is not the hash "
                   "of the column"},
    {"comm-d-zero", "Invalid all zero commitment (comm_d)"},
    {"comm-r", "comm_r is not the hash of the roots of TreeC and TreeR"},
    {"comm-r-range", "Invalid commitment (comm_r): not below the field modulus"},
    {"digest-256", "256"},
    {"index", "partition 0, challenge 0: TreeR path: the path starts at leaf 60, should be 61"},
    {"json-truncated", ""},
    {"missing-comm-d", "comm_d"},
    {"ni-partitions-12", "partition 12 >= vanilla_proofs.len() 12"},
    {"partitions-0", "partition 0 >= vanilla_proofs.len() 0"},
    {"partitions-2", "vanilla_proofs: 2 partitions, expected 1"},
    {"path-short", "partition 0, challenge 0"},
    {"registered-proof", "miner/sector/ticket do not match the vanilla proof"},
    {"sector-number", "miner/sector/ticket do not match the vanilla proof"},
    {"seed", "partition 0, challenge 0: the vanilla proof is of node 61, the challenge is node 3"},
    {"sibling-range",
     "partition 0, challenge 0: TreeR path: level 0: sibling 0 is not below the field modulus"},
    {"tree-r-sibling",
     "partition 0, challenge 0: TreeR path: the path does not lead from its leaf to comm_r_last"},
    {"variant-v1_1", "StackedDrg2KiBV1_1"},
};

static void invalid_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char folder[80];
        porep_proof proof;
        cuzk_error err;
        cuzk_ctx ctx = {0};
        snprintf(folder, sizeof folder, "invalid/porep-%s", refused[i].name);
        porep_request request = request_of(folder);
        cuzk_status status = read_c1(folder, &proof, &err);
        if (status == CUZK_OK) {
            status = cuzk_porep_check(&ctx, &proof, &request, &err);
            cuzk_porep_proof_clear(&proof);
        }
        if (status == CUZK_OK || strstr(err.text, refused[i].text) == NULL) {
            fail_msg("%s: %s \"%s\"", refused[i].name, cuzk_status_name(status),
                     status == CUZK_OK ? "" : err.text);
        }
        assert_null(strchr(err.text, '\n'));
    }
}

/* A valid proof in memory, to be damaged and repaired again and again. */
typedef struct subject {
    porep_proof proof;
    porep_request request;
    unsigned n_checks;
} subject;

/* The check must fail with `status`, at that challenge (-1: not at a challenge), and say `text`. */
static void must_fail(subject *s, cuzk_status status, long challenge, const char *text) {
    cuzk_ctx ctx = {0};
    cuzk_error err;
    cuzk_status got = cuzk_porep_check(&ctx, &s->proof, &s->request, &err);
    if (got != status || strstr(err.text, text) == NULL || err.challenge != challenge) {
        fail_msg("check %u: wanted %s at %ld \"%s\", got %s at %ld \"%s\"", s->n_checks,
                 cuzk_status_name(status), challenge, text, cuzk_status_name(got),
                 got == CUZK_OK ? -1 : (long)err.challenge, got == CUZK_OK ? "" : err.text);
    }
    s->n_checks++;
}

/* One bit flipped, then a value not below the modulus. */
static void damage(subject *s, const digest *where, long challenge, const char *flipped,
                   cuzk_status big_status, const char *big) {
    digest *d = (digest *)where; /* the proof's own memory, const only to its readers */
    digest good = *d;
    d->bytes[s->n_checks % 31] ^= (uint8_t)(1 << s->n_checks % 8);
    must_fail(s, CUZK_E_INCONSISTENT, challenge, flipped);
    memset(d->bytes, 0xff, DIGEST_BYTES);
    must_fail(s, big_status, challenge, big);
    *d = good;
}

/* sibling_step: 1 for every sibling, more for some of each level */
static void damage_path(subject *s, merkle_proof *path, const tree_shape *shape, long challenge,
                        bool roots_alone_tell, unsigned sibling_step, const char *where) {
    char does_not_lead[80];
    snprintf(does_not_lead, sizeof does_not_lead, "%s: the path does not lead", where);
    if (roots_alone_tell) { /* challenge 0: its roots are the ones that comm_r is compared with */
        damage(s, &path->root, -1, "comm_r is not the hash of the roots", CUZK_E_INPUT,
               "root is not below the field modulus");
    } else {
        damage(s, &path->root, challenge, "path's root is not", CUZK_E_INCONSISTENT,
               "path's root is not");
    }
    const digest *sibling = path->siblings;
    for (unsigned level = 0; level < path->n_levels; level++) {
        unsigned arity = tree_shape_arity(shape, level);
        char too_big[80];
        for (unsigned i = 0; i + 1 < arity; i += sibling_step) {
            snprintf(too_big, sizeof too_big, "%s: level %u: sibling %u is not below", where, level,
                     i);
            damage(s, &sibling[i], challenge, does_not_lead, CUZK_E_INPUT, too_big);
        }
        sibling += arity - 1;
        uint8_t good = path->position[level];
        path->position[level] = (uint8_t)((good + 1) % arity);
        must_fail(s, CUZK_E_INCONSISTENT, challenge, "the path starts at leaf");
        path->position[level] = (uint8_t)arity;
        must_fail(s, CUZK_E_INPUT, challenge, "index");
        path->position[level] = 255;
        must_fail(s, CUZK_E_INPUT, challenge, "index 255 of a node with");
        path->position[level] = good;
    }
    path->n_levels--;
    must_fail(s, CUZK_E_INPUT, challenge, "levels, the tree has");
    path->n_levels += 2;
    must_fail(s, CUZK_E_INPUT, challenge, "levels, the tree has");
    path->n_levels--;
}

static void damage_column(subject *s, porep_column *column, long challenge, const char *name) {
    const bool is_c_x = strcmp(name, "c_x") == 0;
    char where[40];
    snprintf(where, sizeof where, "%s: TreeC path", name);
    const sector_size *size = s->proof.type->size;
    for (unsigned layer = 0; layer < size->n_layers; layer++) {
        damage(s, &column->rows[layer], challenge, "the leaf is not the hash of the column",
               CUZK_E_INPUT, "column row");
    }
    damage(s, &column->inclusion.leaf, challenge, "the leaf is not the hash of the column",
           CUZK_E_INCONSISTENT, "the leaf is not the hash of the column");
    column->index++;
    must_fail(s, CUZK_E_INCONSISTENT, challenge, "the column is of node");
    column->index--;
    damage_path(s, &column->inclusion, &size->shape, challenge, is_c_x && challenge == 0,
                is_c_x ? 1 : 3, where);
}

static void damage_challenge(subject *s, porep_challenge_proof *p, long challenge) {
    const sector_size *size = s->proof.type->size;
    const tree_shape tree_d = tree_shape_binary(size->log2_nodes);
    p->node++;
    must_fail(s, CUZK_E_INCONSISTENT, challenge, "the vanilla proof is of node");
    p->node = UINT64_MAX;
    must_fail(s, CUZK_E_INCONSISTENT, challenge, "the vanilla proof is of node");
    p->node = p->c_x.index;

    damage(s, &p->comm_d.leaf, challenge, "TreeD path: the path does not lead", CUZK_E_INPUT,
           "TreeD path: the leaf is not below the field modulus");
    damage_path(s, &p->comm_d, &tree_d, challenge, false, 1, "TreeD path");
    damage(s, &p->comm_r_last.leaf, challenge, "TreeR path: the leaf is not the data leaf plus",
           CUZK_E_INCONSISTENT, "TreeR path: the leaf is not the data leaf plus");
    damage_path(s, &p->comm_r_last, &size->shape, challenge, challenge == 0, 1, "TreeR path");
    damage_column(s, &p->c_x, challenge, "c_x");
    for (unsigned i = 0; i < POREP_PARENTS; i++) {
        char name[24];
        bool drg = i < POREP_DRG_PARENTS;
        snprintf(name, sizeof name, "%s[%u]", drg ? "drg_parents" : "exp_parents",
                 drg ? i : i - POREP_DRG_PARENTS);
        damage_column(s, &p->parents[i], challenge, name);
    }
}

static void every_part_matters(void **state) {
    (void)state;
    subject s = {.request = request_of("inputs/porep-2KiB-v1_1")};
    assert_int_equal(read_c1("inputs/porep-2KiB-v1_1", &s.proof, NULL), CUZK_OK);
    for (unsigned i = 0; i < s.proof.n_challenges; i++) {
        damage_challenge(&s, &s.proof.challenges[i], i);
    }

    const char *not_this_miner = "miner/sector/ticket do not match the vanilla proof";
    damage(&s, &s.proof.comm_r, -1, "comm_r is not the hash", CUZK_E_INPUT, "(comm_r)");
    damage(&s, &s.proof.comm_d, -1, not_this_miner, CUZK_E_INPUT, "(comm_d)");
    damage(&s, &s.proof.replica_id, -1, not_this_miner, CUZK_E_INCONSISTENT, not_this_miner);
    damage(&s, &s.proof.ticket, -1, not_this_miner, CUZK_E_INCONSISTENT, not_this_miner);
    damage(&s, &s.proof.seed, 0, "the challenge is node", CUZK_E_INCONSISTENT,
           "the challenge is node");
    s.request.miner_id++;
    must_fail(&s, CUZK_E_INCONSISTENT, -1, not_this_miner);
    s.request.miner_id--;
    s.request.sector_number++;
    must_fail(&s, CUZK_E_INCONSISTENT, -1, not_this_miner);
    s.request.sector_number--;
    s.request.registered_proof = 10;
    must_fail(&s, CUZK_E_INCONSISTENT, -1, "the request is for registered proof 10");
    s.request.registered_proof = 5;

    s.proof.n_partitions = 0;
    must_fail(&s, CUZK_E_INPUT, -1, "partition 0 >= vanilla_proofs.len() 0");
    s.proof.n_partitions = 2;
    must_fail(&s, CUZK_E_INPUT, -1, "number of partitions: 2, should be 1");
    s.proof.n_partitions = 1;
    s.proof.n_challenges = 1;
    must_fail(&s, CUZK_E_INPUT, -1, "number of challenges in a partition: 1, should be 2");
    s.proof.n_challenges = 2;

    cuzk_ctx ctx = {0};
    s.request.has_registered_proof = false;
    assert_int_equal(cuzk_porep_check(&ctx, &s.proof, &s.request, NULL), CUZK_OK);
    cuzk_porep_proof_clear(&s.proof);
}

/* Whole columns with their paths swapped among the parents: everything hashes, nothing fits. */
static void parents_in_order(void **state) {
    (void)state;
    subject s = {.request = request_of("inputs/porep-2KiB-v1_1")};
    assert_int_equal(read_c1("inputs/porep-2KiB-v1_1", &s.proof, NULL), CUZK_OK);
    for (unsigned i = 0; i < s.proof.n_challenges; i++) {
        porep_column *parents = s.proof.challenges[i].parents;
        for (unsigned j = 0; j + 1 < POREP_PARENTS; j++) {
            if (parents[j].index == parents[j + 1].index) {
                continue;
            }
            porep_column kept = parents[j];
            parents[j] = parents[j + 1];
            parents[j + 1] = kept;
            must_fail(&s, CUZK_E_INCONSISTENT, i, "the column is of node");
            parents[j + 1] = parents[j];
            parents[j] = kept;
        }
    }
    cuzk_porep_proof_clear(&s.proof);
}

/* Sectors sealed here, of every tree shape: valid ones pass, and those with a wrong label or a
 * wrong replica leaf at a challenge fail although every hash and path is right. */
static void sealed_sectors(void **state) {
    (void)state;
    for (size_t i = 0; cuzk_sector_sizes[i].nodes <= 1024; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        if (size->n_layers == 0) {
            continue;
        }
        for (unsigned number = 0; number < 20; number += 5) {
            seal_proof_type type = *cuzk_seal_proof_by_number(number);
            type.size = size;
            test_fault fault = {.label_node = NO_FAULT, .replica_node = NO_FAULT};
            cuzk_ctx ctx = {0};
            cuzk_error err;
            sealed_sector *s = test_seal(&type, &fault);
            cuzk_status status = cuzk_porep_check(&ctx, &s->proof, &s->request, &err);
            if (status != CUZK_OK) {
                fail_msg("%s %s: %s", size->name, type.name, err.text);
            }
            uint64_t challenge = s->challenges[1];
            test_unseal(s);
            if (type.feature != POREP_INTERACTIVE) {
                continue; /* another comm_r, other challenges */
            }

            for (unsigned layer = 1; layer <= size->n_layers; layer++) {
                char text[80];
                fault = (test_fault){
                    .label_layer = layer, .label_node = challenge, .replica_node = NO_FAULT};
                s = test_seal(&type, &fault);
                assert_int_equal(cuzk_porep_check(&ctx, &s->proof, &s->request, &err),
                                 CUZK_E_INCONSISTENT);
                snprintf(text, sizeof text, "c_x: column row %u is not the label", layer - 1);
                assert_non_null(strstr(err.text, text));
                test_unseal(s);
            }
            fault = (test_fault){.label_node = NO_FAULT, .replica_node = challenge};
            s = test_seal(&type, &fault);
            assert_int_equal(cuzk_porep_check(&ctx, &s->proof, &s->request, &err),
                             CUZK_E_INCONSISTENT);
            assert_non_null(strstr(err.text, "TreeR path: the leaf is not the data leaf plus"));
            test_unseal(s);
        }
    }
}

/* The lowest failing challenge is reported, whatever the order of the tasks. */
static void lowest_failure(void **state) {
    (void)state;
    porep_proof proof;
    cuzk_pool *pool;
    porep_request request = request_of("inputs/porep-2KiB-ni");
    assert_int_equal(cuzk_pool_create(&pool, 4, NULL), CUZK_OK);
    assert_int_equal(read_c1("inputs/porep-2KiB-ni", &proof, NULL), CUZK_OK);
    cuzk_ctx ctx = {.pool = pool};
    for (unsigned bad = 0; bad < 5; bad++) {
        for (unsigned i = bad; i < proof.n_partitions * proof.n_challenges; i += 3) {
            proof.challenges[i].node ^= 1;
        }
        cuzk_error err;
        char start[40];
        snprintf(start, sizeof start, "partition %u, challenge %u: ", bad / 2, bad % 2);
        assert_int_equal(cuzk_porep_check(&ctx, &proof, &request, &err), CUZK_E_INCONSISTENT);
        assert_int_equal(err.partition, bad / 2);
        assert_int_equal(err.challenge, bad % 2);
        assert_memory_equal(err.text, start, strlen(start));
        for (unsigned i = bad; i < proof.n_partitions * proof.n_challenges; i += 3) {
            proof.challenges[i].node ^= 1;
        }
    }
    cuzk_cancel cancel = {0};
    cuzk_cancel_set(&cancel);
    ctx.cancel = &cancel;
    assert_int_equal(cuzk_porep_check(&ctx, &proof, &request, NULL), CUZK_E_CANCELLED);
    cuzk_porep_proof_clear(&proof);
    cuzk_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_vectors),      cmocka_unit_test(invalid_vectors),
        cmocka_unit_test(every_part_matters), cmocka_unit_test(parents_in_order),
        cmocka_unit_test(sealed_sectors),     cmocka_unit_test(lowest_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

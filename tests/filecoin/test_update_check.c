/* The native check of update vanilla proofs: valid ones pass, damaged ones are refused with a text
 * that names the fault, and every part of a valid one matters. */
#include <stdio.h>
#include <stdlib.h>

#include "filecoin/update_check.h"
#include "support/made_update.h"
#include "support/support.h"
#include "support/update_support.h"

static void must_pass(const cuzk_ctx *ctx, const update_statement *s,
                      const update_partition_proof *proofs, unsigned n_proofs, const char *name) {
    cuzk_error err;
    if (cuzk_update_check(ctx, s, proofs, n_proofs, &err) != CUZK_OK) {
        fail_msg("%s: %s", name, err.text);
    }
}

static void valid_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/update-2KiB", "inputs/update-8MiB",
                                          "inputs/update-32GiB"};
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    const cuzk_ctx alone = {0}, together = {.pool = pool};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        test_update u;
        unsigned n = test_update_statement(folders[i]).type->size->update_partitions;
        assert_int_equal(test_update_read(&u, folders[i], n, NULL), CUZK_OK);
        must_pass(&together, &u.statement, u.proofs, n, folders[i]);
        if (n < 16) {
            must_pass(&alone, &u.statement, u.proofs, n, folders[i]);
        }
        test_update_clear(&u);
    }
    cuzk_pool_destroy(pool);
}

/* Every damaged update of the vectors, and what the error must say. */
static const struct {
    const char *name, *text;
    unsigned n_proofs;
    long partition, challenge;
} refused[] = {
    {"apex",
     "partition 0, challenge 1: new data's path: the path's node at level 3 is not apex leaf 0", 1,
     0, 1},
    {"challenges-9", "number of challenge proofs: expected 10, found 9", 1, -1, -1},
    {"comm-r-new",
     "partition 0: comm_r_new is not the hash of comm_c and the root of the new "
     "replica's tree",
     1, 0, -1},
    {"comm-r-old-range", "Invalid commitment (comm_r_old): not below the field modulus", 1, -1, -1},
    {"partitions-3", "partition 3 >= vanilla_proofs.len() 3: an update of 8MiB needs 4", 3, -1, -1},
    {"r-old-sibling",
     "partition 0, challenge 0: old replica's path: the path does not lead from "
     "its leaf to the root of the replica's tree",
     1, 0, 0},
    {"truncated", "unexpected end", 1, -1, 9},
};

static void invalid_vectors(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char folder[80];
        snprintf(folder, sizeof folder, "invalid/update-%s", refused[i].name);
        test_update u;
        cuzk_error err;
        cuzk_status status = test_update_read(&u, folder, refused[i].n_proofs, &err);
        if (status == CUZK_OK) {
            status = cuzk_update_check(&ctx, &u.statement, u.proofs, u.n_proofs, &err);
            test_update_clear(&u);
        }
        if (status == CUZK_OK || strstr(err.text, refused[i].text) == NULL ||
            err.partition != refused[i].partition || err.challenge != refused[i].challenge) {
            fail_msg("%s: %s at %ld, %ld \"%s\"", refused[i].name, cuzk_status_name(status),
                     status == CUZK_OK ? -1 : (long)err.partition,
                     status == CUZK_OK ? -1 : (long)err.challenge,
                     status == CUZK_OK ? "" : err.text);
        }
        assert_null(strchr(err.text, '\n'));
    }
}

/* A valid request in memory, to be damaged and repaired again and again. */
typedef struct subject {
    test_update u;
    unsigned step; /* every sibling and apex leaf, or some of them */
    unsigned n_checks;
    long partition, challenge; /* what the error must name, -1 for none */
} subject;

static void must_fail(subject *s, cuzk_status status, const char *text) {
    const cuzk_ctx ctx = {0};
    cuzk_error err;
    cuzk_status got = cuzk_update_check(&ctx, &s->u.statement, s->u.proofs, s->u.n_proofs, &err);
    if (got != status || strstr(err.text, text) == NULL || err.partition != s->partition ||
        err.challenge != s->challenge) {
        fail_msg("check %u: wanted %s at %ld, %ld \"%s\", got %s at %ld, %ld \"%s\"", s->n_checks,
                 cuzk_status_name(status), s->partition, s->challenge, text, cuzk_status_name(got),
                 got == CUZK_OK ? -1 : (long)err.partition,
                 got == CUZK_OK ? -1 : (long)err.challenge, got == CUZK_OK ? "" : err.text);
    }
    s->n_checks++;
}

/* One bit flipped, then a value not below the modulus. */
static void damage(subject *s, const digest *where, const char *flipped, cuzk_status big_status,
                   const char *big) {
    digest *d = (digest *)where; /* the proof's own memory, const only to its readers */
    digest good = *d;
    d->bytes[s->n_checks % 31] ^= (uint8_t)(1 << s->n_checks % 8);
    must_fail(s, CUZK_E_INCONSISTENT, flipped);
    memset(d->bytes, 0xff, DIGEST_BYTES);
    must_fail(s, big_status, big);
    *d = good;
}

static void damage_levels(subject *s, merkle_proof *path, const tree_shape *shape) {
    const digest *sibling = path->siblings;
    for (unsigned level = 0; level < path->n_levels; level++) {
        unsigned arity = tree_shape_arity(shape, level);
        char too_big[80];
        for (unsigned i = 0; i + 1 < arity; i += s->step) {
            snprintf(too_big, sizeof too_big, "path: level %u: sibling %u is not below", level, i);
            damage(s, &sibling[i], "path: the path does not lead", CUZK_E_INPUT, too_big);
        }
        sibling += arity - 1;
        uint8_t good = path->position[level];
        path->position[level] = (uint8_t)((good + 1) % arity);
        must_fail(s, CUZK_E_INCONSISTENT, "path: the path starts at leaf");
        path->position[level] = (uint8_t)arity;
        must_fail(s, CUZK_E_INPUT, "index");
        path->position[level] = 255;
        must_fail(s, CUZK_E_INPUT, "index 255 of a node with");
        path->position[level] = good;
    }
    path->n_levels--;
    must_fail(s, CUZK_E_INPUT, "levels, the tree has");
    path->n_levels += 2;
    must_fail(s, CUZK_E_INPUT, "levels, the tree has");
    path->n_levels--;
}

/* Challenge 0 states the roots that comm_r is compared with. */
static void damage_replica_root(subject *s, merkle_proof *path) {
    if (s->challenge > 0) {
        damage(s, &path->root, "replica's path: the path's root is not", CUZK_E_INCONSISTENT,
               "replica's path: the path's root is not");
        return;
    }
    s->challenge = -1;
    damage(s, &path->root, "is not the hash of comm_c and the root", CUZK_E_INPUT,
           "replica's tree is not below the field modulus");
    s->challenge = 0;
}

static void damage_challenge(subject *s, unsigned partition, unsigned challenge) {
    const param_set *set = &s->u.set;
    const tree_shape tree_d = tree_shape_binary(set->log2_nodes);
    update_challenge_proof *p = &s->u.proofs[partition].challenges[challenge];
    s->partition = partition;
    s->challenge = challenge;
    damage(s, &p->r_old.leaf, "old replica's path: the path does not lead", CUZK_E_INPUT,
           "old replica's path: the leaf is not below the field modulus");
    damage(s, &p->d_new.leaf, "new data's path: the path does not lead", CUZK_E_INPUT,
           "new data's path: the leaf is not below the field modulus");
    damage(s, &p->r_new.leaf, "new replica's path: the leaf is not that of", CUZK_E_INCONSISTENT,
           "new replica's path: the leaf is not that of the old replica plus data times rho");
    damage_replica_root(s, &p->r_old);
    damage_replica_root(s, &p->r_new);
    damage(s, &p->d_new.root, "new data's path: the path's root is not comm_d_new",
           CUZK_E_INCONSISTENT, "new data's path: the path's root is not comm_d_new");
    damage_levels(s, &p->r_old, &set->shape);
    damage_levels(s, &p->d_new, &tree_d);
    damage_levels(s, &p->r_new, &set->shape);
}

/* An apex leaf that no challenge passes through is known only by the root it leads to. */
static void damage_apex(subject *s, unsigned partition, const uint64_t *nodes) {
    const param_set *set = &s->u.set;
    unsigned n = set->n_apex_leaves;
    unsigned level = set->log2_nodes - (unsigned)__builtin_ctz(n * set->n_partitions);
    s->partition = partition;
    for (unsigned i = 0; i < n; i += s->step) {
        char text[80], big[80];
        s->challenge = -1;
        for (unsigned k = set->n_challenges; k-- > 0;) {
            s->challenge = (nodes[k] >> level) % n == i ? (long)k : s->challenge;
        }
        snprintf(text, sizeof text, "node at level %u is not apex leaf %u", level, i);
        snprintf(big, sizeof big, "apex leaf %u is not below the field modulus", i);
        bool passed = s->challenge >= 0;
        damage(s, &s->u.proofs[partition].apex_leaves[i],
               passed ? text : "the apex leaves do not lead to comm_d_new",
               passed ? CUZK_E_INCONSISTENT : CUZK_E_INPUT, passed ? text : big);
    }
}

static void damage_statement(subject *s) {
    update_statement *u = &s->u.statement;
    s->partition = 0;
    s->challenge = -1;
    damage(s, &s->u.proofs[0].comm_c, "partition 0: comm_r_old is not the hash of comm_c",
           CUZK_E_INPUT, "partition 0: comm_c is not below the field modulus");
    digest good = u->comm_r_old;
    u->comm_r_old.bytes[0] ^= 1;
    must_fail(s, CUZK_E_INCONSISTENT, "partition 0: comm_r_old is not the hash of comm_c");
    u->comm_r_old = good;
    good = u->comm_r_new;
    u->comm_r_new.bytes[0] ^= 1;
    must_fail(s, CUZK_E_INCONSISTENT, "partition 0: comm_r_new is not the hash of comm_c");
    u->comm_r_new = good;
    s->challenge = 0;
    good = u->comm_d_new;
    u->comm_d_new.bytes[0] ^= 1;
    must_fail(s, CUZK_E_INCONSISTENT, "challenge 0: new data's path: the path's root is not");
    u->comm_d_new = good;
    s->partition = s->challenge = -1;
    digest *all[] = {&u->comm_r_old, &u->comm_r_new, &u->comm_d_new};
    for (unsigned i = 0; i < 3; i++) {
        good = *all[i];
        memset(all[i], 0, sizeof good);
        must_fail(s, CUZK_E_INPUT, "Invalid all zero commitment (comm_");
        memset(all[i], 0xff, sizeof good);
        must_fail(s, CUZK_E_INPUT, "Invalid commitment (comm_");
        *all[i] = good;
    }
    s->u.n_proofs--;
    must_fail(s, CUZK_E_INPUT, ">= vanilla_proofs.len()");
    s->u.n_proofs += 2;
    must_fail(s, CUZK_E_INPUT, "number of partitions: ");
    s->u.n_proofs--;
    s->partition = 0;
    s->u.proofs[0].n_challenges--;
    must_fail(s, CUZK_E_INPUT, "partition 0: 9 challenges");
    s->u.proofs[0].n_challenges++;
    s->u.proofs[0].n_apex_leaves--;
    must_fail(s, CUZK_E_INPUT, "apex leaves, should be");
    s->u.proofs[0].n_apex_leaves++;
}

static uint64_t node_of(const subject *s, const merkle_proof *path) {
    uint64_t node = 0;
    for (unsigned i = 0; i < s->u.set.log2_nodes; i++) {
        node |= (uint64_t)path->position[i] << i;
    }
    return node;
}

static void every_part_matters(void **state) {
    (void)state;
    subject s = {.step = 1};
    assert_int_equal(test_update_read(&s.u, "inputs/update-2KiB", 1, NULL), CUZK_OK);
    uint64_t nodes[10];
    for (unsigned i = 0; i < 10; i++) {
        nodes[i] = node_of(&s, &s.u.proofs[0].challenges[i].d_new);
        damage_challenge(&s, 0, i);
    }
    damage_apex(&s, 0, nodes);
    damage_statement(&s);
    const cuzk_ctx ctx = {0};
    must_pass(&ctx, &s.u.statement, s.u.proofs, s.u.n_proofs, "repaired");
    test_update_clear(&s.u);
}

/* Bits flipped in the document itself, here and there: reader or check refuses each. */
static void bytes_matter(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    const update_statement s = test_update_statement("inputs/update-2KiB");
    const sector_size *size = s.type->size;
    size_t len;
    uint8_t *data = test_read_vector("inputs/update-2KiB/partition-0.vproof", &len);
    for (size_t at = 0; at < len; at += 1 + at % 53) {
        update_partition_proof proof;
        data[at] ^= (uint8_t)(1 << at % 8);
        cuzk_status status = cuzk_update_partition_read(
            &proof, &size->shape, size->log2_nodes, size->update_apex_leaves,
            size->update_challenges, data, len, "partition-0", NULL);
        if (status == CUZK_OK) {
            status = cuzk_update_check(&ctx, &s, &proof, 1, NULL);
            cuzk_update_partition_clear(&proof);
        }
        if (status == CUZK_OK) {
            fail_msg("a flipped bit at %zu was accepted", at);
        }
        data[at] ^= (uint8_t)(1 << at % 8);
    }
    free(data);
}

/* A later partition, with a path from its apex to the root. */
static void every_partition_matters(void **state) {
    (void)state;
    subject s = {.step = 15};
    assert_int_equal(test_update_read(&s.u, "inputs/update-8MiB", 4, NULL), CUZK_OK);
    uint64_t nodes[10];
    for (unsigned i = 0; i < 10; i++) {
        nodes[i] = node_of(&s, &s.u.proofs[2].challenges[i].d_new);
    }
    damage_challenge(&s, 2, 0);
    damage_apex(&s, 2, nodes);
    s.partition = 1;
    s.challenge = -1;
    damage(&s, &s.u.proofs[1].comm_c, "partition 1: comm_r_old is not the hash of comm_c",
           CUZK_E_INPUT, "partition 1: comm_c is not below the field modulus");
    damage_statement(&s);

    /* whole partitions and whole challenges, swapped: everything hashes, nothing fits */
    update_partition_proof kept = s.u.proofs[1];
    s.u.proofs[1] = s.u.proofs[2];
    s.u.proofs[2] = kept;
    s.partition = 1;
    s.challenge = 0;
    must_fail(&s, CUZK_E_INCONSISTENT, "old replica's path: the path starts at leaf");
    s.u.proofs[2] = s.u.proofs[1];
    s.u.proofs[1] = kept;
    update_challenge_proof *challenges = s.u.proofs[3].challenges, moved = challenges[4];
    challenges[4] = challenges[5];
    challenges[5] = moved;
    s.partition = 3;
    s.challenge = 4;
    must_fail(&s, CUZK_E_INCONSISTENT, "old replica's path: the path starts at leaf");
    challenges[5] = challenges[4];
    challenges[4] = moved;
    test_update_clear(&s.u);
}

/* Updates made here, of every tree shape: valid ones pass, and a replica that was encoded wrongly
 * fails although every hash and path is right. */
static void made_updates(void **state) {
    (void)state;
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; cuzk_sector_sizes[i].nodes <= 1024; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        made_update *u = test_update_make(CIRCUIT_UPDATE, size, false);
        must_pass(&ctx, &u->statement, u->proofs, u->set.n_partitions, size->name);
        test_update_unmake(u);
        u = test_update_make(CIRCUIT_UPDATE, size, true);
        cuzk_error err;
        assert_int_equal(
            cuzk_update_check(&ctx, &u->statement, u->proofs, u->set.n_partitions, &err),
            CUZK_E_INCONSISTENT);
        assert_string_equal(err.text,
                            "partition 0, challenge 0: new replica's path: the leaf is not that of "
                            "the old replica plus data times rho");
        test_update_unmake(u);
    }
}

/* The lowest failure is reported, whatever the order of the tasks. */
static void lowest_failure(void **state) {
    (void)state;
    cuzk_pool *pool;
    test_update u;
    assert_int_equal(cuzk_pool_create(&pool, 4, NULL), CUZK_OK);
    assert_int_equal(test_update_read(&u, "inputs/update-8MiB", 4, NULL), CUZK_OK);
    cuzk_ctx ctx = {.pool = pool};
    for (unsigned bad = 0; bad < 40; bad += 7) {
        for (unsigned i = bad; i < 40; i += 3) {
            u.proofs[i / 10].challenges[i % 10].r_new.leaf.bytes[0] ^= 1;
        }
        cuzk_error err;
        char start[60];
        snprintf(start, sizeof start, "partition %u, challenge %u: ", bad / 10, bad % 10);
        assert_int_equal(cuzk_update_check(&ctx, &u.statement, u.proofs, 4, &err),
                         CUZK_E_INCONSISTENT);
        assert_int_equal(err.partition, bad / 10);
        assert_int_equal(err.challenge, bad % 10);
        assert_memory_equal(err.text, start, strlen(start));
        for (unsigned i = bad; i < 40; i += 3) {
            u.proofs[i / 10].challenges[i % 10].r_new.leaf.bytes[0] ^= 1;
        }
    }
    cuzk_cancel cancel = {0};
    cuzk_cancel_set(&cancel);
    ctx.cancel = &cancel;
    assert_int_equal(cuzk_update_check(&ctx, &u.statement, u.proofs, 4, NULL), CUZK_E_CANCELLED);
    test_update_clear(&u);
    cuzk_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_vectors),           cmocka_unit_test(invalid_vectors),
        cmocka_unit_test(every_part_matters),      cmocka_unit_test(bytes_matter),
        cmocka_unit_test(every_partition_matters), cmocka_unit_test(made_updates),
        cmocka_unit_test(lowest_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

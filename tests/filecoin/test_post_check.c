/* The native check of PoSt vanilla proofs: valid ones pass, damaged ones are refused with a text
 * that names the fault, and every part of a valid one matters. */
#include <stdio.h>
#include <stdlib.h>

#include "filecoin/post_check.h"
#include "support/post_support.h"

static const cuzk_ctx alone;

static void must_pass(const test_post *p, const char *name) {
    cuzk_error err;
    if (cuzk_post_check(&alone, p->proofs, &p->s, NULL, &err) != CUZK_OK) {
        fail_msg("%s: %s", name, err.text);
    }
}

static void valid_vectors(void **state) {
    (void)state;
    static const char *const folders[] = {
        "inputs/window-2KiB-1",       "inputs/window-2KiB-2",    "inputs/window-2KiB-3",
        "inputs/window-2KiB-v1-3",    "inputs/window-8MiB-2",    "inputs/window-32GiB-3",
        "inputs/winning-2KiB",        "inputs/winning-8MiB",     "inputs/winning-32GiB",
        "inputs/window-32GiB-golden", "invalid/window-trailing", /* one zero byte too many */
    };
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 3, NULL), CUZK_OK);
    const cuzk_ctx threaded = {.pool = pool};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        test_post p;
        test_post_open(&p, folders[i]);
        must_pass(&p, folders[i]);
        assert_int_equal(cuzk_post_check(&threaded, p.proofs, &p.s, NULL, NULL), CUZK_OK);
        test_post_clear(&p);
    }
    cuzk_pool_destroy(pool);
}

/* The second partition of a proof by itself, as V1 and later types number its challenges. */
static void partition_alone(void **state) {
    (void)state;
    static const char *const folders[] = {"inputs/window-2KiB-3", "inputs/window-2KiB-v1-3"};
    for (size_t i = 0; i < 2; i++) {
        test_post p;
        test_post_open(&p, folders[i]);
        post_statement s = p.s;
        s.sectors += 2;
        s.n_sectors = 1;
        s.first_partition = 1;
        assert_int_equal(cuzk_post_check(&alone, p.proofs + 2, &s, NULL, NULL), CUZK_OK);
        s.first_partition = 0;
        cuzk_status status = cuzk_post_check(&alone, p.proofs + 2, &s, NULL, NULL);
        assert_int_equal(status, s.type->version == POREP_V1_0 ? CUZK_E_INCONSISTENT : CUZK_OK);
        test_post_clear(&p);
    }
}

/* Everything of the table of damaged inputs that is not marked "accept", and what the error must
 * say. */
static const struct {
    const char *name;
    int64_t sector, challenge; /* CUZK_NOWHERE where the fault is not at one */
    const char *text;
} refused[] = {
    {"window-comm-r", 101, CUZK_NOWHERE,
     "vanilla proof of sector 101 is inconsistent: comm_r is not the hash of comm_c and "
     "comm_r_last"},
    {"window-comm-r-last", 101, CUZK_NOWHERE, "comm_r is not the hash of comm_c and comm_r_last"},
    {"window-duplicate", 101, CUZK_NOWHERE, "sector 101 is given twice: entries 0 and 1"},
    {"window-index-range", 101, 0, "sector 101, challenge 0"},
    {"window-leaf-range", 101, 0, "challenge 0 is inconsistent: the leaf is not below the field "},
    {"window-length-huge", 101, CUZK_NOWHERE, "number of inclusion proofs: expected 10"},
    {"window-none", CUZK_NOWHERE, CUZK_NOWHERE, "no WindowPoSt vanilla proofs"},
    {"window-proofs-9", 101, CUZK_NOWHERE, "number of inclusion proofs: expected 10, found 9"},
    {"window-randomness", 101, 0, "the path starts at leaf"},
    {"window-randomness-range", CUZK_NOWHERE, CUZK_NOWHERE, "Invalid commitment (randomness)"},
    {"window-sibling", 101, 0, "the path does not lead from its leaf to comm_r_last"},
    {"window-tag", 101, 0, "expected 0 (Single), found 7"},
    {"window-truncated", 101, CUZK_NOWHERE, "comm_r_last: unexpected end"},
    {"winning-proofs-65", 101, CUZK_NOWHERE, "number of inclusion proofs: expected 66, found 65"},
    {"winning-sibling", 101, 65,
     "vanilla proof of sector 101, challenge 65 is inconsistent: the path does not lead from its "
     "leaf to comm_r_last"},
    {"winning-swapped", 101, 0, "the path starts at leaf"},
    {"winning-two-sectors", CUZK_NOWHERE, CUZK_NOWHERE,
     "WinningPoSt expected 1 sector proof, got 2"},
};

static void invalid_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char folder[80];
        test_post p;
        cuzk_error err;
        snprintf(folder, sizeof folder, "invalid/%s", refused[i].name);
        cuzk_status status = test_post_read(&p, folder, &err);
        if (status == CUZK_OK) {
            status = cuzk_post_check(&alone, p.proofs, &p.s, NULL, &err);
            test_post_clear(&p);
        }
        if (status == CUZK_OK || strstr(err.text, refused[i].text) == NULL ||
            err.sector != refused[i].sector || err.challenge != refused[i].challenge) {
            fail_msg("%s: %s, sector %lld, challenge %lld: \"%s\"", refused[i].name,
                     cuzk_status_name(status), status == CUZK_OK ? -1 : (long long)err.sector,
                     status == CUZK_OK ? -1 : (long long)err.challenge,
                     status == CUZK_OK ? "" : err.text);
        }
        assert_null(strchr(err.text, '\n'));
    }
}

/* ---- every part matters ---- */

/* A valid request in memory, to be damaged and repaired again and again. */
typedef struct subject {
    test_post p;
    size_t index; /* of the sector that is damaged */
    unsigned n_checks;
} subject;

/* The check must fail with `status`, at that challenge of the damaged sector, and say `text`. */
static void must_fail(subject *s, cuzk_status status, int64_t challenge, const char *text) {
    cuzk_error err;
    bool bad[8];
    cuzk_status got = cuzk_post_check(&alone, s->p.proofs, &s->p.s, bad, &err);
    if (got != status || strstr(err.text, text) == NULL || err.challenge != challenge ||
        err.sector != (int64_t)s->p.s.sectors[s->index].sector_id) {
        fail_msg("check %u: wanted %s at %lld \"%s\", got %s at %lld \"%s\"", s->n_checks,
                 cuzk_status_name(status), (long long)challenge, text, cuzk_status_name(got),
                 got == CUZK_OK ? -1 : (long long)err.challenge, got == CUZK_OK ? "" : err.text);
    }
    for (size_t i = 0; i < s->p.s.n_sectors; i++) {
        assert_int_equal(bad[i], i == s->index);
    }
    s->n_checks++;
}

/* One bit flipped, then a value not below the modulus. */
static void damage(subject *s, const digest *where, int64_t challenge, const char *flipped,
                   cuzk_status big_status, const char *big) {
    digest *d = (digest *)where; /* the proof's own memory, const only to its readers */
    digest good = *d;
    d->bytes[s->n_checks % 31] ^= (uint8_t)(1 << s->n_checks % 8);
    must_fail(s, CUZK_E_INCONSISTENT, challenge, flipped);
    memset(d->bytes, 0xff, DIGEST_BYTES);
    must_fail(s, big_status, challenge, big);
    *d = good;
}

static void damage_path(subject *s, merkle_proof *path, int64_t challenge) {
    const tree_shape *shape = &s->p.s.type->size->shape;
    const digest *sibling = path->siblings;
    damage(s, &path->root, challenge, "the path's root is not comm_r_last", CUZK_E_INCONSISTENT,
           "the path's root is not comm_r_last");
    damage(s, &path->leaf, challenge, "the path does not lead", CUZK_E_INPUT,
           "the leaf is not below the field modulus");
    for (unsigned level = 0; level < path->n_levels; level++) {
        unsigned arity = tree_shape_arity(shape, level);
        char too_big[80];
        for (unsigned i = 0; i + 1 < arity; i++) {
            snprintf(too_big, sizeof too_big, "level %u: sibling %u is not below", level, i);
            damage(s, &sibling[i], challenge, "does not lead", CUZK_E_INPUT, too_big);
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

static void damage_sector(subject *s, unsigned challenge_step) {
    post_sector_proof *p = &s->p.proofs[s->index];
    post_sector *stated = &s->p.sectors[s->index];
    for (unsigned i = 0; i < p->n_challenges; i += challenge_step) {
        damage_path(s, &p->inclusions[i], i);
    }
    damage(s, &p->comm_r, CUZK_NOWHERE, "comm_r is not that of the statement", CUZK_E_INCONSISTENT,
           "comm_r is not that of the statement");
    damage(s, &stated->comm_r, CUZK_NOWHERE, "comm_r is not that of the statement",
           CUZK_E_INCONSISTENT, "comm_r is not that of the statement");
    damage(s, &p->comm_c, CUZK_NOWHERE, "comm_r is not the hash", CUZK_E_INPUT,
           "comm_c is not below the field modulus");
    damage(s, &p->comm_r_last, CUZK_NOWHERE, "comm_r is not the hash", CUZK_E_INPUT,
           "comm_r_last is not below the field modulus");
    const post_sector_proof good = *p;
    p->sector_id += 1000;
    must_fail(s, CUZK_E_INCONSISTENT, CUZK_NOWHERE, "the statement of sector");
    stated->sector_id += 1000; /* both agree: the challenges are others */
    must_fail(s, CUZK_E_INCONSISTENT, 0, "the path starts at leaf");
    stated->sector_id -= 1000;
    *p = good;
    memset(p->comm_r.bytes, 0xff, DIGEST_BYTES); /* in both */
    memset(stated->comm_r.bytes, 0xff, DIGEST_BYTES);
    must_fail(s, CUZK_E_INPUT, CUZK_NOWHERE, "comm_r is not below the field modulus");
    *p = good;
    stated->comm_r = good.comm_r;
    p->n_challenges--;
    must_fail(s, CUZK_E_INPUT, CUZK_NOWHERE, "inclusion proofs, should be");
    *p = good;
    /* two inclusion proofs changed places: everything hashes, nothing fits */
    for (unsigned i = 0; i + 1 < p->n_challenges; i += challenge_step) {
        merkle_proof kept = p->inclusions[i];
        if (memcmp(kept.position, p->inclusions[i + 1].position, kept.n_levels) != 0) {
            p->inclusions[i] = p->inclusions[i + 1];
            p->inclusions[i + 1] = kept;
            must_fail(s, CUZK_E_INCONSISTENT, i, "the path starts at leaf");
            p->inclusions[i + 1] = p->inclusions[i];
            p->inclusions[i] = kept;
        }
    }
}

static void every_part_matters(void **state) {
    (void)state;
    static const struct {
        const char *folder;
        size_t index;
        unsigned challenge_step;
    } cases[] = {
        {"inputs/window-2KiB-2", 0, 1},
        {"inputs/window-2KiB-2", 1, 3},
        {"inputs/window-32GiB-golden", 0, 10},
        {"inputs/winning-2KiB", 0, 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        subject s = {.index = cases[i].index};
        test_post_open(&s.p, cases[i].folder);
        damage_sector(&s, cases[i].challenge_step);
        must_pass(&s.p, cases[i].folder);
        test_post_clear(&s.p);
    }
}

/* Bytes of a document flipped one after the other: none gets through reader and check. */
static void every_byte_matters(void **state) {
    (void)state;
    static const struct {
        const char *folder, *file;
        size_t step;
    } cases[] = {
        {"inputs/window-2KiB-1", "sector-101.vproof", 5},
        {"inputs/winning-2KiB", "sector-101.vproof", 331},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_post p;
        char name[120];
        size_t len;
        test_post_open(&p, cases[i].folder);
        const post_sector_proof good = p.proofs[0];
        snprintf(name, sizeof name, "%s/%s", cases[i].folder, cases[i].file);
        uint8_t *data = test_read_vector(name, &len);
        for (size_t at = 0; at < len; at += cases[i].step) {
            uint8_t bit = (uint8_t)(1 << at % 8);
            cuzk_error err;
            data[at] ^= bit;
            cuzk_status status = cuzk_post_sector_read(
                &p.proofs[0], &p.s.type->size->shape, good.n_challenges, data, len, "sector", &err);
            if (status == CUZK_OK) {
                cuzk_post_sectors_of(p.sectors, p.proofs, 1);
                status = cuzk_post_check(&alone, p.proofs, &p.s, NULL, &err);
                cuzk_post_sector_clear(&p.proofs[0]);
            }
            if (status != CUZK_E_INPUT && status != CUZK_E_INCONSISTENT) {
                fail_msg("byte %zu: %s", at, cuzk_status_name(status));
            }
            data[at] ^= bit;
        }
        p.proofs[0] = good;
        free(data);
        test_post_clear(&p);
    }
}

/* Sizes and tree shapes that no vector has. */
static void fabricated_sectors(void **state) {
    (void)state;
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        const sector_size *size = &cuzk_sector_sizes[i];
        for (unsigned number = 0; number < 15 && size->window_sectors != 0; number += 5) {
            post_proof_type type = *cuzk_post_proof_by_number(number);
            type.size = size;
            test_post p;
            test_post_fabricate(&p, &type, type.winning ? 1 : 3);
            must_pass(&p, size->name);
            p.proofs[p.s.n_sectors - 1].inclusions[8].leaf.bytes[1] ^= 4;
            cuzk_error err;
            assert_int_equal(cuzk_post_check(&alone, p.proofs, &p.s, NULL, &err),
                             CUZK_E_INCONSISTENT);
            assert_int_equal(err.challenge, 8);
            assert_int_equal(err.sector, 1000 + p.s.n_sectors - 1);
            test_post_clear(&p);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_vectors),      cmocka_unit_test(partition_alone),
        cmocka_unit_test(invalid_vectors),    cmocka_unit_test(every_part_matters),
        cmocka_unit_test(every_byte_matters), cmocka_unit_test(fabricated_sectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every inclusion proof, several side by side; the texts afterwards. */
#include "filecoin/post_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/number_list.h"
#include "filecoin/merkle.h"

#define GROUP 8        /* inclusion proofs of a task, hashed side by side */
#define TEXT_CHARS 512 /* of an error: callers put file names in front */
_Static_assert(GROUP <= MERKLE_MAX_TOGETHER, "a task's paths are hashed together");

typedef struct check {
    const post_sector_proof *proofs;
    const post_statement *s;
    const tree_shape *shape;
    unsigned n_challenges; /* of each sector */
    bool *bad;             /* one for each sector */
} check;

/* ---- one sector ---- */

static cuzk_status not_fr(const char *name, cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_INPUT, "%s is not below the field modulus", name);
}

static cuzk_status check_commitments(const check *c, size_t index, cuzk_error *err) {
    const post_sector_proof *p = &c->proofs[index];
    const post_sector *known = &c->s->sectors[index];
    if (p->sector_id != known->sector_id) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "the vanilla proof is of sector %" PRIu64
                         ", the statement of sector %" PRIu64,
                         p->sector_id, known->sector_id);
    }
    if (p->n_challenges != c->n_challenges) {
        return cuzk_fail(err, CUZK_E_INPUT, "%u inclusion proofs, should be %u", p->n_challenges,
                         c->n_challenges);
    }
    if (!digest_eq(&p->comm_r, &known->comm_r)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT, "comm_r is not that of the statement");
    }
    if (!cuzk_digest_is_fr(&p->comm_r)) {
        return not_fr("comm_r", err);
    }
    if (!cuzk_digest_is_fr(&p->comm_c)) {
        return not_fr("comm_c", err);
    }
    if (!cuzk_digest_is_fr(&p->comm_r_last)) {
        return not_fr("comm_r_last", err);
    }
    digest comm_r;
    cuzk_comm_r(&comm_r, &p->comm_c, &p->comm_r_last);
    if (!digest_eq(&comm_r, &p->comm_r)) {
        return cuzk_fail(err, CUZK_E_INCONSISTENT,
                         "comm_r is not the hash of comm_c and comm_r_last");
    }
    return CUZK_OK;
}

/* The n inclusion proofs from number first on, at most GROUP; number = sector n_challenges +
 * challenge. A sector with another number of them has none to check. */
static cuzk_status check_inclusions(const check *c, size_t first, size_t n, cuzk_error *err) {
    const merkle_proof *paths[GROUP];
    const digest *expected[GROUP];
    fr leaves[GROUP], roots[GROUP];
    size_t n_paths = 0;
    for (size_t number = first; number < first + n; number++) {
        const size_t index = number / c->n_challenges;
        const unsigned challenge = (unsigned)(number % c->n_challenges);
        const post_sector_proof *p = &c->proofs[index];
        if (p->n_challenges != c->n_challenges) {
            continue;
        }
        const merkle_proof *path = &p->inclusions[challenge];
        uint64_t node;
        cuzk_post_statement_challenges(&node, c->s, index, challenge, 1);
        cuzk_status status = cuzk_merkle_check_index(c->shape, path, node, err);
        if (status == CUZK_OK && !cuzk_fr_read_le(&leaves[n_paths], path->leaf.bytes)) {
            status = not_fr("the leaf", err);
        }
        if (status != CUZK_OK) {
            return status;
        }
        paths[n_paths] = path;
        expected[n_paths++] = &p->comm_r_last;
    }
    if (n_paths == 0) {
        return CUZK_OK;
    }
    cuzk_status status = cuzk_merkle_poseidon(roots, c->shape, paths, leaves, n_paths, NULL, err);
    for (size_t i = 0; i < n_paths && status == CUZK_OK; i++) {
        digest root;
        cuzk_fr_write_le(root.bytes, &roots[i]);
        status = cuzk_merkle_check_root(paths[i], &root, expected[i], "comm_r_last", err);
    }
    return status;
}

static size_t n_inclusions(const check *c) { return c->s->n_sectors * c->n_challenges; }

static void flag(const check *c, size_t number) {
    /* tasks may share a sector */
    __atomic_store_n(&c->bad[number / c->n_challenges], true, __ATOMIC_RELAXED);
}

/* A group that fails is gone through again one by one: which of its sectors are bad? A sector's
 * commitments are checked with its challenge 0. */
static void check_task(void *arg, size_t task, unsigned worker) {
    (void)worker;
    const check *c = arg;
    const size_t first = task * GROUP, left = n_inclusions(c) - first;
    const size_t n = left < GROUP ? left : GROUP;
    const bool is_good = check_inclusions(c, first, n, NULL) == CUZK_OK;
    for (size_t number = first; number < first + n; number++) {
        if (number % c->n_challenges == 0 &&
            check_commitments(c, number / c->n_challenges, NULL) != CUZK_OK) {
            flag(c, number);
        }
        if (!is_good && check_inclusions(c, number, 1, NULL) != CUZK_OK) {
            flag(c, number);
        }
    }
}

/* One sector, in order. *challenge gets the bad one, or CUZK_NOWHERE. */
static cuzk_status check_sector(const check *c, size_t index, int64_t *challenge, cuzk_error *err) {
    *challenge = CUZK_NOWHERE;
    cuzk_status status = check_commitments(c, index, err);
    for (unsigned i = 0; i < c->n_challenges && status == CUZK_OK; i++) {
        status = check_inclusions(c, index * c->n_challenges + i, 1, err);
        *challenge = status == CUZK_OK ? CUZK_NOWHERE : (int64_t)i;
    }
    return status;
}

/* ---- the error ---- */

static int by_number(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

uint64_t *cuzk_post_bad_numbers(size_t *n, const post_statement *s, const bool *bad) {
    uint64_t *numbers = malloc(s->n_sectors * sizeof *numbers);
    *n = 0;
    for (size_t i = 0; numbers != NULL && i < s->n_sectors; i++) {
        if (bad[i]) {
            numbers[(*n)++] = s->sectors[i].sector_id;
        }
    }
    if (numbers == NULL || *n == 0) {
        free(numbers);
        return NULL;
    }
    qsort(numbers, *n, sizeof *numbers, by_number);
    return numbers;
}

/* The first bad sector's fault in words, and the list. */
static cuzk_status describe(const check *c, size_t index, cuzk_error *err) {
    const post_statement *s = c->s;
    uint64_t id = s->sectors[index].sector_id;
    uint64_t partition = s->first_partition + index / cuzk_post_partition_sectors(s->type);
    int64_t challenge;
    cuzk_status status = check_sector(c, index, &challenge, err);
    CUZK_ASSERT(status != CUZK_OK);
    if (err == NULL) {
        return status;
    }
    if (challenge == CUZK_NOWHERE) {
        cuzk_error_prefix(err, "vanilla proof of sector %" PRIu64 " is inconsistent: ", id);
    } else {
        cuzk_error_prefix(
            err, "vanilla proof of sector %" PRIu64 ", challenge %" PRId64 " is inconsistent: ", id,
            challenge);
    }
    err->partition = (int64_t)partition;
    err->sector = (int64_t)id;
    err->challenge = challenge;
    size_t n;
    uint64_t *numbers = cuzk_post_bad_numbers(&n, s, c->bad);
    if (numbers == NULL) {
        return status;
    }
    size_t used = strlen(err->text);
    used += (size_t)snprintf(err->text + used, sizeof err->text - used,
                             " [partition=%" PRIu64 " bad=%zu of=%zu bad_sectors=", partition, n,
                             s->n_sectors);
    CUZK_ASSERT(used < TEXT_CHARS - 32);
    cuzk_number_list_write(err->text + used, TEXT_CHARS - 1 - used, numbers, n);
    strcat(err->text, "]");
    free(numbers);
    return status;
}

/* c->bad gets a flag for each sector; CUZK_OK if none is set. */
static cuzk_status check_sectors(check *c, const cuzk_ctx *ctx, cuzk_error *err) {
    const size_t n = c->s->n_sectors;
    cuzk_status status =
        cuzk_pool_run(ctx, (n_inclusions(c) + GROUP - 1) / GROUP, check_task, c, err);
    if (status != CUZK_OK) {
        memset(c->bad, 0, n * sizeof *c->bad);
        return status;
    }
    size_t first = 0;
    while (first < n && !c->bad[first]) {
        first++;
    }
    return first < n ? describe(c, first, err) : CUZK_OK;
}

cuzk_status cuzk_post_check(const cuzk_ctx *ctx, const post_sector_proof *proofs,
                            const post_statement *s, bool *bad, cuzk_error *err) {
    if (bad != NULL) {
        memset(bad, 0, s->n_sectors * sizeof *bad);
    }
    cuzk_status status = cuzk_post_statement_check(s, err);
    if (status != CUZK_OK) {
        return status;
    }
    bool *own = bad == NULL ? calloc(s->n_sectors, sizeof *own) : NULL;
    if (bad == NULL && own == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to check %zu sectors", s->n_sectors);
    }
    check c = {.proofs = proofs,
               .s = s,
               .shape = &s->type->size->shape,
               .n_challenges = cuzk_post_sector_challenges(s->type),
               .bad = bad != NULL ? bad : own};
    status = check_sectors(&c, ctx, err);
    free(own);
    return status;
}

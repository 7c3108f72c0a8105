/* Every sector by itself; the texts afterwards. */
#include "filecoin/post_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/number_list.h"
#include "filecoin/merkle.h"

#define GROUP 10       /* inclusion proofs of a task */
#define TEXT_CHARS 512 /* of an error: callers put file names in front */
#define MAX_CHALLENGES (WINNING_SECTORS > WINDOW_CHALLENGES ? WINNING_SECTORS : WINDOW_CHALLENGES)

typedef struct check {
    const post_sector_proof *proofs;
    const post_statement *s;
    const tree_shape *shape;
    unsigned n_challenges, n_groups; /* of each sector */
    bool *bad;                       /* one for each sector */
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

static cuzk_status check_inclusion(const check *c, const post_sector_proof *p, unsigned challenge,
                                   uint64_t node, cuzk_error *err) {
    const merkle_proof *path = &p->inclusions[challenge];
    fr leaf, nodes[MERKLE_MAX_LEVELS + 1];
    cuzk_status status = cuzk_merkle_check_index(c->shape, path, node, err);
    if (status == CUZK_OK) {
        status = cuzk_fr_read_le(&leaf, path->leaf.bytes)
                     ? cuzk_merkle_poseidon(nodes, c->shape, path, &leaf, err)
                     : not_fr("the leaf", err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    digest root;
    cuzk_fr_write_le(root.bytes, &nodes[path->n_levels]);
    return cuzk_merkle_check_root(path, &root, &p->comm_r_last, "comm_r_last", err);
}

/* Inclusion proofs first to end - 1, of which the commitments come before the first one.
 * *challenge gets the bad one, or CUZK_NOWHERE. */
static cuzk_status check_sector(const check *c, size_t index, unsigned first, unsigned end,
                                int64_t *challenge, cuzk_error *err) {
    *challenge = CUZK_NOWHERE;
    cuzk_status status = first == 0 ? check_commitments(c, index, err) : CUZK_OK;
    if (status != CUZK_OK || c->proofs[index].n_challenges != c->n_challenges) {
        return status; /* a wrong number is the first group's to report */
    }
    uint64_t nodes[MAX_CHALLENGES];
    cuzk_post_statement_challenges(nodes, c->s, index, first, end - first);
    for (unsigned i = first; status == CUZK_OK && i < end; i++) {
        status = check_inclusion(c, &c->proofs[index], i, nodes[i - first], err);
        *challenge = status == CUZK_OK ? CUZK_NOWHERE : (int64_t)i;
    }
    return status;
}

static void check_task(void *arg, size_t number, unsigned worker) {
    (void)worker;
    const check *c = arg;
    size_t index = number / c->n_groups;
    unsigned first = (unsigned)(number % c->n_groups) * GROUP;
    unsigned end = first + GROUP < c->n_challenges ? first + GROUP : c->n_challenges;
    int64_t ignored;
    if (check_sector(c, index, first, end, &ignored, NULL) != CUZK_OK) {
        __atomic_store_n(&c->bad[index], true,
                         __ATOMIC_RELAXED); /* groups of one sector may meet */
    }
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
    cuzk_status status = check_sector(c, index, 0, c->n_challenges, &challenge, err);
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
    cuzk_status status = cuzk_pool_run(ctx, n * c->n_groups, check_task, c, err);
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
    c.n_groups = (c.n_challenges + GROUP - 1) / GROUP;
    status = check_sectors(&c, ctx, err);
    free(own);
    return status;
}

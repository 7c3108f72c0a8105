/* Statement to public inputs: challenges, padding. */
#include "filecoin/post_inputs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "filecoin/challenges.h"
#include "filecoin/merkle.h"

void cuzk_post_sectors_of(post_sector *sectors, const post_sector_proof *proofs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        sectors[i] = (post_sector){.sector_id = proofs[i].sector_id, .comm_r = proofs[i].comm_r};
    }
}

const char *cuzk_post_name(const post_proof_type *type) {
    return type->winning ? "WinningPoSt" : "WindowPoSt";
}

size_t cuzk_post_partition_sectors(const post_proof_type *type) {
    return type->winning ? 1 : type->size->window_sectors;
}

unsigned cuzk_post_sector_challenges(const post_proof_type *type) {
    return type->winning ? WINNING_SECTORS : WINDOW_CHALLENGES;
}

size_t cuzk_post_partitions(const post_statement *s) {
    size_t of_each = cuzk_post_partition_sectors(s->type);
    size_t n = s->n_sectors / of_each + (s->n_sectors % of_each != 0);
    return n > 0 ? n : 1;
}

/* ---- the statement ---- */

typedef struct entry {
    uint64_t sector_id;
    size_t index;
} entry;

static int by_sector(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->sector_id != y->sector_id) {
        return x->sector_id < y->sector_id ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* Names the first entry that has been there before. */
static cuzk_status check_duplicates(const post_statement *s, cuzk_error *err) {
    entry *entries = malloc(s->n_sectors * sizeof *entries);
    if (entries == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a list of %zu sectors",
                         s->n_sectors);
    }
    for (size_t i = 0; i < s->n_sectors; i++) {
        entries[i] = (entry){s->sectors[i].sector_id, i};
    }
    qsort(entries, s->n_sectors, sizeof *entries, by_sector);
    const entry *first = NULL; /* of the pair whose second comes earliest */
    for (size_t i = 1; i < s->n_sectors; i++) {
        if (entries[i - 1].sector_id == entries[i].sector_id &&
            (first == NULL || entries[i].index < first[1].index)) {
            first = &entries[i - 1];
        }
    }
    cuzk_status status = CUZK_OK;
    if (first != NULL) {
        status =
            cuzk_fail(err, CUZK_E_INPUT, "sector %" PRIu64 " is given twice: entries %zu and %zu",
                      first->sector_id, first[0].index, first[1].index);
        if (err != NULL) {
            err->sector = (int64_t)first->sector_id;
        }
    }
    free(entries);
    return status;
}

cuzk_status cuzk_post_statement_check(const post_statement *s, cuzk_error *err) {
    if (s->n_sectors == 0) {
        return cuzk_fail(err, CUZK_E_INPUT, "no %s vanilla proofs", cuzk_post_name(s->type));
    }
    if (s->type->winning && s->n_sectors != 1) {
        return cuzk_fail(err, CUZK_E_INPUT, "WinningPoSt expected 1 sector proof, got %zu",
                         s->n_sectors);
    }
    if (!cuzk_digest_is_fr(&s->randomness)) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "Invalid commitment (randomness): not below the field modulus");
    }
    return check_duplicates(s, err);
}

/* ---- inputs ---- */

void cuzk_post_statement_challenges(uint64_t *nodes, const post_statement *s, size_t index,
                                    unsigned first, unsigned count) {
    const post_proof_type *type = s->type;
    unsigned n = cuzk_post_sector_challenges(type);
    uint64_t place =
        (uint64_t)s->first_partition * cuzk_post_partition_sectors(type) + (uint64_t)index;
    for (unsigned i = 0; i < count; i++) {
        nodes[i] = cuzk_post_challenge(
            &s->randomness, s->sectors[index].sector_id,
            cuzk_post_challenge_index(type->version, place, n, first + i), type->size->nodes);
    }
}

size_t cuzk_post_input_count(const post_proof_type *type) {
    return type->winning ? 2 * WINNING_SECTORS
                         : (size_t)(1 + WINDOW_CHALLENGES) * type->size->window_sectors;
}

/* comm_r and challenges of one sector, as the circuit orders them. Returns their number. */
static size_t sector_inputs(fr_plain *inputs, const post_statement *s, size_t index,
                            const fr_plain *comm_r) {
    uint64_t nodes[WINNING_SECTORS > WINDOW_CHALLENGES ? WINNING_SECTORS : WINDOW_CHALLENGES];
    unsigned n = cuzk_post_sector_challenges(s->type);
    fr_plain *at = inputs;
    cuzk_post_statement_challenges(nodes, s, index, 0, n);
    for (unsigned i = 0; i < n; i++) {
        if (i == 0 || s->type->winning) { /* each sector of a Winning circuit has one challenge */
            *at++ = *comm_r;
        }
        *at++ = (fr_plain){{nodes[i], 0, 0, 0}};
    }
    return (size_t)(at - inputs);
}

cuzk_status cuzk_post_inputs(fr_plain *inputs, const post_statement *s, size_t partition,
                             cuzk_error *err) {
    cuzk_status status = cuzk_post_statement_check(s, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (partition >= cuzk_post_partitions(s)) {
        return cuzk_fail(err, CUZK_E_RANGE, "there is no partition %zu: %zu sectors make %zu",
                         partition, s->n_sectors, cuzk_post_partitions(s));
    }
    size_t of_each = cuzk_post_partition_sectors(s->type), n_values = 0;
    for (size_t i = 0; i < of_each; i++) {
        size_t index = partition * of_each + i;
        if (index >= s->n_sectors) { /* as the sector before */
            memcpy(inputs, inputs - n_values, n_values * sizeof *inputs);
        } else {
            fr_plain comm_r;
            if (!cuzk_fr_plain_read_le(&comm_r, s->sectors[index].comm_r.bytes)) {
                uint64_t id = s->sectors[index].sector_id;
                cuzk_fail(err, CUZK_E_INPUT,
                          "sector %" PRIu64
                          ": Invalid commitment (comm_r): not below the field modulus",
                          id);
                if (err != NULL) {
                    err->sector = (int64_t)id;
                }
                return CUZK_E_INPUT;
            }
            n_values = sector_inputs(inputs, s, index, &comm_r);
        }
        inputs += n_values;
    }
    return CUZK_OK;
}

/* Statement of an update to public inputs. */
#include "filecoin/update_inputs.h"

#include "filecoin/merkle.h"

static cuzk_status check_commitment(const digest *d, const char *name, cuzk_error *err) {
    if (digest_is_zero(d)) {
        return cuzk_fail(err, CUZK_E_INPUT, "Invalid all zero commitment (%s)", name);
    }
    if (!cuzk_digest_is_fr(d)) {
        return cuzk_fail(err, CUZK_E_INPUT, "Invalid commitment (%s): not below the field modulus",
                         name);
    }
    return CUZK_OK;
}

cuzk_status cuzk_update_statement_check(const update_statement *s, cuzk_error *err) {
    cuzk_status status = check_commitment(&s->comm_r_old, "comm_r_old", err);
    if (status == CUZK_OK) {
        status = check_commitment(&s->comm_r_new, "comm_r_new", err);
    }
    if (status == CUZK_OK) {
        status = check_commitment(&s->comm_d_new, "comm_d_new", err);
    }
    return status;
}

void cuzk_update_h_options(unsigned options[UPDATE_H_OPTIONS], const param_set *set) {
    for (unsigned i = 0; i < UPDATE_H_OPTIONS; i++) {
        options[i] = set->update_h == 1 ? 1 : 7 + i; /* small sectors have one choice only */
    }
}

uint64_t cuzk_update_selection(const param_set *set, unsigned partition) {
    unsigned options[UPDATE_H_OPTIONS], first = 0;
    cuzk_update_h_options(options, set);
    while (options[first] != set->update_h) {
        first++;
    }
    return partition + (uint64_t)set->n_partitions * (1u << first);
}

cuzk_status cuzk_update_inputs(fr_plain inputs[UPDATE_INPUTS], const update_statement *s,
                               unsigned partition, cuzk_error *err) {
    cuzk_status status = cuzk_update_statement_check(s, err);
    if (status != CUZK_OK) {
        return status;
    }
    param_set set;
    if (!cuzk_param_set_of(&set, CIRCUIT_UPDATE, s->type->size) || partition >= set.n_partitions) {
        return cuzk_fail(err, CUZK_E_RANGE, "there is no partition %u: updates of %s have %u",
                         partition, s->type->size->name, s->type->size->update_partitions);
    }
    inputs[0] = (fr_plain){{cuzk_update_selection(&set, partition), 0, 0, 0}};
    const digest *commitments[] = {&s->comm_r_old, &s->comm_d_new, &s->comm_r_new};
    for (unsigned i = 0; i < 3; i++) {
        bool below = cuzk_fr_plain_read_le(&inputs[1 + i], commitments[i]->bytes);
        CUZK_ASSERT(below); /* checked above */
    }
    return CUZK_OK;
}

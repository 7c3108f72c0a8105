/* Statement to public inputs: ids, challenges, parents. */
#include "filecoin/porep_inputs.h"

#include "filecoin/challenges.h"
#include "filecoin/graph.h"
#include "filecoin/identity.h"
#include "filecoin/merkle.h"

porep_statement cuzk_porep_statement_of(const porep_proof *proof, const porep_request *request) {
    return (porep_statement){.type = proof->type,
                             .miner_id = request->miner_id,
                             .sector_number = request->sector_number,
                             .comm_r = proof->comm_r,
                             .comm_d = proof->comm_d,
                             .ticket = proof->ticket,
                             .seed = proof->seed};
}

cuzk_status cuzk_porep_statement_check(const porep_statement *s, cuzk_error *err) {
    if (digest_is_zero(&s->comm_d)) {
        return cuzk_fail(err, CUZK_E_INPUT, "Invalid all zero commitment (comm_d)");
    }
    if (digest_is_zero(&s->comm_r)) {
        return cuzk_fail(err, CUZK_E_INPUT, "Invalid all zero commitment (comm_r)");
    }
    if (digest_is_zero(&s->seed)) {
        return cuzk_fail(err, CUZK_E_INPUT, "Invalid porep challenge seed: all zero");
    }
    if (!cuzk_digest_is_fr(&s->comm_d)) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "Invalid commitment (comm_d): not below the field modulus");
    }
    if (!cuzk_digest_is_fr(&s->comm_r)) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "Invalid commitment (comm_r): not below the field modulus");
    }
    return CUZK_OK;
}

void cuzk_porep_statement_replica_id(digest *replica_id, const porep_statement *s) {
    digest prover_id, porep_id;
    cuzk_prover_id(&prover_id, s->miner_id);
    cuzk_porep_id(&porep_id, s->type->number);
    cuzk_replica_id(replica_id, &prover_id, s->sector_number, &s->ticket, &s->comm_d, &porep_id);
}

static void read_fr(fr_plain *r, const digest *d) {
    bool below = cuzk_fr_plain_read_le(r, d->bytes);
    CUZK_ASSERT(below);
}

cuzk_status cuzk_porep_inputs(fr_plain *inputs, const porep_statement *s, unsigned partition,
                              cuzk_error *err) {
    const seal_proof_type *type = s->type;
    cuzk_status status = cuzk_porep_statement_check(s, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (partition >= type->n_partitions) {
        return cuzk_fail(err, CUZK_E_RANGE, "there is no partition %u: %s has %u", partition,
                         type->name, type->n_partitions);
    }
    porep_challenge_source source = {.type = type, .comm_r = s->comm_r, .seed = s->seed};
    cuzk_porep_statement_replica_id(&source.replica_id, s);
    uint64_t challenges[POREP_MAX_CHALLENGES];
    cuzk_porep_challenges(challenges, &source, partition);
    digest porep_id;
    cuzk_porep_id(&porep_id, type->number);
    porep_graph graph;
    cuzk_graph_init(&graph, type->size->nodes, type->version, &porep_id);

    read_fr(inputs++, &source.replica_id);
    read_fr(inputs++, &s->comm_d);
    read_fr(inputs++, &s->comm_r);
    for (unsigned i = 0; i < type->n_challenges; i++) {
        uint64_t values[POREP_CHALLENGE_INPUTS];
        values[0] = challenges[i]; /* TreeD path, parents, the node, TreeR path, TreeC path */
        cuzk_graph_parents(&graph, values + 1, challenges[i]);
        for (unsigned j = 1 + POREP_PARENTS; j < POREP_CHALLENGE_INPUTS; j++) {
            values[j] = challenges[i];
        }
        for (unsigned j = 0; j < POREP_CHALLENGE_INPUTS; j++) {
            *inputs++ = (fr_plain){{values[j], 0, 0, 0}};
        }
    }
    return CUZK_OK;
}

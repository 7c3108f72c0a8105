#include "support/statement.h"

#include <stdlib.h>
#include <string.h>

static int seal_of_request(cuzk_seal_statement *seal, const request_options *q, const payload *p) {
    cuzk_error err;
    if (p->n_inputs > 0 && cuzk_seal_statement_from_c1(seal, &p->inputs[0], &err) != CUZK_OK) {
        return report_error(&err);
    }
    if (q->request.registered_proof != 0) {
        seal->registered_proof = q->request.registered_proof;
    }
    seal->miner_id = q->request.miner_id;
    if (q->request.has_sector_number) {
        seal->sector_number = q->request.sector_number;
    }
    return EXIT_DONE;
}

static int post_of_request(statement *s, const request_options *q, const payload *p) {
    s->sectors = calloc(p->n_inputs + 1, sizeof *s->sectors);
    if (s->sectors == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        return EXIT_RESOURCES;
    }
    for (size_t i = 0; i < p->n_inputs; i++) {
        cuzk_error err;
        if (cuzk_post_sector_from_vanilla(&s->sectors[i], q->request.registered_proof,
                                          &p->inputs[i], &err) != CUZK_OK) {
            hint_registered_proof(&err, q);
            return report_error(&err);
        }
    }
    s->post = (cuzk_post_statement){.kind = q->kind,
                                    .registered_proof = q->request.registered_proof,
                                    .miner_id = q->request.miner_id,
                                    .sectors = s->sectors,
                                    .n_sectors = p->n_inputs,
                                    .whole_partition = q->request.whole_partition,
                                    .partition_index = q->request.partition_index};
    memcpy(s->post.randomness, q->randomness, 32);
    return EXIT_DONE;
}

static void update_of_request(cuzk_update_statement *update, const request_options *q) {
    update->registered_proof = q->request.registered_proof;
    memcpy(update->comm_r_old, q->comm_r_old, 32);
    memcpy(update->comm_r_new, q->comm_r_new, 32);
    memcpy(update->comm_d_new, q->comm_d_new, 32);
}

int statement_of_request(statement *s, const request_options *q, const payload *p) {
    *s = (statement){.kind = q->kind};
    switch (q->kind) {
    case CUZK_POREP:
        return seal_of_request(&s->seal, q, p);
    case CUZK_SNAP:
        update_of_request(&s->update, q);
        return EXIT_DONE;
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        break;
    }
    return post_of_request(s, q, p);
}

void statement_clear(statement *s) {
    free(s->sectors);
    *s = (statement){0};
}

cuzk_status verify_statement(cuzk_prover *prover, const statement *s, const request_options *q,
                             const uint8_t *proof, size_t proof_bytes, cuzk_error *err) {
    const bool only_one = q->request.only_one;
    const unsigned only = q->request.only_partition;
    switch (s->kind) {
    case CUZK_POREP:
        return cuzk_verify_seal(prover, &s->seal, proof, proof_bytes, only_one, only, err);
    case CUZK_SNAP:
        return cuzk_verify_update(prover, &s->update, proof, proof_bytes, only_one, only, err);
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        break;
    }
    return cuzk_verify_post(prover, &s->post, proof, proof_bytes, only_one, only, err);
}

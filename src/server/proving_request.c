/* SubmitProofRequest, in one walk over its bytes. Unknown fields, and known ones of an unexpected
 * type, are skipped; of a field that comes twice, the last counts. */
#include "server/proving_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/job_table.h"
#include "server/messages.h"
#include "server/wire.h"

enum {
    REQUEST_ID = 1,
    PROOF_KIND = 2,
    REGISTERED_PROOF = 4,
    PRIORITY = 5,
    VANILLA_PROOF = 10,
    VANILLA_PROOFS = 11,
    SECTOR_NUMBER = 20,
    MINER_ID = 21,
    RANDOMNESS = 22,
    PARTITION_INDEX = 23,
    COMM_R_OLD = 30,
    COMM_R_NEW = 31,
    COMM_D_NEW = 32,
};
#define PROVE_SUBMIT 1 /* the only field of a ProveRequest */

typedef struct piece {
    const uint8_t *data;
    size_t len_bytes;
} piece;

/* The message, not yet judged. */
typedef struct fields {
    piece request_id, vanilla_proof, randomness, comm_r_old, comm_r_new, comm_d_new;
    uint64_t proof_kind, registered_proof, priority, sector_number, miner_id, partition_index;
    size_t n_vanilla_proofs;
} fields;

static cuzk_status malformed(cuzk_error *err) {
    return cuzk_fail(err, CUZK_E_INPUT, "not a SubmitProofRequest");
}

static void set_number(fields *f, uint32_t number, uint64_t value) {
    switch (number) {
    case PROOF_KIND:
        f->proof_kind = value;
        break;
    case REGISTERED_PROOF:
        f->registered_proof = value;
        break;
    case PRIORITY:
        f->priority = value;
        break;
    case SECTOR_NUMBER:
        f->sector_number = value;
        break;
    case MINER_ID:
        f->miner_id = value;
        break;
    case PARTITION_INDEX:
        f->partition_index = value;
        break;
    default:
        break;
    }
}

/* A bytes field; one more vanilla proof goes to inputs, if they are not NULL. */
static void set_bytes(fields *f, cuzk_input *inputs, uint32_t number, piece p) {
    switch (number) {
    case REQUEST_ID:
        f->request_id = p;
        break;
    case VANILLA_PROOF:
        f->vanilla_proof = p;
        break;
    case VANILLA_PROOFS:
        if (inputs != NULL) {
            inputs[f->n_vanilla_proofs].data = p.data;
            inputs[f->n_vanilla_proofs].len_bytes = p.len_bytes;
        }
        f->n_vanilla_proofs++;
        break;
    case RANDOMNESS:
        f->randomness = p;
        break;
    case COMM_R_OLD:
        f->comm_r_old = p;
        break;
    case COMM_R_NEW:
        f->comm_r_new = p;
        break;
    case COMM_D_NEW:
        f->comm_d_new = p;
        break;
    default:
        break;
    }
}

static cuzk_status walk(fields *f, cuzk_input *inputs, wire_reader reader, cuzk_error *err) {
    wire_field field;
    wire_result result;
    while ((result = cuzk_wire_next(&reader, &field)) == WIRE_FIELD) {
        if (field.type == WIRE_VARINT) {
            set_number(f, field.number, field.value);
        } else if (field.type == WIRE_BYTES) {
            set_bytes(f, inputs, field.number, (piece){field.data, field.len_bytes});
        }
    }
    return result == WIRE_END ? CUZK_OK : malformed(err);
}

/* The same for the `submit` in a ProveRequest: several are one, in order. */
static cuzk_status walk_outer(fields *f, cuzk_input *inputs, wire_reader reader, cuzk_error *err) {
    wire_field field;
    wire_result result;
    bool found = false;
    while ((result = cuzk_wire_next(&reader, &field)) == WIRE_FIELD) {
        if (field.number != PROVE_SUBMIT || field.type != WIRE_BYTES) {
            continue;
        }
        found = true;
        cuzk_status status = walk(f, inputs, (wire_reader){field.data, field.len_bytes}, err);
        if (status != CUZK_OK) {
            return status;
        }
    }
    if (result != WIRE_END) {
        return cuzk_fail(err, CUZK_E_INPUT, "not a ProveRequest");
    }
    return found ? CUZK_OK : cuzk_fail(err, CUZK_E_INPUT, "missing submit field");
}

static cuzk_status walk_all(fields *f, cuzk_input *inputs, const rpc_bytes *bytes,
                            bool in_prove_request, cuzk_error *err) {
    wire_reader reader = {bytes->data, bytes->len_bytes};
    *f = (fields){0};
    return (in_prove_request ? walk_outer : walk)(f, inputs, reader, err);
}

/* ---- judging ---- */

static cuzk_status read_request_id(proving_request *r, piece p, cuzk_error *err) {
    const char *text = (const char *)p.data;
    if (p.len_bytes > JOB_REQUEST_ID_MAX) {
        return cuzk_fail(err, CUZK_E_INPUT, "the request_id has %zu bytes, at most %d are allowed",
                         p.len_bytes, JOB_REQUEST_ID_MAX);
    }
    if (p.len_bytes != 0 &&
        (memchr(text, 0, p.len_bytes) != NULL || !cuzk_text_is_utf8(text, p.len_bytes))) {
        return cuzk_fail(err, CUZK_E_INPUT, "the request_id is not UTF-8 without zero bytes");
    }
    r->request_id = calloc(1, p.len_bytes + 1);
    if (r->request_id == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a request");
    }
    if (p.len_bytes != 0) {
        memcpy(r->request_id, text, p.len_bytes);
    }
    return CUZK_OK;
}

static cuzk_priority priority_of(int32_t priority, cuzk_proof_kind kind) {
    static const cuzk_priority defaults[] = {[CUZK_POREP] = CUZK_NORMAL,
                                             [CUZK_SNAP] = CUZK_NORMAL,
                                             [CUZK_WINDOW_POST] = CUZK_HIGH,
                                             [CUZK_WINNING_POST] = CUZK_CRITICAL};
    static const cuzk_priority named[] = {CUZK_LOW, CUZK_NORMAL, CUZK_HIGH, CUZK_CRITICAL};
    if (priority == 0) {
        return defaults[kind];
    }
    return priority >= 1 && priority <= 4 ? named[priority - 1] : CUZK_NORMAL;
}

/* A value of 32 bytes; else the request has a fault. */
static const uint8_t *value_of(proving_request *r, piece p, const char *name) {
    if (p.len_bytes == 32) {
        return p.data;
    }
    if (!r->faulty) {
        r->faulty = true;
        cuzk_fail(&r->fault, CUZK_E_INPUT, "%s must be exactly 32 bytes, got %zu", name,
                  p.len_bytes);
    }
    return NULL;
}

/* The chain's randomness has 256 bits, of which the field takes 254: clients clear two of them, and
 * those that forget get it done. */
static void clear_top_bits(proving_request *r) {
    if (r->request.randomness != NULL && r->request.randomness[31] > 0x3f) {
        size_t at = (size_t)(r->request.randomness - r->bytes.data);
        r->bytes.data[at + 31] &= 0x3f;
        r->cleared_randomness = true;
    }
}

static void read_values(proving_request *r, const fields *f) {
    cuzk_request *q = &r->request;
    q->registered_proof = f->registered_proof;
    q->miner_id = f->miner_id;
    q->sector_number = f->sector_number;
    q->has_sector_number = f->sector_number != 0;
    switch (q->kind) {
    case CUZK_SNAP:
        q->comm_r_old = value_of(r, f->comm_r_old, "comm_r_old");
        q->comm_r_new = value_of(r, f->comm_r_new, "comm_r_new");
        q->comm_d_new = value_of(r, f->comm_d_new, "comm_d_new");
        break;
    case CUZK_WINDOW_POST:
        q->whole_partition = true;
        q->partition_index = (uint32_t)f->partition_index;
        q->randomness = value_of(r, f->randomness, "randomness");
        break;
    case CUZK_WINNING_POST:
        q->randomness = value_of(r, f->randomness, "randomness");
        break;
    case CUZK_POREP:
        break;
    }
    clear_top_bits(r);
}

static cuzk_status make_inputs(proving_request *r, const fields *f, bool in_prove_request,
                               cuzk_error *err) {
    size_t n = f->n_vanilla_proofs;
    if (n > PROVING_INPUTS_MAX) {
        return cuzk_fail(err, CUZK_E_INPUT, "%zu vanilla_proofs, at most %d are allowed", n,
                         PROVING_INPUTS_MAX);
    }
    r->cost_bytes = r->bytes.len_bytes + PROVING_JOB_BYTES + n * PROVING_INPUT_BYTES;
    r->inputs = calloc(n + 1, sizeof *r->inputs);
    r->names = calloc(n + 1, sizeof *r->names);
    if (r->inputs == NULL || r->names == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a request");
    }
    fields again;
    cuzk_status status = walk_all(&again, r->inputs, &r->bytes, in_prove_request, err);
    for (size_t i = 0; i < n; i++) {
        snprintf(r->names[i], sizeof r->names[i], "vanilla_proofs[%zu]", i);
        r->inputs[i].name = r->names[i];
    }
    if (r->request.kind == CUZK_POREP) {
        n = 1;
        r->inputs[0] = (cuzk_input){
            .data = f->vanilla_proof.data,
            .len_bytes =
                f->vanilla_proof.len_bytes}; /* no name: it would
                                              * stand in front of texts that operators look for */
    }
    r->request.inputs = r->inputs;
    r->request.n_inputs = n;
    return status;
}

static cuzk_status read_all(proving_request *r, bool in_prove_request, cuzk_error *err) {
    fields f;
    cuzk_status status = walk_all(&f, NULL, &r->bytes, in_prove_request, err);
    if (status != CUZK_OK) {
        return status;
    }
    int32_t kind = (int32_t)(uint32_t)f.proof_kind;
    if (kind < CUZK_POREP || kind > CUZK_WINNING_POST) {
        return cuzk_fail(err, CUZK_E_INPUT, "invalid proof_kind: %" PRId32, kind);
    }
    r->request.kind = (cuzk_proof_kind)kind;
    r->priority = priority_of((int32_t)(uint32_t)f.priority, r->request.kind);
    status = read_request_id(r, f.request_id, err);
    if (status == CUZK_OK) {
        status = make_inputs(r, &f, in_prove_request, err);
    }
    if (status == CUZK_OK) {
        read_values(r, &f);
    }
    return status;
}

cuzk_status cuzk_proving_request_read(proving_request **r, rpc_bytes *bytes, bool in_prove_request,
                                      cuzk_error *err) {
    *r = calloc(1, sizeof **r);
    if (*r == NULL) {
        cuzk_rpc_bytes_free(bytes);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a request");
    }
    (*r)->bytes = *bytes;
    *bytes = (rpc_bytes){0};
    cuzk_status status = read_all(*r, in_prove_request, err);
    if (status != CUZK_OK) {
        cuzk_proving_request_free(*r);
        *r = NULL;
    }
    return status;
}

void cuzk_proving_request_free(void *arg) {
    proving_request *r = arg;
    cuzk_rpc_bytes_free(&r->bytes);
    cuzk_budget_drop(&r->hold);
    free(r->inputs);
    free(r->names);
    free(r->request_id);
    free(r);
}

/* Any bytes as a SubmitProofRequest (first byte even) or a ProveRequest: what is read is what
 * protobuf-c reads, if it reads anything. */
#include "server/proving_request.h"

#include <stdlib.h>
#include <string.h>

#include "cuzk/v1/proving.pb-c.h"
#include "fuzz/fuzz_target.h"
#include "server/wire.h"

typedef Cuzk__V1__SubmitProofRequest message;

static void check_bytes(const cuzk_input *input, const ProtobufCBinaryData *data) {
    CUZK_ASSERT(input->len_bytes == data->len);
    CUZK_ASSERT(data->len == 0 || memcmp(input->data, data->data, data->len) == 0);
}

static void check_value(const uint8_t *value, const ProtobufCBinaryData *data, bool masked) {
    CUZK_ASSERT((value != NULL) == (data->len == 32));
    if (value != NULL) {
        CUZK_ASSERT(memcmp(value, data->data, 31) == 0);
        CUZK_ASSERT(value[31] == (masked ? data->data[31] & 0x3f : data->data[31]));
    }
}

static void check(const proving_request *r, const message *m) {
    const cuzk_request *q = &r->request;
    CUZK_ASSERT((int)q->kind == (int)m->proof_kind);
    CUZK_ASSERT(strcmp(r->request_id, m->request_id) == 0);
    CUZK_ASSERT(q->registered_proof == m->registered_proof && q->miner_id == m->miner_id &&
                q->sector_number == m->sector_number);
    if (q->kind == CUZK_POREP) {
        CUZK_ASSERT(q->n_inputs == 1 && q->inputs[0].name == NULL);
        check_bytes(&q->inputs[0], &m->vanilla_proof);
    } else {
        CUZK_ASSERT(q->n_inputs == m->n_vanilla_proofs);
        for (size_t i = 0; i < q->n_inputs; i++) {
            CUZK_ASSERT(q->inputs[i].name[0] != 0);
            check_bytes(&q->inputs[i], &m->vanilla_proofs[i]);
        }
    }
    if (q->kind == CUZK_SNAP) {
        check_value(q->comm_r_old, &m->comm_r_old, false);
        check_value(q->comm_r_new, &m->comm_r_new, false);
        check_value(q->comm_d_new, &m->comm_d_new, false);
    } else if (q->kind != CUZK_POREP) {
        check_value(q->randomness, &m->randomness, true);
    }
    if (q->kind == CUZK_WINDOW_POST) {
        CUZK_ASSERT(q->whole_partition && q->partition_index == m->partition_index);
    }
}

/* protobuf-c merges several `submit` in its own way. */
static bool has_one_submit(const uint8_t *data, size_t len_bytes) {
    wire_reader reader = {data, len_bytes};
    wire_field field;
    unsigned n = 0;
    while (cuzk_wire_next(&reader, &field) == WIRE_FIELD) {
        n += field.number == 1;
    }
    return n == 1;
}

static void compare(const proving_request *r, const uint8_t *data, size_t len_bytes,
                    bool in_prove_request) {
    if (!in_prove_request) {
        message *m = cuzk__v1__submit_proof_request__unpack(NULL, len_bytes, data);
        if (m != NULL) {
            check(r, m);
            cuzk__v1__submit_proof_request__free_unpacked(m, NULL);
        }
    } else if (has_one_submit(data, len_bytes)) {
        Cuzk__V1__ProveRequest *outer = cuzk__v1__prove_request__unpack(NULL, len_bytes, data);
        if (outer != NULL) {
            check(r, outer->submit);
            cuzk__v1__prove_request__free_unpacked(outer, NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    if (len_bytes == 0) {
        return 0;
    }
    bool in_prove_request = data[0] % 2 != 0;
    rpc_bytes bytes;
    proving_request *r;
    cuzk_error err;
    CUZK_ASSERT(cuzk_rpc_bytes_alloc(&bytes, len_bytes - 1, NULL) == CUZK_OK);
    memcpy(bytes.data, data + 1, len_bytes - 1);
    if (cuzk_proving_request_read(&r, &bytes, in_prove_request, &err) == CUZK_OK) {
        CUZK_ASSERT(!r->faulty || r->fault.text[0] != 0);
        compare(r, data + 1, len_bytes - 1, in_prove_request);
        cuzk_proving_request_free(r);
    } else {
        CUZK_ASSERT(err.text[0] != 0 && r == NULL);
    }
    CUZK_ASSERT(bytes.data == NULL);
    return 0;
}

/* Proof requests from the wire: fields, defaults, faults, refusals, odd encodings. */
#include "server/proving_request.h"

#include <stdlib.h>
#include <string.h>

#include "cuzk/v1/proving.pb-c.h"
#include "server/wire.h"
#include "support/support.h"

typedef Cuzk__V1__SubmitProofRequest message;

static cuzk_status read_bytes(proving_request **r, const uint8_t *data, size_t len_bytes,
                              bool in_prove_request, cuzk_error *err) {
    rpc_bytes bytes;
    assert_int_equal(cuzk_rpc_bytes_alloc(&bytes, len_bytes, NULL), CUZK_OK);
    if (len_bytes != 0) {
        memcpy(bytes.data, data, len_bytes);
    }
    cuzk_status status = cuzk_proving_request_read(r, &bytes, in_prove_request, err);
    assert_null(bytes.data);
    return status;
}

static cuzk_status read_message(proving_request **r, const message *m, cuzk_error *err) {
    size_t len = protobuf_c_message_get_packed_size(&m->base);
    uint8_t *data = malloc(len + 1);
    protobuf_c_message_pack(&m->base, data);
    cuzk_status status = read_bytes(r, data, len, false, err);
    free(data);
    return status;
}

static ProtobufCBinaryData bytes_of(uint8_t *data, size_t len) {
    return (ProtobufCBinaryData){.data = data, .len = len};
}

static void fields_are_found(void **state) {
    (void)state;
    uint8_t a[32], b[32], c[32], proofs[2][5] = {"one", "two"};
    memset(a, 0xf1, sizeof a);
    memset(b, 0xf2, sizeof b);
    memset(c, 0xf3, sizeof c);
    ProtobufCBinaryData list[2] = {bytes_of(proofs[0], 3), bytes_of(proofs[1], 3)};
    message m = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    m.request_id = (char *)"snap-1-2";
    m.proof_kind = CUZK__V1__PROOF_KIND__SNAP_DEALS_UPDATE;
    m.sector_size = 1;
    m.registered_proof = 3;
    m.sector_number = UINT64_MAX;
    m.miner_id = 12;
    m.comm_r_old = bytes_of(a, 32);
    m.comm_r_new = bytes_of(b, 32);
    m.comm_d_new = bytes_of(c, 32);
    m.vanilla_proofs = list;
    m.n_vanilla_proofs = 2;
    proving_request *r;
    assert_int_equal(read_message(&r, &m, NULL), CUZK_OK);
    const cuzk_request *q = &r->request;
    assert_string_equal(r->request_id, "snap-1-2");
    assert_int_equal(q->kind, CUZK_SNAP);
    assert_int_equal(q->registered_proof, 3);
    assert_true(q->has_sector_number && q->sector_number == UINT64_MAX);
    assert_int_equal(q->miner_id, 12);
    assert_memory_equal(q->comm_r_old, a, 32);
    assert_memory_equal(q->comm_r_new, b, 32);
    assert_memory_equal(q->comm_d_new, c, 32);
    assert_null(q->randomness);
    assert_int_equal(q->n_inputs, 2);
    assert_memory_equal(q->inputs[1].data, "two", 3);
    assert_string_equal(q->inputs[1].name, "vanilla_proofs[1]");
    assert_false(r->faulty || r->cleared_randomness || q->whole_partition);
    cuzk_proving_request_free(r);
}

static void post_requests_have_randomness(void **state) {
    (void)state;
    uint8_t randomness[32];
    memset(randomness, 0xff, sizeof randomness);
    message m = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    m.proof_kind = CUZK__V1__PROOF_KIND__WINDOW_POST_PARTITION;
    m.partition_index = 7;
    m.randomness = bytes_of(randomness, 32);
    proving_request *r;
    assert_int_equal(read_message(&r, &m, NULL), CUZK_OK);
    assert_true(r->request.whole_partition && r->request.partition_index == 7);
    assert_true(r->cleared_randomness);
    assert_int_equal(r->request.randomness[31], 0x3f);
    assert_int_equal(r->request.n_inputs, 0);
    assert_string_equal(r->request_id, "");
    cuzk_proving_request_free(r);

    m.proof_kind = CUZK__V1__PROOF_KIND__WINNING_POST;
    m.randomness.len = 31;
    assert_int_equal(read_message(&r, &m, NULL), CUZK_OK);
    assert_true(r->faulty);
    assert_string_equal(r->fault.text, "randomness must be exactly 32 bytes, got 31");
    assert_false(r->request.whole_partition);
    cuzk_proving_request_free(r);
}

static void priorities_have_defaults(void **state) {
    (void)state;
    static const struct {
        int kind, priority;
        cuzk_priority expected;
    } rows[] = {{1, 0, CUZK_NORMAL}, {2, 0, CUZK_NORMAL}, {3, 0, CUZK_HIGH}, {4, 0, CUZK_CRITICAL},
                {4, 1, CUZK_LOW},    {1, 2, CUZK_NORMAL}, {1, 3, CUZK_HIGH}, {1, 4, CUZK_CRITICAL},
                {4, 5, CUZK_NORMAL}, {4, -1, CUZK_NORMAL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        message m = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
        proving_request *r;
        m.proof_kind = (Cuzk__V1__ProofKind)rows[i].kind;
        m.priority = (Cuzk__V1__Priority)rows[i].priority;
        assert_int_equal(read_message(&r, &m, NULL), CUZK_OK);
        assert_int_equal(r->priority, rows[i].expected);
        cuzk_proving_request_free(r);
    }
}

static void expect_refusal(const char *data, size_t len_bytes, bool in_prove_request,
                           const char *text) {
    proving_request *r;
    cuzk_error err;
    assert_int_equal(read_bytes(&r, (const uint8_t *)data, len_bytes, in_prove_request, &err),
                     CUZK_E_INPUT);
    assert_string_equal(err.text, text);
    assert_null(r);
}
#define EXPECT_REFUSAL(data, in_prove_request, text)                                               \
    expect_refusal(data, sizeof(data) - 1, in_prove_request, text)

static void others_are_refused(void **state) {
    (void)state;
    EXPECT_REFUSAL("", false, "invalid proof_kind: 0");
    EXPECT_REFUSAL("\x10\x05", false, "invalid proof_kind: 5");
    EXPECT_REFUSAL("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", false, "invalid proof_kind: -1");
    EXPECT_REFUSAL("", true, "missing submit field");
    EXPECT_REFUSAL("\x12\x02\x10\x01", true, "missing submit field"); /* another field */
    EXPECT_REFUSAL("\x08\x01", true, "missing submit field");         /* another type */
    EXPECT_REFUSAL("\x0a\x02\x10", true, "not a ProveRequest");
    EXPECT_REFUSAL("\x0a\x01\x10", true, "not a SubmitProofRequest");
    EXPECT_REFUSAL("\x10", false, "not a SubmitProofRequest");
    EXPECT_REFUSAL("\x10\x01\x52\x05"
                   "four",
                   false, "not a SubmitProofRequest");
    EXPECT_REFUSAL("\x10\x01\x00\x01", false, "not a SubmitProofRequest"); /* field 0 */
    EXPECT_REFUSAL("\x10\x01\x1b\x1c", false, "not a SubmitProofRequest"); /* a group */
    EXPECT_REFUSAL("\x10\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", false,
                   "not a SubmitProofRequest"); /* eleven bytes */
    EXPECT_REFUSAL("\x10\x01\x52\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", false,
                   "not a SubmitProofRequest"); /* a length above all */
    EXPECT_REFUSAL("\x10\x01\x0a\x02\x61\xff", false,
                   "the request_id is not UTF-8 without zero bytes");
    EXPECT_REFUSAL("\x10\x01\x0a\x02\x61\x00", false,
                   "the request_id is not UTF-8 without zero bytes");
}

static void sizes_have_limits(void **state) {
    (void)state;
    proving_request *r;
    cuzk_error err;
    message m = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    char id[1026];
    memset(id, 'x', sizeof id);
    id[1024] = 0;
    m.proof_kind = CUZK__V1__PROOF_KIND__WINDOW_POST_PARTITION;
    m.request_id = id;
    m.n_vanilla_proofs = PROVING_INPUTS_MAX;
    m.vanilla_proofs = calloc(PROVING_INPUTS_MAX + 1, sizeof *m.vanilla_proofs);
    assert_int_equal(read_message(&r, &m, NULL), CUZK_OK);
    assert_int_equal(r->request.n_inputs, PROVING_INPUTS_MAX);
    assert_int_equal(r->request.inputs[PROVING_INPUTS_MAX - 1].len_bytes, 0);
    assert_int_equal(r->cost_bytes, r->bytes.len_bytes + PROVING_BESIDE_MAX);
    cuzk_proving_request_free(r);
    m.n_vanilla_proofs++;
    assert_int_equal(read_message(&r, &m, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "16385 vanilla_proofs, at most 16384 are allowed");
    m.n_vanilla_proofs = 0;
    id[1024] = 'x';
    id[1025] = 0;
    assert_int_equal(read_message(&r, &m, &err), CUZK_E_INPUT);
    assert_string_equal(err.text, "the request_id has 1025 bytes, at most 1024 are allowed");
    free(m.vanilla_proofs);
}

/* Also what the kind does not use. */
static void what_lies_beside_the_bytes_is_counted(void **state) {
    (void)state;
    static const char data[] = "\x10\x01\x52\x03one\x5a\x00\x5a\x00";
    proving_request *r;
    assert_int_equal(read_bytes(&r, (const uint8_t *)data, sizeof data - 1, false, NULL), CUZK_OK);
    assert_int_equal(r->request.n_inputs, 1);
    assert_int_equal(r->cost_bytes, sizeof data - 1 + 8192 + 2 * (sizeof(cuzk_input) + 24));
    cuzk_proving_request_free(r);
}

/* A name would stand in front of the texts about it. */
static void a_seal_has_no_name(void **state) {
    (void)state;
    static const char data[] = "\x10\x01\x52\x03one";
    proving_request *r;
    assert_int_equal(read_bytes(&r, (const uint8_t *)data, sizeof data - 1, false, NULL), CUZK_OK);
    assert_int_equal(r->request.n_inputs, 1);
    assert_memory_equal(r->request.inputs[0].data, "one", 3);
    assert_null(r->request.inputs[0].name);
    cuzk_proving_request_free(r);
}

/* Of a field that comes twice the last counts, also in several submits; what is unknown or of
 * another type is skipped. */
static void odd_encodings_are_read(void **state) {
    (void)state;
    static const char data[] = "\x0a\x07\x10\x01\x5a\x03one"
                               "\xfa\x3f\x03"
                               "abc"
                               "\x0a\x15\x10\x02\x10\x03\x5a\x03two\x08\x07\xb9\x01"
                               "abcdefgh"
                               "\x0a\x03\xa0\x01\x09";
    const uint8_t *bytes = (const uint8_t *)data;
    proving_request *r;
    assert_int_equal(read_bytes(&r, bytes, sizeof data - 1, true, NULL), CUZK_OK);
    assert_int_equal(r->request.kind, CUZK_WINDOW_POST);
    assert_int_equal(r->request.n_inputs, 2);
    assert_memory_equal(r->request.inputs[0].data, "one", 3);
    assert_memory_equal(r->request.inputs[1].data, "two", 3);
    assert_int_equal(r->request.sector_number, 9);
    cuzk_proving_request_free(r);
    assert_int_equal(read_bytes(&r, bytes, sizeof data - 2, true, NULL), CUZK_E_INPUT);
}

static void wire_types_are_read(void **state) {
    (void)state;
    static const uint8_t data[] = {0x08, 0xac, 0x02, 0x11, 1,    2,    3,    4,    5,
                                   6,    7,    8,    0x1d, 1,    2,    3,    4,    0x22,
                                   2,    9,    9,    0xf8, 0xff, 0xff, 0xff, 0x0f, 0xff,
                                   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    wire_reader reader = {data, sizeof data};
    wire_field f;
    assert_int_equal(cuzk_wire_next(&reader, &f), WIRE_FIELD);
    assert_true(f.number == 1 && f.type == WIRE_VARINT && f.value == 300);
    assert_int_equal(cuzk_wire_next(&reader, &f), WIRE_FIELD);
    assert_true(f.number == 2 && f.type == WIRE_64 && f.value == 0x0807060504030201);
    assert_int_equal(cuzk_wire_next(&reader, &f), WIRE_FIELD);
    assert_true(f.number == 3 && f.type == WIRE_32 && f.value == 0x04030201);
    assert_int_equal(cuzk_wire_next(&reader, &f), WIRE_FIELD);
    assert_true(f.number == 4 && f.type == WIRE_BYTES && f.len_bytes == 2 && f.data[1] == 9);
    assert_int_equal(cuzk_wire_next(&reader, &f), WIRE_FIELD);
    assert_true(f.number == (1u << 29) - 1 && f.value == UINT64_MAX);
    assert_int_equal(cuzk_wire_next(&reader, &f), WIRE_END);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found),
        cmocka_unit_test(post_requests_have_randomness),
        cmocka_unit_test(priorities_have_defaults),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(sizes_have_limits),
        cmocka_unit_test(odd_encodings_are_read),
        cmocka_unit_test(what_lies_beside_the_bytes_is_counted),
        cmocka_unit_test(wire_types_are_read),
        cmocka_unit_test(a_seal_has_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

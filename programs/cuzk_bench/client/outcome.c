#include "cuzk_bench/client/outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/common.h"

#define HEX_WHOLE_BYTES 256 /* proofs up to that are printed whole */
#define HEX_SHOWN_BYTES 128

void prove_remotely(outcome *o, const global_options *g, submission *s, const char *request_id,
                    bool drawn) {
    *o = (outcome){0};
    int code;
    cuzk_client *client = open_daemon(g, &code);
    if (client == NULL) {
        exit(code); /* the address, which no later call would like better */
    }
    submission_message m;
    submission_message_init(&m, s, request_id, true);
    const double start = now_s();
    call_daemon(client, g, &o->fault, "Prove", m.pieces, m.n_pieces, drawn);
    o->wall_s = now_s() - start;
    Cuzk__V1__ProveResponse *reply =
        reply_message(&o->fault, &cuzk__v1__prove_response__descriptor);
    o->message = reply;
    o->result = reply != NULL ? reply->result : NULL;
    if (reply != NULL && reply->result == NULL) {
        o->fault.code = CLIENT_INTERNAL;
        snprintf(o->fault.text, sizeof o->fault.text, "the reply holds no result");
    }
    submission_message_clear(&m, cuzk_client_close(client));
}

void outcome_clear(outcome *o) {
    free_message(o->message);
    free(o->fault.data);
    *o = (outcome){0};
}

const char *outcome_status(const outcome *o) {
    if (o->result == NULL) {
        return "ERROR";
    }
    switch (o->result->status) {
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED:
        return "COMPLETED";
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED:
        return "FAILED";
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED:
        return "CANCELLED";
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT:
        return "TIMEOUT";
    default:
        return "UNKNOWN";
    }
}

bool outcome_completed(const outcome *o) {
    return o->result != NULL &&
           o->result->status == CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED;
}

const char *outcome_error(const outcome *o, char *room, size_t room_bytes) {
    if (o->result != NULL) {
        return o->result->error_message;
    }
    snprintf(room, room_bytes, "%s: %s", cuzk_client_code_name(o->fault.code), o->fault.text);
    return room;
}

/* ---- printing ---- */

static void print_proof(const ProtobufCBinaryData *proof) {
    const bool whole = proof->len <= HEX_WHOLE_BYTES;
    printf("proof:     %zu bytes (hex: ", proof->len);
    print_hex(stdout, proof->data, whole ? proof->len : HEX_SHOWN_BYTES);
    printf("%s)\n", whole ? "" : "...");
}

void print_result(const outcome *o, const check_report *check) {
    const Cuzk__V1__AwaitProofResponse *r = o->result;
    printf("\n=== Proof Result ===\n");
    printf("status:    %s\n", outcome_status(o));
    printf("job_id:    %s\n", r->job_id);
    if (!outcome_completed(o)) {
        printf("error:     %s\n", r->error_message);
        return;
    }
    printf("timings:   total=%" PRIu64 " ms (queue=%" PRIu64 " ms, srs=%" PRIu64
           " ms, synth=%" PRIu64 " ms, gpu=%" PRIu64 " ms)\n",
           r->total_ms, r->queue_wait_ms, r->srs_load_ms, r->synthesis_ms, r->gpu_compute_ms);
    printf("wall time: %.0f ms\n", 1000 * o->wall_s);
    print_proof(&r->proof);
    if (check != NULL && check->done) {
        printf("verified:  %s%s\n", check->valid ? "yes" : "NO: ", check->valid ? "" : check->text);
    }
}

void print_result_json(const outcome *o, const check_report *check) {
    const Cuzk__V1__AwaitProofResponse *r = o->result;
    printf("{\"status\":\"%s\",\"job_id\":", outcome_status(o));
    print_json_string(stdout, r->job_id);
    printf(",\"total_ms\":%" PRIu64 ",\"queue_wait_ms\":%" PRIu64 ",\"srs_load_ms\":%" PRIu64
           ",\"synthesis_ms\":%" PRIu64 ",\"gpu_compute_ms\":%" PRIu64 ",\"wall_ms\":%.3f",
           r->total_ms, r->queue_wait_ms, r->srs_load_ms, r->synthesis_ms, r->gpu_compute_ms,
           1000 * o->wall_s);
    if (outcome_completed(o)) {
        printf(",\"proof_bytes\":%zu,\"proof\":\"", r->proof.len);
        print_hex(stdout, r->proof.data, r->proof.len);
        printf("\"");
    } else {
        printf(",\"error\":");
        print_json_string(stdout, r->error_message);
    }
    if (check != NULL && check->done) {
        printf(",\"verified\":%s", check->valid ? "true" : "false");
        if (!check->valid) {
            printf(",\"reason\":");
            print_json_string(stdout, check->text);
        }
    }
    printf("}\n");
}

/* cuzk-bench submit, await and cancel: a job in calls of its own. */
#include <stdlib.h>

#include "cuzk_bench/client/outcome.h"
#include "cuzk_bench/command.h"

typedef struct job_options {
    common_options common;
    global_options global;
    request_options request;
    job_choice job;
    const char *output;
    uint64_t await_ms;
} job_options;

enum { OPT_OUT = 256, OPT_TIMEOUT_MS };

static const struct argp_option await_table[] = {
    {"timeout-ms", OPT_TIMEOUT_MS, "N", 0, "Status TIMEOUT after that time (0: none)", 2},
    {"out", OPT_OUT, "FILE", 0, "Write the raw proof bytes there", 2},
    {0}};

static error_t parse_submit(int key, char *text, struct argp_state *state) {
    (void)text;
    job_options *o = state->input;
    if (key != ARGP_KEY_INIT) {
        return ARGP_ERR_UNKNOWN;
    }
    state->child_inputs[0] = &o->request;
    state->child_inputs[1] = &o->request;
    state->child_inputs[2] = &o->job;
    state->child_inputs[3] = &o->global;
    state->child_inputs[4] = &o->common;
    return 0;
}

static error_t parse_job(int key, char *text, struct argp_state *state) {
    job_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->global;
        state->child_inputs[1] = &o->common;
        break;
    case OPT_OUT:
        o->output = text;
        break;
    case OPT_TIMEOUT_MS:
        o->await_ms = option_number("--timeout-ms", text, UINT64_MAX);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- submit ---- */

static void print_submitted(const job_options *o, const Cuzk__V1__SubmitProofResponse *r) {
    if (o->common.json) {
        printf("{\"job_id\":");
        print_json_string(stdout, r->job_id);
        printf(",\"queue_position\":%u,\"assigned_gpu\":", r->queue_position);
        print_json_string(stdout, r->assigned_gpu);
        printf("}\n");
    } else {
        printf("job_id:         %s\n", r->job_id);
        printf("queue position: %u\n", r->queue_position);
    }
}

static int submit(job_options *o, submission *s) {
    int code = submission_check(&o->request);
    if (code == EXIT_DONE) {
        code = submission_read(s, &o->request);
    }
    cuzk_client *client = code == EXIT_DONE ? open_daemon(&o->global, &code) : NULL;
    if (client == NULL) {
        return code;
    }
    char id[REQUEST_ID_BYTES];
    submission_message m;
    client_reply reply;
    watch_interrupts();
    make_request_id(id);
    s->priority = o->job.priority;
    submission_message_init(&m, s, o->job.id != NULL ? o->job.id : id, false);
    call_daemon(client, &o->global, &reply, "SubmitProof", m.pieces, m.n_pieces, true);
    Cuzk__V1__SubmitProofResponse *r =
        reply_message(&reply, &cuzk__v1__submit_proof_response__descriptor);
    if (r != NULL) {
        print_submitted(o, r);
    } else {
        code = report_fault(&o->global, &reply);
    }
    free_message(r);
    free(reply.data);
    submission_message_clear(&m, cuzk_client_close(client));
    return code;
}

static int run_submit(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, PLACE_CHILD,  JOB_CHOICE_CHILD,
                                                 GLOBAL_CHILD,  COMMON_CHILD, {0}};
    job_options o = {0};
    submission s = {0};
    submission_defaults(&o.request);
    /* no table of its own: glibc never frees the help of an empty one */
    parse_command(self, &o.common, NULL, parse_submit, children, &o, argc, argv);
    int code = submit(&o, &s);
    submission_clear(&s);
    request_options_clear(&o.request);
    return code;
}

const command command_submit = {.name = "submit",
                                .arguments = "",
                                .summary = "hand a proof to the daemon and do not wait",
                                .run = run_submit};

/* ---- await ---- */

static const struct argp_child job_children[] = {GLOBAL_CHILD, COMMON_CHILD, {0}};

static int report_awaited(const job_options *o, const outcome *result) {
    const ProtobufCBinaryData *proof = &result->result->proof;
    cuzk_error err;
    (o->common.json ? print_result_json : print_result)(result, NULL);
    if (!outcome_completed(result)) {
        return EXIT_NOT_VALID;
    }
    if (o->output != NULL &&
        cuzk_output_write(o->output, proof->data, proof->len, &err) != CUZK_OK) {
        return report_error(&err);
    }
    return EXIT_DONE;
}

static int run_await(const command *self, int argc, char **argv) {
    job_options o = {0};
    cuzk_error err;
    int code = EXIT_DONE;
    parse_command(self, &o.common, await_table, parse_job, job_children, &o, argc, argv);
    if (o.output != NULL && cuzk_output_probe(o.output, &err) != CUZK_OK) {
        return report_error(&err);
    }
    Cuzk__V1__AwaitProofRequest request = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    request.job_id = (char *)(uintptr_t)o.common.arguments[0];
    request.timeout_ms = o.await_ms;
    watch_interrupts();
    outcome result = {.wall_s = -now_s()};
    result.result = ask_daemon(&o.global, &code, "AwaitProof", &request.base,
                               &cuzk__v1__await_proof_response__descriptor);
    result.wall_s += now_s();
    result.message = result.result;
    if (result.result != NULL) {
        code = report_awaited(&o, &result);
    }
    outcome_clear(&result);
    return code;
}

const command command_await = {.name = "await",
                               .arguments = "JOB",
                               .summary = "wait for a job of the daemon",
                               .min_arguments = 1,
                               .max_arguments = 1,
                               .run = run_await};

/* ---- cancel ---- */

static int run_cancel(const command *self, int argc, char **argv) {
    job_options o = {0};
    int code = EXIT_DONE;
    parse_command(self, &o.common, NULL, parse_job, job_children, &o, argc, argv);
    const char *job = o.common.arguments[0];
    Cuzk__V1__CancelProofRequest request = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    request.job_id = (char *)(uintptr_t)job;
    watch_interrupts();
    Cuzk__V1__CancelProofResponse *r = ask_daemon(&o.global, &code, "CancelProof", &request.base,
                                                  &cuzk__v1__cancel_proof_response__descriptor);
    if (r != NULL && o.common.json) {
        printf("{\"job_id\":");
        print_json_string(stdout, job);
        printf(",\"was_running\":%s}\n", r->was_running ? "true" : "false");
    } else if (r != NULL) {
        printf("%s %s\n", job, r->was_running ? "cancelled" : "was not running");
    }
    free_message(r);
    return code;
}

const command command_cancel = {.name = "cancel",
                                .arguments = "JOB",
                                .summary = "cancel a job of the daemon",
                                .min_arguments = 1,
                                .max_arguments = 1,
                                .run = run_cancel};

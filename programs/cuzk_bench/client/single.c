/* cuzk-bench single: one proof by the daemon, verified here if wanted. */
#include "cuzk_bench/client/outcome.h"
#include "cuzk_bench/command.h"
#include "support/statement.h"

typedef struct single_options {
    common_options common;
    global_options global;
    request_options request;
    job_choice job;
    const char *output;
    bool verify;
} single_options;

enum { OPT_OUT = 256, OPT_VERIFY };

static const struct argp_option table[] = {
    {"out", OPT_OUT, "FILE", 0, "Write the raw proof bytes there", 2},
    {"verify", OPT_VERIFY, NULL, 0, "Verify the proof here, by the .vk in the parameter directory",
     2},
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    single_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->request;
        state->child_inputs[2] = &o->job;
        state->child_inputs[3] = &o->global;
        state->child_inputs[4] = &o->common;
        break;
    case OPT_OUT:
        o->output = text;
        break;
    case OPT_VERIFY:
        o->verify = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* The verdict in *check, or the exit code after reporting why there is none. */
static int check_proof(check_report *check, single_options *o, const submission *s,
                       const ProtobufCBinaryData *proof, cuzk_error *err) {
    statement st;
    int code = statement_of_request(&st, &o->request, &s->payload);
    cuzk_prover *prover = code == EXIT_DONE ? open_prover(&o->common, &code) : NULL;
    if (prover != NULL) {
        cuzk_status status =
            verify_statement(prover, &st, &o->request, proof->data, proof->len, err);
        progress_bar_end();
        code = exit_code_of(status);
        if (status == CUZK_OK || status == CUZK_E_PROOF_INVALID) {
            *check = (check_report){true, status == CUZK_OK, err->text};
        } else {
            hint_registered_proof(err, &o->request);
            report_error(err);
        }
        close_prover(prover);
    }
    statement_clear(&st);
    return code;
}

static int finish(single_options *o, const submission *s, const outcome *result) {
    check_report check = {0};
    cuzk_error err;
    int code = EXIT_DONE;
    if (result->result == NULL) {
        return report_fault(&o->global, &result->fault);
    }
    const ProtobufCBinaryData *proof = &result->result->proof;
    if (!outcome_completed(result)) {
        code = EXIT_NOT_VALID;
    } else if (o->verify) {
        code = check_proof(&check, o, s, proof, &err);
    }
    (o->common.json ? print_result_json : print_result)(result, &check);
    cuzk_error write_err;
    if (code == EXIT_DONE && o->output != NULL &&
        cuzk_output_write(o->output, proof->data, proof->len, &write_err) != CUZK_OK) {
        code = report_error(&write_err);
    }
    return code;
}

static int prove(single_options *o, submission *s) {
    char id[REQUEST_ID_BYTES];
    cuzk_error err;
    outcome result;
    int code = submission_check(&o->request);
    if (code == EXIT_DONE) {
        code = submission_read(s, &o->request);
    }
    if (code == EXIT_DONE && o->output != NULL && cuzk_output_probe(o->output, &err) != CUZK_OK) {
        code = report_error(&err);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    watch_interrupts();
    make_request_id(id);
    s->priority = o->job.priority;
    prove_remotely(&result, &o->global, s, o->job.id != NULL ? o->job.id : id, true);
    code = finish(o, s, &result);
    outcome_clear(&result);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct argp_child children[] = {REQUEST_CHILD, PLACE_CHILD,  JOB_CHOICE_CHILD,
                                                 GLOBAL_CHILD,  COMMON_CHILD, {0}};
    single_options o = {0};
    submission s = {0};
    submission_defaults(&o.request);
    parse_command(self, &o.common, table, parse_one, children, &o, argc, argv);
    int code = prove(&o, &s);
    submission_clear(&s);
    request_options_clear(&o.request);
    return code;
}

const command command_single = {
    .name = "single", .arguments = "", .summary = "one proof by the daemon", .run = run};

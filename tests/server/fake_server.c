/* A server with made-up proofs for the end-to-end tests of the calls. The words at the start of a
 * request's first input, up to a zero byte, say what becomes of it:
 *   partitions=N   how many (1 if it does not say)
 *   gate=PATH      proving waits until that file exists
 *   opengate=PATH  so does reading
 *   signal=NUMBER  proving raises that signal
 *   fail=WORD      reading fails with that text
 *   memory=STAGE   so does that stage for want of memory: open, load, synthesise or prove
 *   bad=N          so many proofs of the job are bad
 *   slow=MS        every proof takes that long
 * A proof's first 8 bytes count the computations of this process; the others are the partition.
 * usage: fake_server LISTEN [budget=BYTES] [max_message=BYTES] [receive_timeout_ms=N] [json=1]
 *                    [results=N] [log=LEVEL] [cert=PEM key=PEM] [client_ca=PEM]
 * Writes its address to standard output. SIGTERM: drains for 2 s, and says what is left. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/log.h"
#include "engine/metrics.h"
#include "server/last_line.h"
#include "server/server.h"

typedef struct fake_job {
    unsigned n_partitions;
    char gate[256];
    int signal;
    char short_stage[256]; /* where memory is short */
    atomic_int n_bad;      /* bad proofs to come */
    long slow_ms;
    uint64_t number;
} fake_job;

#define BAD_PROOF UINT64_MAX

static atomic_ullong n_computations;

/* The word after "NAME=". */
static void read_word(char word[256], const char *text, const char *name) {
    word[0] = 0;
    const char *at = strstr(text, name);
    if (at != NULL) {
        at += strlen(name);
        snprintf(word, 256, "%.*s", (int)strcspn(at, " "), at);
    }
}

static cuzk_status wait_for_gate(const char *gate, const cuzk_ctx *ctx, cuzk_error *err) {
    const struct timespec pause = {.tv_nsec = 2000000};
    while (gate[0] != 0 && access(gate, F_OK) != 0) {
        if (cuzk_ctx_cancelled(ctx)) {
            return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
        }
        nanosleep(&pause, NULL);
    }
    return CUZK_OK;
}

static cuzk_status fail_if_short(const fake_job *j, const char *stage, cuzk_error *err) {
    return strcmp(j->short_stage, stage) == 0
               ? cuzk_fail(err, CUZK_E_NO_MEMORY, "made-up shortage in %s", stage)
               : CUZK_OK;
}

static cuzk_status take_time(long ms, const cuzk_ctx *ctx, cuzk_error *err) {
    const struct timespec pause = {.tv_nsec = 1000000};
    for (long i = 0; i < ms; i++) {
        if (cuzk_ctx_cancelled(ctx)) {
            return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
        }
        nanosleep(&pause, NULL);
    }
    return CUZK_OK;
}

static cuzk_status fake_open(void *arg, void **opened, const cuzk_ctx *ctx,
                             const cuzk_request *request, cuzk_error *err) {
    (void)arg;
    char text[1024] = "", word[256];
    if (request->n_inputs != 0 && request->inputs[0].data != NULL) {
        size_t len = request->inputs[0].len_bytes;
        len = len < sizeof text - 1 ? len : sizeof text - 1;
        memcpy(text, request->inputs[0].data, len);
    }
    read_word(word, text, " opengate=");
    cuzk_status status = wait_for_gate(word, ctx, err);
    read_word(word, text, " fail=");
    if (status == CUZK_OK && word[0] != 0) {
        status = cuzk_fail(err, CUZK_E_INPUT, "%s", word);
    }
    fake_job *j = status == CUZK_OK ? calloc(1, sizeof *j) : NULL;
    if (j == NULL) {
        return status;
    }
    read_word(word, text, " partitions=");
    j->n_partitions = word[0] != 0 ? (unsigned)atoi(word) : 1;
    read_word(j->gate, text, " gate=");
    read_word(word, text, " signal=");
    j->signal = atoi(word);
    read_word(j->short_stage, text, " memory=");
    read_word(word, text, " bad=");
    atomic_init(&j->n_bad, atoi(word));
    read_word(word, text, " slow=");
    j->slow_ms = atol(word);
    status = fail_if_short(j, "open", err);
    if (status != CUZK_OK) {
        free(j);
        return status;
    }
    j->number = atomic_fetch_add(&n_computations, 1);
    *opened = j;
    return CUZK_OK;
}

static cuzk_status fake_load(void *arg, work_plan *plan, const cuzk_ctx *ctx, void *opened,
                             cuzk_error *err) {
    (void)arg, (void)ctx;
    *plan = (work_plan){
        .n_partitions = ((fake_job *)opened)->n_partitions, .partition_bytes = 1, .lookahead = 0};
    return fail_if_short(opened, "load", err);
}

static cuzk_status fake_synthesise(void *arg, void **witness, const cuzk_ctx *ctx, void *opened,
                                   unsigned partition, cuzk_error *err) {
    (void)arg, (void)ctx, (void)partition;
    cuzk_status status = fail_if_short(opened, "synthesise", err);
    if (status == CUZK_OK) {
        *witness = malloc(1);
    }
    return status;
}

static cuzk_status fake_prove(void *arg, uint8_t proof[GROTH16_PROOF_BYTES], groth16_timing *timing,
                              const cuzk_ctx *ctx, void *opened, void *witness, unsigned partition,
                              bool last_attempt, cuzk_error *err) {
    (void)timing;
    (void)arg, (void)witness, (void)last_attempt;
    fake_job *j = opened;
    memset(proof, (int)partition, GROTH16_PROOF_BYTES);
    store_le64(proof, atomic_fetch_sub(&j->n_bad, 1) > 0 ? BAD_PROOF : j->number);
    cuzk_status status = fail_if_short(j, "prove", err);
    if (status == CUZK_OK) {
        status = take_time(j->slow_ms, ctx, err);
    }
    if (status == CUZK_OK) {
        status = wait_for_gate(j->gate, ctx, err);
    }
    if (status == CUZK_OK && j->signal != 0) {
        raise(j->signal);
    }
    return status;
}

static cuzk_status fake_verify(void *arg, const cuzk_ctx *ctx, void *opened, unsigned partition,
                               const uint8_t proof[GROTH16_PROOF_BYTES], cuzk_error *err) {
    (void)arg, (void)ctx, (void)opened, (void)partition;
    return load_le64(proof) != BAD_PROOF ? CUZK_OK
                                         : cuzk_fail(err, CUZK_E_PROOF_INVALID, "made-up fault");
}

static void fake_drop(void *arg, void *witness) {
    (void)arg;
    free(witness);
}

static void fake_close(void *arg, void *opened) {
    (void)arg;
    free(opened);
}

/* ---- parameters: one circuit that can be loaded ---- */

static atomic_bool loaded;

static cuzk_status fake_preload(void *arg, bool *already, uint64_t *load_ns, const cuzk_ctx *ctx,
                                const char *id, cuzk_error *err) {
    (void)arg, (void)ctx;
    if (strcmp(id, "snap-2k") == 0) {
        return cuzk_fail(err, CUZK_E_NO_PARAMS, "SRS param file not found for snap-2k: /nowhere");
    }
    if (strcmp(id, "wpost-2k") == 0) {
        return cuzk_fail(err, CUZK_E_BAD_PARAMS, "/params/wpost: damaged");
    }
    if (strcmp(id, "porep-2k") != 0) {
        return cuzk_fail(err, CUZK_E_RANGE, "unknown circuit ID: %s", id);
    }
    *already = atomic_exchange(&loaded, true);
    *load_ns = 7 * NS_PER_MS;
    return CUZK_OK;
}

static cuzk_status fake_evict(void *arg, bool *was_loaded, uint64_t *freed_bytes, const char *id,
                              cuzk_error *err) {
    (void)arg;
    if (strcmp(id, "porep-2k") != 0) {
        return cuzk_fail(err, CUZK_E_RANGE, "unknown circuit ID: %s", id);
    }
    *was_loaded = atomic_exchange(&loaded, false);
    *freed_bytes = *was_loaded ? 1234 : 0;
    return CUZK_OK;
}

static size_t fake_look(void *arg, param_report *reports, size_t room) {
    (void)arg;
    size_t n = atomic_load(&loaded) && room != 0;
    if (n != 0) {
        reports[0] = (param_report){.bytes = 1234, .n_users = 3};
        strcpy(reports[0].circuit_id, "porep-2k");
    }
    return n;
}

static cuzk_status fake_metrics(void *arg, char **text, size_t *len_bytes, cuzk_error *err) {
    const proving_backing *backing = arg;
    engine_report report;
    cuzk_core_look(backing->engine, &report);
    budget_report memory = cuzk_budget_look(backing->budget);
    return cuzk_metrics_text(text, len_bytes, &report, &memory, err);
}

/* ---- the process ---- */

static const char *option(int argc, char **argv, const char *name) {
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], name, strlen(name)) == 0) {
            return argv[i] + strlen(name);
        }
    }
    return NULL;
}

static size_t size_option(int argc, char **argv, const char *name, size_t otherwise) {
    const char *text = option(argc, argv, name);
    return text != NULL ? strtoul(text, NULL, 10) : otherwise;
}

static int wait_for_signal(void) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigwait(&set, &number);
    return number;
}

static void block_signal(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv) {
    static const engine_work work = {.open = fake_open,
                                     .load = fake_load,
                                     .synthesise = fake_synthesise,
                                     .prove = fake_prove,
                                     .verify = fake_verify,
                                     .drop = fake_drop,
                                     .close = fake_close};
    cuzk_error err;
    server_options options;
    cuzk_server_options_init(&options);
    options.listen = argc > 1 ? argv[1] : "";
    options.max_message_bytes = size_option(argc, argv, "max_message=", options.max_message_bytes);
    options.receive_timeout_ns =
        size_option(argc, argv, "receive_timeout_ms=", options.receive_timeout_ns / NS_PER_MS) *
        NS_PER_MS;
    options.max_calls = (unsigned)size_option(argc, argv, "max_calls=", options.max_calls);
    options.tls_certificate = option(argc, argv, "cert=");
    options.tls_key = option(argc, argv, "key=");
    options.tls_client_ca = option(argc, argv, "client_ca=");
    budget_options memory = {.total_bytes = size_option(argc, argv, "budget=", (size_t)64 << 30)};
    memory.critical_bytes = memory.total_bytes / 8;
    memory.request_bytes = cuzk_server_request_bytes(memory.total_bytes, options.max_message_bytes);
    proving_backing backing = {
        .preload = fake_preload, .evict = fake_evict, .look = fake_look, .metrics = fake_metrics};
    backing.arg = &backing;
    const char *level = option(argc, argv, "log=");
    if (level != NULL && cuzk_log_setup(level, false, &err) != CUZK_OK) {
        fprintf(stderr, "error: %s\n", err.text);
        return 1;
    }
    block_signal();
    engine_options engine_orders;
    cuzk_core_options_init(&engine_orders);
    server *s = NULL;
    bool ok = cuzk_budget_create(&backing.budget, &memory, &err) == CUZK_OK;
    engine_orders.budget = backing.budget;
    engine_orders.work = &work;
    engine_orders.max_results = size_option(argc, argv, "results=", engine_orders.max_results);
    ok = ok && cuzk_core_create(&backing.engine, &engine_orders, &err) == CUZK_OK &&
         cuzk_server_open_on(&s, &options, &backing, &err) == CUZK_OK;
    if (ok) {
        cuzk_last_line_of(backing.engine, option(argc, argv, "json=") != NULL);
        printf("%s\n", cuzk_server_address(s));
        fflush(stdout);
        wait_for_signal();
        cuzk_server_refuse(s);
        cuzk_core_shutdown(backing.engine, 2 * NS_PER_S);
    } else {
        fprintf(stderr, "error: %s\n", err.text);
    }
    cuzk_server_close(s);
    cuzk_last_line_of(NULL, false);
    cuzk_core_destroy(backing.engine);
    if (ok) {
        printf("left %zu bytes\n", cuzk_budget_look(backing.budget).used_bytes);
    }
    cuzk_budget_destroy(backing.budget);
    return ok ? 0 : 1;
}

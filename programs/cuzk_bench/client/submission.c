#include "cuzk_bench/client/submission.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR_BYTES 34359738368 /* what the daemon is told; it goes by the registered proof */

/* Tags of fields with a length: number * 8 + 2. */
enum { TAG_SUBMIT = 1 << 3 | 2, TAG_VANILLA_PROOF = 10 << 3 | 2, TAG_VANILLA_PROOFS = 11 << 3 | 2 };
#define MAX_FIELD_HEAD 11

_Noreturn static void no_memory(void) {
    fprintf(stderr, "cuzk: no memory\n");
    exit(EXIT_RESOURCES);
}

static size_t put_field_head(uint8_t *out, uint8_t tag, uint64_t len) {
    size_t n = 0;
    out[n++] = tag;
    while (len >= 0x80) {
        out[n++] = (uint8_t)(len | 0x80);
        len >>= 7;
    }
    out[n++] = (uint8_t)len;
    return n;
}

/* ---- options ---- */

void submission_defaults(request_options *q) {
    q->request.miner_id = 1000;
    q->request.sector_number = 1;
    q->request.has_sector_number = true;
    q->request.whole_partition = true;
}

int submission_check(const request_options *q) {
    const char *fault = NULL;
    if (!q->has_kind) {
        fault = "-t TYPE is required";
    } else if (q->request.only_one) {
        fault = "--only is for offline proofs: the daemon makes all partitions";
    } else if (q->kind == CUZK_POREP && q->c1 == NULL) {
        fault = "--c1 required for PoRep proof type";
    } else if (q->kind != CUZK_POREP && q->n_vanilla == 0) {
        fault = "--vanilla required for PoSt/SnapDeals proof types";
    }
    if (fault != NULL) {
        fprintf(stderr, "cuzk: %s\n", fault);
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

static Cuzk__V1__Priority option_priority(const char *text) {
    static const char *const names[] = {"low", "normal", "high", "critical"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(text, names[i]) == 0) {
            return (Cuzk__V1__Priority)(i + CUZK__V1__PRIORITY__LOW);
        }
    }
    fprintf(stderr, "cuzk: --priority: low, normal, high or critical, not '%.50s'\n", text);
    exit(EXIT_BAD_INPUT);
}

enum { OPT_ID = 256, OPT_PRIORITY };

static const struct argp_option choice_table[] = {
    {"id", OPT_ID, "TEXT", 0, "Request id (a random UUID)", 0},
    {"priority", OPT_PRIORITY, "NAME", 0, "low, normal, high or critical (the kind's own)", 0},
    {0}};

static error_t parse_choice(int key, char *text, struct argp_state *state) {
    job_choice *choice = state->input;
    switch (key) {
    case OPT_ID:
        choice->id = text;
        break;
    case OPT_PRIORITY:
        choice->priority = option_priority(text);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp job_choice_argp = {.options = choice_table, .parser = parse_choice};

void make_request_id(char id[REQUEST_ID_BYTES]) {
    uint8_t b[16];
    if (getrandom(b, sizeof b, 0) != sizeof b) {
        fprintf(stderr, "cuzk: the system gives no random bytes\n");
        exit(EXIT_RESOURCES);
    }
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40); /* version 4 */
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80); /* its variant */
    size_t n = 0;
    for (size_t i = 0; i < sizeof b; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            id[n++] = '-';
        }
        snprintf(id + n, 3, "%02x", b[i]);
        n += 2;
    }
}

/* ---- files ---- */

/* "DIR/name" if `path` is a directory, else `path` itself. */
static const char *file_of(submission *s, const char *path, const char *name) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return path;
    }
    char **more = realloc(s->names, (s->n_names + 1) * sizeof *more);
    if (more == NULL || asprintf(&more[s->n_names], "%s/%s", path, name) < 0) {
        no_memory();
    }
    s->names = more;
    return s->names[s->n_names++];
}

/* Whether the file is now mapped; others are read. */
static bool map_file(submission *s, const char *path) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) {
            s->map = map;
            s->map_bytes = (size_t)info.st_size;
        }
    }
    close(fd);
    return s->map != NULL;
}

static int read_c1(submission *s, request_options *q) {
    q->c1 = file_of(s, q->c1, "c1.json");
    if (!map_file(s, q->c1)) {
        return read_payload(&s->payload, q);
    }
    s->payload.inputs = calloc(1, sizeof *s->payload.inputs);
    if (s->payload.inputs == NULL) {
        no_memory();
    }
    s->payload.inputs[0] = (cuzk_input){.data = s->map, .len_bytes = s->map_bytes, .name = q->c1};
    s->payload.n_inputs = 1;
    return EXIT_DONE;
}

static int read_vanilla(submission *s, request_options *q) {
    const char **paths = calloc(q->n_vanilla, sizeof *paths);
    if (paths == NULL) {
        no_memory();
    }
    for (size_t i = 0; i < q->n_vanilla; i++) {
        paths[i] = file_of(s, q->vanilla[i], "vanilla.json");
    }
    q->vanilla = paths;
    int code = read_payload(&s->payload, q);
    free(paths);
    return code;
}

static void make_body(submission *s, bool is_c1) {
    const size_t n = s->payload.n_inputs;
    s->body = calloc(2 * n + 1, sizeof *s->body);
    s->heads = calloc(n + 1, MAX_FIELD_HEAD);
    if (s->body == NULL || s->heads == NULL) {
        no_memory();
    }
    for (size_t i = 0; i < n; i++) {
        const cuzk_input *input = &s->payload.inputs[i];
        uint8_t *head = s->heads + i * MAX_FIELD_HEAD;
        const size_t len =
            put_field_head(head, is_c1 ? TAG_VANILLA_PROOF : TAG_VANILLA_PROOFS, input->len_bytes);
        s->body[2 * i] = (client_piece){.data = head, .len_bytes = len};
        s->body[2 * i + 1] = (client_piece){.data = input->data, .len_bytes = input->len_bytes};
        s->body_bytes += len + input->len_bytes;
    }
    s->n_body = 2 * n;
}

int submission_read(submission *s, const request_options *options) {
    s->options = options;
    request_options q = *options;
    const bool is_c1 = q.kind == CUZK_POREP;
    int code = is_c1 ? read_c1(s, &q) : read_vanilla(s, &q);
    if (code == EXIT_DONE) {
        make_body(s, is_c1);
    }
    return code;
}

void submission_clear(submission *s) {
    if (atomic_load(&s->kept)) {
        return;
    }
    payload_clear(&s->payload);
    if (s->map != NULL) {
        munmap(s->map, s->map_bytes);
    }
    for (size_t i = 0; i < s->n_names; i++) {
        free(s->names[i]);
    }
    free(s->names);
    free(s->body);
    free(s->heads);
    memset(s, 0, sizeof *s);
}

/* ---- messages ---- */

static ProtobufCBinaryData bytes_if(bool given, const uint8_t value[32]) {
    return (ProtobufCBinaryData){.len = given ? 32 : 0, .data = (uint8_t *)(uintptr_t)value};
}

/* All fields but the vanilla proofs. */
static Cuzk__V1__SubmitProofRequest small_fields(const submission *s, const char *request_id) {
    const request_options *q = s->options;
    const bool is_post = q->kind == CUZK_WINDOW_POST || q->kind == CUZK_WINNING_POST;
    Cuzk__V1__SubmitProofRequest r = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    r.request_id = (char *)(uintptr_t)request_id;
    r.proof_kind = (Cuzk__V1__ProofKind)q->kind;
    r.sector_size = SECTOR_BYTES;
    r.registered_proof = q->request.registered_proof;
    r.priority = s->priority;
    r.sector_number = q->request.sector_number;
    r.miner_id = q->request.miner_id;
    r.partition_index = q->kind == CUZK_WINDOW_POST ? q->request.partition_index : 0;
    r.randomness = bytes_if(is_post, q->randomness);
    r.comm_r_old = bytes_if(q->has_comm_r_old, q->comm_r_old);
    r.comm_r_new = bytes_if(q->has_comm_r_new, q->comm_r_new);
    r.comm_d_new = bytes_if(q->has_comm_d_new, q->comm_d_new);
    return r;
}

void submission_message_init(submission_message *m, submission *s, const char *request_id,
                             bool in_prove) {
    const Cuzk__V1__SubmitProofRequest fields = small_fields(s, request_id);
    const size_t len = cuzk__v1__submit_proof_request__get_packed_size(&fields);
    m->submission = s;
    m->pieces = calloc(s->n_body + 1, sizeof *m->pieces);
    m->head = malloc(len + MAX_FIELD_HEAD);
    if (m->pieces == NULL || m->head == NULL) {
        no_memory();
    }
    const size_t outer = in_prove ? put_field_head(m->head, TAG_SUBMIT, len + s->body_bytes) : 0;
    cuzk__v1__submit_proof_request__pack(&fields, m->head + outer);
    m->pieces[0] = (client_piece){.data = m->head, .len_bytes = outer + len};
    memcpy(m->pieces + 1, s->body, s->n_body * sizeof *s->body);
    m->n_pieces = s->n_body + 1;
}

void submission_message_clear(submission_message *m, bool all_sent) {
    free(m->pieces);
    if (all_sent) {
        free(m->head);
    } else {
        atomic_store(&m->submission->kept, true);
    }
    *m = (submission_message){0};
}

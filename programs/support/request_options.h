/* The options that say what is proved, and the files they name: shared by all that take requests.
 */
#ifndef CUZK_PROGRAMS_REQUEST_OPTIONS_H
#define CUZK_PROGRAMS_REQUEST_OPTIONS_H

#include "support/command.h"

typedef struct request_options {
    bool has_kind, has_registered_proof;
    cuzk_proof_kind kind;
    const char *c1;       /* file, or NULL */
    const char **vanilla; /* files */
    size_t n_vanilla;
    cuzk_request request; /* without inputs, randomness and commitments */
    uint8_t randomness[32];
    uint8_t comm_r_old[32], comm_r_new[32], comm_d_new[32];
    bool has_comm_r_old, has_comm_r_new, has_comm_d_new;
} request_options;

/* A child of a subcommand's argp; its input is a zeroed request_options. */
extern const struct argp request_argp;
#define REQUEST_CHILD                                                                              \
    { .argp = &request_argp, .group = 1 }

/* Another child, with the same input: where the partition lies in a larger WindowPoSt. */
extern const struct argp place_argp;
#define PLACE_CHILD                                                                                \
    { .argp = &place_argp, .group = 1 }

/* Refuses a missing kind and options that the kind needs and that are missing: its files if
 * `files_needed`. Returns an exit code after reporting, EXIT_DONE to go on. */
int check_kind(const request_options *q, bool files_needed);

/* The inputs of a request, read from its files. Zeroed is a valid, empty one. */
typedef struct payload {
    cuzk_input *files;
    cuzk_vanilla_list *lists; /* of each file that is not a c1.json */
    size_t n_files;
    cuzk_input *inputs; /* all of them, for cuzk_request */
    size_t n_inputs;
} payload;
/* As check_kind; clear it in any case. */
int read_payload(payload *p, const request_options *q);
void payload_clear(payload *p);

/* The request, which borrows both. */
cuzk_request make_request(const request_options *q, const payload *p);

/* A commitment, or leaves the program with EXIT_BAD_INPUT. */
void option_commitment(const char *option, const char *text, bool sealed, uint8_t commitment[32]);

/* An error of a request without --registered-proof mostly means just that: says so. */
void hint_registered_proof(cuzk_error *err, const request_options *q);

/* Says which options a failure of the request may be due to, missing ones above all. */
void hint_options(cuzk_error *err, const request_options *q);

void request_options_clear(request_options *q);

#endif

/* A request for a proof as the daemon takes it: options and files in, the stretches of the message
 * out. What the files hold is sent from where it lies. */
#ifndef CUZK_PROGRAMS_CLIENT_SUBMISSION_H
#define CUZK_PROGRAMS_CLIENT_SUBMISSION_H

#include <cuzk/v1/proving.pb-c.h>

#include "server/client.h"
#include "support/request_options.h"

#define REQUEST_ID_BYTES 37 /* of one made here, with its final zero byte */

/* Zeroed is a valid, empty one. */
typedef struct submission {
    const request_options *options;
    payload payload;
    Cuzk__V1__Priority priority;
    void *map; /* a c1.json that is a regular file */
    size_t map_bytes;
    client_piece *body; /* the vanilla proofs: of each its field's head and its bytes */
    size_t n_body, body_bytes;
    uint8_t *heads;
    char **names; /* of files in directories */
    size_t n_names;
    atomic_bool kept; /* messages are still being read: nothing is freed */
} submission;

/* Defaults of requests to the daemon, before options are read: miner 1000 and sector 1. */
void submission_defaults(request_options *q);
/* Refuses what no request can be without, and what only offline proofs take. Returns the exit code,
 * after reporting. */
int submission_check(const request_options *q);
/* Reads the files; a directory stands for the c1.json or vanilla.json in it. `options` are
 * borrowed. Returns the exit code, after reporting; clear it in any case. */
int submission_read(submission *s, const request_options *options);
void submission_clear(submission *s);

/* A SubmitProofRequest, or a ProveRequest around it, that borrows the submission. */
typedef struct submission_message {
    submission *submission;
    client_piece *pieces;
    size_t n_pieces;
    uint8_t *head;
} submission_message;
void submission_message_init(submission_message *m, submission *s, const char *request_id,
                             bool in_prove);
/* all_sent: no client reads the message any more. Else it stays, and so does what the submission
 * holds. */
void submission_message_clear(submission_message *m, bool all_sent);

/* The options --id and --priority. */
typedef struct job_choice {
    const char *id; /* NULL: a random UUID */
    Cuzk__V1__Priority priority;
} job_choice;
extern const struct argp job_choice_argp;
#define JOB_CHOICE_CHILD                                                                           \
    { .argp = &job_choice_argp, .group = 2 }
/* A random UUID. */
void make_request_id(char id[REQUEST_ID_BYTES]);

#endif

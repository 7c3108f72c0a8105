/* The options that say what is proved: shared by prove and verify. */
#ifndef CUZK_PROGRAMS_REQUEST_OPTIONS_H
#define CUZK_PROGRAMS_REQUEST_OPTIONS_H

#include "cuzk/command.h"

typedef struct request_options {
    bool has_kind;
    cuzk_proof_kind kind;
    const char *c1;       /* file, or NULL */
    cuzk_request request; /* numbers; inputs are read later */
} request_options;

/* A child of a subcommand's argp; its input is a zeroed request_options. */
extern const struct argp request_argp;
#define REQUEST_CHILD                                                                              \
    { .argp = &request_argp, .group = 1 }

/* Refuses a missing kind, what this version cannot prove or verify, and a missing input. Returns an
 * exit code, EXIT_DONE to go on. */
int check_kind(const request_options *q, bool c1_needed);

#endif

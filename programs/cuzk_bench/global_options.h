/* Options that stand before or behind a subcommand: which daemon, how much it says, how long to
 * wait. */
#ifndef CUZK_PROGRAMS_GLOBAL_OPTIONS_H
#define CUZK_PROGRAMS_GLOBAL_OPTIONS_H

#include <argp.h>
#include <stdint.h>

typedef struct global_options {
    const char *address;
    const char *log_level;
    uint64_t timeout_ms; /* of a call; 0: none */
    const char *tls_ca, *tls_certificate, *tls_key;
} global_options;

/* A child of a subcommand's argp; its input is a zeroed global_options. */
extern const struct argp global_argp;
#define GLOBAL_CHILD                                                                               \
    { .argp = &global_argp, .group = 7 }

/* Puts the options before the subcommand behind it: "-a X status" becomes "status -a X". */
void subcommand_first(int argc, char **argv);

#endif

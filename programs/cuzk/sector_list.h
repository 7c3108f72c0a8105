/* The sectors of an aggregate, and the other options that making and verifying one share. */
#ifndef CUZK_PROGRAMS_SECTOR_LIST_H
#define CUZK_PROGRAMS_SECTOR_LIST_H

#include "cuzk/command.h"

/* Names of files: proofs[i] is NULL where none was given. */
typedef struct sector_list {
    char **sectors, **proofs;
    size_t n, room;
    const char *srs;
    unsigned version;
    uint64_t miner_id; /* of the sectors whose file does not name it */
} sector_list;

/* A child of a subcommand's argp; its input is a zeroed sector_list. */
extern const struct argp sector_list_argp;
#define SECTOR_LIST_CHILD                                                                          \
    { .argp = &sector_list_argp, .group = 1 }

/* Reads the statement of every sector. Returns an exit code after reporting, EXIT_DONE to go on;
 * free statement->sectors in any case. */
int read_statement(cuzk_aggregate_statement *statement, const sector_list *list);

void sector_list_clear(sector_list *list);

#endif

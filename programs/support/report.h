/* What prove, verify and their kin print. */
#ifndef CUZK_PROGRAMS_REPORT_H
#define CUZK_PROGRAMS_REPORT_H

#include "support/command.h"

/* The phases of a result, their total and the memory, as lines; or as members of a JSON object. */
void print_phases(const cuzk_result *r);
void print_phases_json(const cuzk_result *r);

/* The outcome of a verification: the verdict on standard output, anything else as an error. Returns
 * the exit code. */
int report_verdict(const common_options *common, cuzk_status status, const cuzk_error *err,
                   size_t proof_bytes);

#endif

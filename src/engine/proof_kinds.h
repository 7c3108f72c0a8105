/* What the kinds of proofs are called, and sums over them. */
#ifndef CUZK_ENGINE_PROOF_KINDS_H
#define CUZK_ENGINE_PROOF_KINDS_H

#include "engine/job_table.h"

typedef struct kind_names {
    const char *title;  /* in errors: "PoRep" */
    const char *status; /* in status documents: "porep-c2" */
    const char *metric; /* as a label of metrics: "porep_c2" */
} kind_names;

/* By cuzk_proof_kind; all NULL where there is no such kind. */
extern const kind_names cuzk_kind_names[JOB_KINDS];

/* Of all kinds. */
uint64_t cuzk_kind_sum(const uint64_t values[JOB_KINDS]);

#endif

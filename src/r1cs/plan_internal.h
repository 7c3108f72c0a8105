/* The plan of a witness: which segments a circuit writes and how long each is, found by a counting
 * run. */
#ifndef CUZK_R1CS_PLAN_INTERNAL_H
#define CUZK_R1CS_PLAN_INTERNAL_H

#include "r1cs/constraint_system.h"

#define PLAN_MAX_SECTIONS 16

/* A run of parts of equal shape. What lies between two cs_parts is a section of one part of the
 * kind R1CS_BITS. */
typedef struct plan_section {
    r1cs_segment_kind kind;
    size_t n_parts;
    cs_counts first;             /* where parts begin */
    cs_counts part;              /* of each part */
    const r1cs_row_rules *rules; /* how rows follow from variables, or NULL: they are written */
    cs_writer *writers;          /* n_parts, once memory is there */
} plan_section;

struct cs_plan {
    size_t n_sections;
    plan_section section[PLAN_MAX_SECTIONS];
    size_t current; /* the section being written, when values are */
};

/* Runs the circuit without values or combinations. Fills the plan and dims. Fails: the circuit's
 * failures, CUZK_E_RANGE when it is too big for 31-bit indices. */
cuzk_status cuzk_plan_count(cs_plan *plan, r1cs_dims *dims, const cuzk_ctx *ctx,
                            const r1cs_circuit *circuit, cuzk_error *err);

/* Streams the rows between parts and those of the first of each run of parts. */
cuzk_status cuzk_stream_first_parts(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                    r1cs_row_fn fn, void *arg, cuzk_error *err);

/* All rows as cuzk_r1cs_stream, with combinations as the circuit wrote them: in any order,
 * variables may repeat. */
cuzk_status cuzk_stream_as_written(const cuzk_ctx *ctx, const r1cs_circuit *circuit, r1cs_row_fn fn,
                                   void *arg, cuzk_error *err);

/* Ready to write: ONE allocated, nothing else. */
void cuzk_cs_init(r1cs_cs *cs, const cuzk_ctx *ctx);
/* The circuit's status, or the system's, with its error. */
cuzk_status cuzk_cs_synthesize(r1cs_cs *cs, const r1cs_circuit *circuit, cuzk_error *err);
/* Whether values were written for exactly what was counted. */
bool cuzk_plan_complete(const r1cs_cs *cs);

/* Of a whole circuit, the input rows not yet written. */
r1cs_dims cuzk_cs_dims(const cs_counts *n);

#endif

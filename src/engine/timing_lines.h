/* CUZK_TIMING=1: a line on standard error as each phase of a proof ends (engine.md 23.3):
 *
 *     CUZK_TIMING: b_g2 wall_ms=812.500 cpu_ms=1590.250 wait_ms=20.125
 */
#ifndef CUZK_ENGINE_TIMING_LINES_H
#define CUZK_ENGINE_TIMING_LINES_H

#include "groth16/groth16.h"

/* Whether the environment asks for them. */
bool cuzk_timing_wanted(void);
/* Writes the line with one write(2), if it is wanted. */
void cuzk_timing_line(const char *phase, const groth16_time *time);

/* What the phases of a proof are called, in the order of their lines. */
#define TIMING_PROOF_PHASES 7
typedef struct timing_phase {
    const char *name;
    groth16_time time;
} timing_phase;
void cuzk_timing_phases(timing_phase phases[TIMING_PROOF_PHASES], const groth16_timing *timing);

#endif

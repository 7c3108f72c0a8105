/* CUZK_TIMING=1: a line on standard error as each phase of a proof ends (engine.md 23.3):
 *
 *     CUZK_TIMING: b_g2 wall_ms=812.500 cpu_ms=1590.250 wait_ms=20.125
 */
#ifndef CUZK_ENGINE_TIMING_LINES_H
#define CUZK_ENGINE_TIMING_LINES_H

#include "groth16/groth16.h"

/* Writes the line with one write(2), if the environment asks for it. */
void cuzk_timing_line(const char *phase, const groth16_time *time);

#endif

/* Timing lines. */
#include "engine/timing_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

bool cuzk_timing_wanted(void) {
    const char *value = getenv("CUZK_TIMING");
    return value != NULL && strcmp(value, "1") == 0;
}

static double milliseconds(uint64_t ns) { return (double)ns / (double)NS_PER_MS; }

void cuzk_timing_line(const char *phase, const groth16_time *time) {
    if (!cuzk_timing_wanted()) {
        return;
    }
    char line[160];
    const int len = snprintf(
        line, sizeof line, "CUZK_TIMING: %s wall_ms=%.3f cpu_ms=%.3f wait_ms=%.3f\n", phase,
        milliseconds(time->wall_ns), milliseconds(time->cpu_ns), milliseconds(time->wait_ns));
    if (len > 0 && (size_t)len < sizeof line) {
        /* A lost line is no reason to lose a proof. */
        const ssize_t ignored = write(STDERR_FILENO, line, (size_t)len);
        (void)ignored;
    }
}

void cuzk_timing_phases(timing_phase phases[TIMING_PROOF_PHASES], const groth16_timing *timing) {
    const timing_phase all[TIMING_PROOF_PHASES] = {{"ntt", timing->quotient},
                                                   {"l", timing->sections[GROTH16_L]},
                                                   {"a", timing->sections[GROTH16_A]},
                                                   {"b_g1", timing->sections[GROTH16_B_G1]},
                                                   {"b_g2", timing->sections[GROTH16_B_G2]},
                                                   {"h", timing->sections[GROTH16_H]},
                                                   {"assemble", timing->assemble}};
    memcpy(phases, all, sizeof all);
}

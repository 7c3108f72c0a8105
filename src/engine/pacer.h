/* How fast partitions go into synthesis, so that about `target` of them wait for a prover and no
 * more: memory is not filled with finished syntheses (engine.md 13). Under the owner's lock. Times
 * are nanoseconds of the owner's clock. */
#ifndef CUZK_ENGINE_PACER_H
#define CUZK_ENGINE_PACER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum pacer_phase {
    PACER_BOOTSTRAP, /* the first `target` partitions, at fixed distances */
    PACER_CALIBRATE, /* until one of them is proved */
    PACER_STEADY     /* one an interval, which follows how long proving takes */
} pacer_phase;

/* Zeroed: off, nothing is held back. */
typedef struct pacer {
    unsigned target, n_provers;
    pacer_phase phase;
    unsigned n_bootstrap; /* released in this bootstrap */
    uint64_t n_released;
    uint64_t next_ns, updated_ns;
    double waiting_mean; /* exponential, weight 0.15 */
    double integral;     /* of (target - waiting_mean) / target over seconds, -20 to 100 */
    double prove_s;      /* a partition's, exponential mean, weight 0.2; 0: not known yet */
} pacer;

/* target 0: off. n_provers >= 1 work at once. */
void cuzk_pacer_init(pacer *p, unsigned target, unsigned n_provers);
/* Another target from now on; what is known of proving stays. */
void cuzk_pacer_set_target(pacer *p, uint64_t now_ns, unsigned target);

/* When the next partition may go; CLOCK_NEVER: not before one is proved. n_on_their_way: partitions
 * from the beginning of their synthesis to the end of their proof, however it ended. */
uint64_t cuzk_pacer_due_ns(pacer *p, uint64_t now_ns, unsigned n_on_their_way);
/* One has gone. n_waiting: synthesised, not with a prover. */
void cuzk_pacer_released(pacer *p, uint64_t now_ns, unsigned n_waiting);
/* One was proved, or tried in vain, for busy_ns. */
void cuzk_pacer_proved(pacer *p, uint64_t now_ns, unsigned n_waiting, uint64_t busy_ns);

#endif

/* The pacer: a PI controller of the interval between partitions. */
#include "engine/pacer.h"

#include "base/clock.h"
#include "base/log.h"

#define FIRST_GAP_S 3.0 /* in a bootstrap, before it is known how long proving takes */
#define LEAST_GAP_S 2.0 /* and after */
#define LEAST_INTERVAL_S 0.05
#define MOST_INTERVAL_S 60.0
#define REPORT_EVERY 5

static double clamped(double x, double least, double most) {
    return x < least ? least : x > most ? most : x;
}

static double prover_gap_s(const pacer *p) { return p->prove_s / p->n_provers; }

/* How far below the target the queue is, as a share of it. */
static double shortfall(const pacer *p) { return (p->target - p->waiting_mean) / p->target; }

static double interval_s(const pacer *p) {
    const double rate = clamped(1 + 0.5 * shortfall(p) + 0.001 * p->integral, 0.3, 3);
    return clamped(prover_gap_s(p) / rate, LEAST_INTERVAL_S, MOST_INTERVAL_S);
}

static double bootstrap_gap_s(const pacer *p) {
    if (p->prove_s == 0) {
        return FIRST_GAP_S;
    }
    return prover_gap_s(p) > LEAST_GAP_S ? prover_gap_s(p) : LEAST_GAP_S;
}

static uint64_t after(uint64_t now_ns, double seconds) {
    return clock_after(now_ns, (uint64_t)(seconds * NS_PER_S));
}

static void update(pacer *p, uint64_t now_ns, unsigned n_waiting) {
    const uint64_t since_ns = p->updated_ns == 0 ? 0 : now_ns - p->updated_ns;
    const double dt_s = (double)(since_ns > NS_PER_MS ? since_ns : NS_PER_MS) / NS_PER_S;
    p->updated_ns = now_ns;
    p->waiting_mean += 0.15 * (n_waiting - p->waiting_mean);
    p->integral = clamped(p->integral + shortfall(p) * dt_s, -20, 100);
}

static void begin(pacer *p, uint64_t now_ns) {
    p->phase = PACER_BOOTSTRAP;
    p->n_bootstrap = 0;
    p->integral = 0;
    p->next_ns = now_ns;
}

void cuzk_pacer_init(pacer *p, unsigned target, unsigned n_provers) {
    *p = (pacer){.target = target, .n_provers = n_provers};
}

void cuzk_pacer_set_target(pacer *p, uint64_t now_ns, unsigned target) {
    if (target == p->target) {
        return;
    }
    p->target = target;
    p->integral = 0;
    if (p->prove_s != 0) {
        p->phase = PACER_STEADY;
        p->next_ns = now_ns;
    } else if (p->n_bootstrap < target) {
        p->phase = PACER_BOOTSTRAP;
        p->next_ns = now_ns;
    }
}

uint64_t cuzk_pacer_due_ns(pacer *p, uint64_t now_ns, unsigned n_on_their_way) {
    if (p->target == 0) {
        return 0;
    }
    /* Nothing is left that could be proved first, or that keeps the provers busy. */
    if (n_on_their_way == 0 &&
        (p->phase == PACER_CALIBRATE || (p->phase == PACER_STEADY && p->waiting_mean < 1))) {
        begin(p, now_ns);
    }
    return p->next_ns;
}

static void report(const pacer *p, unsigned n_waiting) {
    static const char *const phases[] = {"bootstrap", "calibrate", "steady"};
    cuzk_log(CUZK_LOG_INFO, "engine",
             CUZK_LOG_FIELDS(log_number("total", p->n_released), log_number("waiting", n_waiting)),
             "pacer: status %s, mean waiting %.2f, proving %.3f s, interval %.3f s, integral %.2f",
             phases[p->phase], p->waiting_mean, p->prove_s, interval_s(p), p->integral);
}

void cuzk_pacer_released(pacer *p, uint64_t now_ns, unsigned n_waiting) {
    if (p->target == 0) {
        return;
    }
    update(p, now_ns, n_waiting);
    p->n_released++;
    if (p->phase == PACER_BOOTSTRAP && ++p->n_bootstrap < p->target) {
        p->next_ns = after(now_ns, bootstrap_gap_s(p));
    } else if (p->prove_s == 0) {
        p->phase = PACER_CALIBRATE;
        p->next_ns = CLOCK_NEVER;
    } else {
        p->phase = PACER_STEADY;
        p->next_ns = after(now_ns, interval_s(p));
    }
    if (p->n_released % REPORT_EVERY == 0) {
        report(p, n_waiting);
    }
}

void cuzk_pacer_proved(pacer *p, uint64_t now_ns, unsigned n_waiting, uint64_t busy_ns) {
    if (p->target == 0) {
        return;
    }
    const double busy_s = (double)busy_ns / NS_PER_S;
    p->prove_s = p->prove_s == 0 ? busy_s : p->prove_s + 0.2 * (busy_s - p->prove_s);
    update(p, now_ns, n_waiting);
    if (p->phase == PACER_BOOTSTRAP) {
        p->next_ns = now_ns;
    } else {
        p->phase = PACER_STEADY;
        p->next_ns = after(now_ns, interval_s(p));
    }
}

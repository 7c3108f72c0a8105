/* cuzk plan: what proofs of each kind take on this machine, and what fits. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cuzk/command.h"

#define GIB 1073741824.0

static const struct tier_name {
    cuzk_tier tier;
    const char *name;
} tiers[] = {{CUZK_TIER_STREAMED, "streamed"},
             {CUZK_TIER_MAPPED, "mapped"},
             {CUZK_TIER_RESIDENT, "resident"}};
#define N_TIERS (sizeof tiers / sizeof tiers[0])

/* ---- which circuits ---- */

/* "porep" for "porep-32g". */
static bool is_of_kind(const char *id, const char *kind) {
    const size_t len = strlen(kind);
    return strncasecmp(id, kind, len) == 0 && id[len] == '-' && strstr(id, "-test-") == NULL &&
           strncmp(id + len, "-poseidon-", 10) != 0;
}

static bool is_wanted(const char *id, const char *what) {
    static const char *const usual[] = {"porep-32g", "winning-32g", "wpost-32g", "snap-32g"};
    if (what != NULL) {
        return strcasecmp(what, "all") == 0 || is_of_kind(id, what);
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (strcmp(id, usual[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The circuits that the argument means: none, "all", a kind, or one circuit. */
static cuzk_status choose(size_t *circuits, size_t *n, const char *what, cuzk_error *err) {
    *n = 0;
    for (size_t i = 0; i < cuzk_circuit_count(); i++) {
        cuzk_circuit_info info;
        cuzk_status status = cuzk_circuit_get(&info, i, err);
        if (status != CUZK_OK) {
            return status;
        }
        if (is_wanted(info.id, what)) {
            circuits[(*n)++] = i;
        }
    }
    if (*n == 0) {
        *n = 1;
        return cuzk_circuit_find(&circuits[0], what, err);
    }
    return CUZK_OK;
}

/* ---- what is said ---- */

static bool fits_memory(const cuzk_plan *p, cuzk_tier tier) {
    return p->memory_bytes[tier] <= p->memory_limit_bytes;
}

static bool fits_disk(const cuzk_plan *p) {
    return p->params_present || p->params_bytes <= p->disk_free_bytes;
}

static void print_text(const cuzk_plan *p) {
    printf("\n%s: %u partition%s of %llu constraints; each of them:\n", p->circuit, p->n_partitions,
           p->n_partitions == 1 ? "" : "s", (unsigned long long)p->n_constraints);
    printf("  disk      %8.2f GiB parameters: %s\n", (double)p->params_bytes / GIB,
           p->params_present ? "they are there"
           : fits_disk(p)    ? "missing, there is room for them"
                             : "MISSING, AND NOT ENOUGH ROOM for them");
    for (size_t i = 0; i < N_TIERS; i++) {
        printf("  memory    %8.2f GiB with points %s: %s\n",
               (double)p->memory_bytes[tiers[i].tier] / GIB, tiers[i].name,
               fits_memory(p, tiers[i].tier) ? "fits" : "DOES NOT FIT");
    }
    printf("  time      %8.1f core-seconds, %.1f s with %u threads:", p->core_s,
           p->core_s / p->n_threads, p->n_threads);
    for (unsigned i = 0; i < p->n_phases; i++) {
        printf("%s %s %.1f", i == 0 ? "" : ",", p->phases[i].name, p->phases[i].core_s);
    }
    printf("\n");
}

static void print_json(const cuzk_plan *p, bool first) {
    printf("%s{\"circuit\":\"%s\",\"partitions\":%u,\"constraints\":%llu,\"params_bytes\":%llu,"
           "\"params_present\":%s,\"fits_disk\":%s,\"witness_bytes\":%llu,\"memory\":{",
           first ? "" : ",", p->circuit, p->n_partitions, (unsigned long long)p->n_constraints,
           (unsigned long long)p->params_bytes, p->params_present ? "true" : "false",
           fits_disk(p) ? "true" : "false", (unsigned long long)p->witness_bytes);
    for (size_t i = 0; i < N_TIERS; i++) {
        printf("%s\"%s\":{\"bytes\":%llu,\"fits\":%s}", i == 0 ? "" : ",", tiers[i].name,
               (unsigned long long)p->memory_bytes[tiers[i].tier],
               fits_memory(p, tiers[i].tier) ? "true" : "false");
    }
    printf("},\"core_s\":%.6f,\"wall_s\":%.6f,\"phases\":[", p->core_s, p->core_s / p->n_threads);
    for (unsigned i = 0; i < p->n_phases; i++) {
        printf("%s{\"name\":\"%s\",\"core_s\":%.6f}", i == 0 ? "" : ",", p->phases[i].name,
               p->phases[i].core_s);
    }
    printf("]}");
}

static void print_plans(const cuzk_plan *plans, size_t n, bool json) {
    const cuzk_plan *p = &plans[0];
    if (json) {
        printf("{\"level\":\"%s\",\"threads\":%u,\"memory_bytes\":%llu,\"disk_free_bytes\":%llu,"
               "\"plans\":[",
               cuzk_cpu_level_in_force(), p->n_threads, (unsigned long long)p->memory_limit_bytes,
               (unsigned long long)p->disk_free_bytes);
    } else {
        printf("kernels %s, threads %u, memory %.2f GiB, free disk %.2f GiB\n",
               cuzk_cpu_level_in_force(), p->n_threads, (double)p->memory_limit_bytes / GIB,
               (double)p->disk_free_bytes / GIB);
        printf(
            "times are predicted from a short measurement of the kernels; they leave out reading "
            "the disk\n");
    }
    for (size_t i = 0; i < n; i++) {
        json ? print_json(&plans[i], i == 0) : print_text(&plans[i]);
    }
    if (json) {
        printf("]}\n");
    }
}

static int plan(common_options *o, cuzk_plan *plans, const size_t *circuits, size_t n) {
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_prover *prover = open_prover(o, &code);
    if (prover == NULL) {
        return code;
    }
    if (cuzk_plan_circuits(prover, plans, circuits, n, &err) == CUZK_OK) {
        print_plans(plans, n, o->json);
    } else {
        code = report_error(&err);
    }
    close_prover(prover);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    common_options o;
    parse_common(self, &o, argc, argv);
    cuzk_error err;
    const size_t most = cuzk_circuit_count();
    size_t n, *circuits = calloc(most, sizeof *circuits);
    cuzk_plan *plans = calloc(most, sizeof *plans);
    int code = EXIT_RESOURCES;
    if (circuits == NULL || plans == NULL) {
        fprintf(stderr, "cuzk: no memory for plans\n");
    } else if (choose(circuits, &n, o.n_arguments > 0 ? o.arguments[0] : NULL, &err) != CUZK_OK) {
        code = report_error(&err);
    } else {
        code = plan(&o, plans, circuits, n);
    }
    free(circuits);
    free(plans);
    return code;
}

const command command_plan = {.name = "plan",
                              .arguments = "[KIND|CIRCUIT|all]",
                              .summary = "memory, disk and time that proofs take on this machine",
                              .max_arguments = 1,
                              .run = run};

/* cuzk circuits, cuzk r1cs: every circuit, and the constraint system of one. */
#include "cuzk/command.h"

static int run_circuits(const command *self, int argc, char **argv) {
    common_options o;
    parse_common(self, &o, argc, argv);
    cuzk_error err;
    size_t n = cuzk_circuit_count();
    if (o.json) {
        printf("[");
    } else {
        printf("%-20s %12s %6s %12s %7s  %14s  %s\n", "circuit", "constraints", "inputs", "aux",
               "domain", "params bytes", "parameter file (* = published)");
    }
    for (size_t i = 0; i < n; i++) {
        cuzk_circuit_info c;
        if (cuzk_circuit_get(&c, i, &err) != CUZK_OK) {
            return report_error(&err);
        }
        if (o.json) {
            printf("%s{\"id\":\"%s\",\"constraints\":%llu,\"inputs\":%llu,\"aux\":%llu,"
                   "\"log2_domain\":%u,\"params_bytes\":%llu,\"file\":\"%s\",\"published\":%s}",
                   i == 0 ? "" : ",", c.id, (unsigned long long)c.n_constraints,
                   (unsigned long long)c.n_inputs, (unsigned long long)c.n_aux, c.log2_domain,
                   (unsigned long long)c.params_bytes, c.file_stem, c.published ? "true" : "false");
        } else {
            printf("%-20s %12llu %6llu %12llu    2^%-2u  %14llu %s%s\n", c.id,
                   (unsigned long long)c.n_constraints, (unsigned long long)c.n_inputs,
                   (unsigned long long)c.n_aux, c.log2_domain, (unsigned long long)c.params_bytes,
                   c.published ? "*" : " ", c.file_stem[0] != '\0' ? c.file_stem : "-");
        }
    }
    if (o.json) {
        printf("]\n");
    }
    return EXIT_DONE;
}

const command command_circuits = {
    .name = "circuits", .arguments = "", .summary = "list every circuit", .run = run_circuits};

static int run_r1cs(const command *self, int argc, char **argv) {
    common_options o;
    parse_common(self, &o, argc, argv);
    cuzk_error err;
    size_t circuit;
    int code = EXIT_DONE;
    if (cuzk_circuit_find(&circuit, o.arguments[0], &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_circuit_info info;
    if (cuzk_circuit_get(&info, circuit, &err) != CUZK_OK) {
        return report_error(&err);
    }
    cuzk_prover *prover = open_prover(&o, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_r1cs_report r;
    if (cuzk_r1cs(prover, &r, circuit, &err) != CUZK_OK) {
        code = report_error(&err);
    } else {
        progress_bar_end();
        const struct {
            const char *name;
            uint64_t value;
        } rows[] = {{"constraints", r.n_constraints},
                    {"inputs", r.n_inputs},
                    {"aux", r.n_aux},
                    {"log2_domain", r.log2_domain},
                    {"a_aux_density", r.a_aux_density},
                    {"b_aux_density", r.b_aux_density},
                    {"b_input_density", r.b_input_density},
                    {"terms_a", r.n_terms_a},
                    {"terms_b", r.n_terms_b},
                    {"terms_c", r.n_terms_c}};
        printf(o.json ? "{\"circuit\":\"%s\"" : "circuit          %s\n", info.id);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            printf(o.json ? ",\"%s\":%llu" : "%-16s %llu\n", rows[i].name,
                   (unsigned long long)rows[i].value);
        }
        printf(o.json ? ",\"digest\":\"" : "digest           ");
        print_hex(stdout, r.digest, sizeof r.digest);
        printf(o.json ? "\"" : "\n");
        if (r.has_reference) {
            printf(o.json ? ",\"equals_reference\":%s"
                          : "equals the reference implementation's: %s\n",
                   r.equals_reference ? (o.json ? "true" : "yes") : (o.json ? "false" : "NO"));
            code = r.equals_reference ? EXIT_DONE : EXIT_NOT_VALID;
        }
        if (o.json) {
            printf("}\n");
        }
    }
    close_prover(prover);
    return code;
}

const command command_r1cs = {.name = "r1cs",
                              .arguments = "CIRCUIT",
                              .summary = "sizes, densities and digest of a constraint system",
                              .min_arguments = 1,
                              .max_arguments = 1,
                              .run = run_r1cs};

/* Results as text and as JSON. */
#include "support/report.h"

void print_phases(const cuzk_result *r) {
    double wall = 0;
    double cpu = 0;
    printf("phase              wall        CPU\n");
    for (unsigned i = 0; i < r->n_phases; i++) {
        printf("  %-12s %8.3f s %8.3f s\n", r->phases[i].name, r->phases[i].wall_s,
               r->phases[i].cpu_s);
        wall += r->phases[i].wall_s;
        cpu += r->phases[i].cpu_s;
    }
    printf("  %-12s %8.3f s %8.3f s\n", "total", wall, cpu);
    printf("memory     %.0f MiB peak\n", (double)r->peak_rss_bytes / (1 << 20));
    printf("kernels    %s\n", cuzk_cpu_level_in_force());
}

void print_phases_json(const cuzk_result *r) {
    printf("\"phases\":[");
    for (unsigned i = 0; i < r->n_phases; i++) {
        printf("%s{\"name\":\"%s\",\"wall_s\":%.6f,\"cpu_s\":%.6f,\"wait_s\":%.6f}",
               i == 0 ? "" : ",", r->phases[i].name, r->phases[i].wall_s, r->phases[i].cpu_s,
               r->phases[i].wait_s);
    }
    printf("],\"peak_rss_bytes\":%zu,\"level\":\"%s\"", r->peak_rss_bytes,
           cuzk_cpu_level_in_force());
}

int report_verdict(const common_options *common, cuzk_status status, const cuzk_error *err,
                   size_t proof_bytes) {
    progress_bar_end();
    if (status != CUZK_OK && status != CUZK_E_PROOF_INVALID) {
        return report_error(err);
    }
    if (common->json) {
        printf("{\"valid\":%s", status == CUZK_OK ? "true" : "false");
        if (status != CUZK_OK) {
            printf(",\"reason\":");
            print_json_string(stdout, err->text);
        }
        printf("}\n");
    } else if (status == CUZK_OK) {
        printf("valid: %zu bytes\n", proof_bytes);
    } else {
        printf("NOT VALID: %s\n", err->text);
    }
    return exit_code_of(status);
}

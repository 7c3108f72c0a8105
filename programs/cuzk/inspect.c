/* cuzk inspect: what a file holds and whether it is sound. */
#include <stdlib.h>

#include "cuzk/command.h"

static int run(const command *self, int argc, char **argv) {
    common_options o;
    parse_common(self, &o, argc, argv);
    int code = EXIT_DONE;
    cuzk_error err;
    cuzk_prover *prover = open_prover(&o, &code);
    if (prover == NULL) {
        return code;
    }
    cuzk_inspection *inspection = calloc(1, sizeof *inspection);
    if (inspection == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        code = EXIT_RESOURCES;
    } else if (cuzk_inspect(prover, inspection, o.arguments[0], &err) != CUZK_OK) {
        report_error(&err);
        code = EXIT_BAD_INPUT;
    } else {
        progress_bar_end();
        code = inspection->sound ? EXIT_DONE : EXIT_BAD_INPUT;
        if (o.json) {
            printf("{\"kind\":\"%s\",\"sound\":%s,\"text\":", inspection->kind,
                   inspection->sound ? "true" : "false");
            print_json_string(stdout, inspection->text);
            printf("}\n");
        } else {
            printf("%s", inspection->text);
        }
    }
    free(inspection);
    close_prover(prover);
    return code;
}

const command command_inspect = {.name = "inspect",
                                 .arguments = "FILE",
                                 .summary = "say what a file holds and whether it is sound",
                                 .min_arguments = 1,
                                 .max_arguments = 1,
                                 .run = run};

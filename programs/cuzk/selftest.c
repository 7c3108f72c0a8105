/* cuzk selftest: known answers of every kernel level on this CPU. */
#include "cuzk/command.h"

static void say_line(void *arg, const char *line) {
    (void)arg;
    printf("%s\n", line);
}

static int run(const command *self, int argc, char **argv) {
    common_options o;
    parse_common(self, &o, argc, argv);
    cuzk_error err;
    if (cuzk_selftest(say_line, NULL, &err) != CUZK_OK) {
        return report_error(&err);
    }
    printf("all kernels agree; level in force: %s\n", cuzk_cpu_level_in_force());
    return EXIT_DONE;
}

const command command_selftest = {.name = "selftest",
                                  .arguments = "",
                                  .summary = "known answers of every kernel level on this CPU",
                                  .run = run};

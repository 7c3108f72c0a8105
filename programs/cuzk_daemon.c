/* cuzk-daemon: proves what Curio sends. Options and exit codes; server/daemon.h does the rest. */
#include <argp.h>
#include <stdlib.h>

#include "server/daemon.h"
#include "support/common.h"

enum { OPT_LOG_LEVEL = 0x1000, OPT_CHECK, OPT_PRINT };

static const struct argp_option table[] = {
    {"config", 'c', "PATH", 0, "TOML file (" DAEMON_CONFIG_PATH "); all defaults if it is missing",
     0},
    {"listen", 'l', "ADDR", 0, "unix://PATH or IP:PORT, in place of daemon.listen", 0},
    {"log-level", OPT_LOG_LEVEL, "LEVEL", 0,
     "error, warn, info, debug or trace, in place of logging.level; RUST_LOG goes first", 0},
    {"check-config", OPT_CHECK, NULL, 0, "Read the settings, say what is wrong, and exit", 0},
    {"print-config", OPT_PRINT, NULL, 0, "Print the settings in force as a file, and exit", 0},
    {0}};

typedef struct arguments {
    daemon_options daemon;
    int action; /* OPT_CHECK, OPT_PRINT, or 0: serve */
} arguments;

static error_t parse_one(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case 'c':
        a->daemon.config_path = text;
        return 0;
    case 'l':
        a->daemon.listen = text;
        return 0;
    case OPT_LOG_LEVEL:
        a->daemon.log_level = text;
        return 0;
    case OPT_CHECK:
    case OPT_PRINT:
        a->action = key;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "too many arguments: %s", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_version(FILE *file, struct argp_state *state) {
    (void)state;
    fprintf(file, "cuzk-daemon %s\n", cuzk_version());
}

static cuzk_status print_config(const daemon_options *options, cuzk_error *err) {
    char *text;
    cuzk_status status = cuzk_daemon_config_text(&text, options, err);
    if (status == CUZK_OK) {
        fputs(text, stdout);
        free(text);
    }
    return status;
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        .options = table, .parser = parse_one, .doc = "Proves what Curio sends."};
    arguments a = {.daemon = {.config_path = DAEMON_CONFIG_PATH}};
    cuzk_error err;
    cuzk_status status;
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_program_version_hook = print_version;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (a.action == OPT_PRINT) {
        status = print_config(&a.daemon, &err);
    } else if (a.action == OPT_CHECK) {
        status = cuzk_daemon_check_config(&a.daemon, &err);
    } else {
        status = cuzk_daemon_run(&a.daemon, &err);
    }
    if (status != CUZK_OK) {
        return report_error(&err);
    }
    if (a.action == OPT_CHECK) {
        printf("%s: good\n", a.daemon.config_path);
    }
    return EXIT_DONE;
}

#include "cuzk_bench/global_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/common.h"

enum { OPT_LOG_LEVEL = 0x3000, OPT_TIMEOUT, OPT_TLS_CA, OPT_TLS_CERT, OPT_TLS_KEY };

static const struct argp_option table[] = {
    {"addr", 'a', "ADDR", 0,
     "The daemon: http://host:port, https://host:port, unix:///path or host:port "
     "(http://127.0.0.1:9820)",
     0},
    {"log-level", OPT_LOG_LEVEL, "LEVEL", 0, "trace, debug, info, warn, error or off (info)", 0},
    {"timeout", OPT_TIMEOUT, "SECONDS", 0, "Give a call up after that time (0: never)", 0},
    {"tls-ca", OPT_TLS_CA, "FILE", 0, "TLS: the certificates to trust", 0},
    {"tls-cert", OPT_TLS_CERT, "FILE", 0, "TLS: our certificate", 0},
    {"tls-key", OPT_TLS_KEY, "FILE", 0, "TLS: its key", 0},
    {0}};

static const char *parse_level(const char *text) {
    static const char *const levels[] = {"trace", "debug", "info", "warn", "error", "off"};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcasecmp(text, levels[i]) == 0) {
            return levels[i];
        }
    }
    fprintf(stderr, "cuzk: --log-level: trace, debug, info, warn, error or off, not '%.50s'\n",
            text);
    exit(EXIT_BAD_INPUT);
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    global_options *g = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        g->address = "http://127.0.0.1:9820";
        g->log_level = "info";
        break;
    case 'a':
        g->address = text;
        break;
    case OPT_LOG_LEVEL:
        g->log_level = parse_level(text);
        break;
    case OPT_TIMEOUT:
        g->timeout_ms = 1000 * option_number("--timeout", text, UINT32_MAX);
        break;
    case OPT_TLS_CA:
        g->tls_ca = text;
        break;
    case OPT_TLS_CERT:
        g->tls_certificate = text;
        break;
    case OPT_TLS_KEY:
        g->tls_key = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp global_argp = {.options = table, .parser = parse_one};

/* How many words of argv the option at `word` takes; 0 if it is none of the table. */
static int words_of(const char *word) {
    if (word[0] != '-') {
        return 0;
    }
    for (const struct argp_option *o = table; o->name != NULL; o++) {
        const size_t len = strlen(o->name);
        if (word[1] == '-' && strncmp(word + 2, o->name, len) == 0 &&
            (word[2 + len] == '\0' || word[2 + len] == '=')) {
            return word[2 + len] == '=' ? 1 : 2;
        }
        if (o->key < 256 && word[1] == o->key) {
            return word[2] != '\0' ? 1 : 2;
        }
    }
    return 0;
}

void subcommand_first(int argc, char **argv) {
    int n = 1;
    while (n < argc && words_of(argv[n]) > 0) {
        n += words_of(argv[n]);
    }
    if (n > 1 && n < argc && argv[n][0] != '-') {
        char *subcommand = argv[n];
        memmove(&argv[2], &argv[1], (size_t)(n - 1) * sizeof *argv);
        argv[1] = subcommand;
    }
}

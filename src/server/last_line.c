/* The handler may use nothing but what is async-signal-safe: it puts the line together by hand and
 * writes it once. Another fault meanwhile ends the process without it. */
#include "server/last_line.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A handler gets no argument of its own: part of the log, like its settings. */
static _Atomic(const engine *) shown_engine;
static atomic_bool as_json;

static const struct fatal_signal {
    int number;
    const char *name;
} fatal_signals[] = {{SIGSEGV, "SIGSEGV"},
                     {SIGBUS, "SIGBUS"},
                     {SIGILL, "SIGILL"},
                     {SIGFPE, "SIGFPE"},
                     {SIGABRT, "SIGABRT"}};
#define N_SIGNALS (sizeof fatal_signals / sizeof *fatal_signals)

static size_t add(char *line, size_t len, const char *text) {
    const size_t n = strlen(text);
    memcpy(line + len, text, n);
    return len + n;
}

static const char *name_of(int number) {
    for (size_t i = 0; i < N_SIGNALS; i++) {
        if (fatal_signals[i].number == number) {
            return fatal_signals[i].name;
        }
    }
    return "a signal";
}

static void on_fatal(int number) {
    char line[ENGINE_RUNNING_CHARS + 256], running[ENGINE_RUNNING_CHARS];
    const engine *e = atomic_load(&shown_engine);
    const bool json = atomic_load(&as_json);
    size_t len = 0;
    running[0] = 0;
    if (e != NULL) {
        cuzk_core_running(e, running);
    }
    len = add(line, len,
              json ? "{\"level\":\"ERROR\",\"module\":\"daemon\",\"message\":\"fatal signal\","
                     "\"signal\":\""
                   : "ERROR daemon: fatal signal signal=");
    len = add(line, len, name_of(number));
    len = add(line, len, json ? "\",\"running_jobs\":\"" : " running_jobs=\"");
    len = add(line, len, running);
    len = add(line, len, json ? "\"}\n" : "\"\n");
    (void)!write(STDERR_FILENO, line, len); /* nowhere to report it */
    signal(number, SIG_DFL);
    raise(number); /* held back until the handler returns */
}

void cuzk_last_line_of(const engine *e, bool json) {
    struct sigaction action = {.sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    atomic_store(&as_json, json);
    atomic_store(&shown_engine, e);
    for (size_t i = 0; i < N_SIGNALS; i++) {
        sigaction(fatal_signals[i].number, &action, NULL);
    }
}

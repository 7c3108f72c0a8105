/* What the programs share. */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cuzk_unstable.h>

int exit_code_of(cuzk_status status) {
    switch (status) {
    case CUZK_OK:
        return EXIT_DONE;
    case CUZK_E_INPUT:
    case CUZK_E_INCONSISTENT:
    case CUZK_E_RANGE:
    case CUZK_E_ARGUMENT:
        return EXIT_BAD_INPUT;
    case CUZK_E_NO_PARAMS:
    case CUZK_E_BAD_PARAMS:
    case CUZK_E_NO_MEMORY:
    case CUZK_E_UNSUPPORTED:
    case CUZK_E_IO:
        return EXIT_RESOURCES;
    case CUZK_E_PROOF_INVALID:
    case CUZK_E_CANCELLED:
    case CUZK_E_INTERNAL:
        return EXIT_NOT_VALID;
    }
    return EXIT_NOT_VALID;
}

int report_error(const cuzk_error *err) {
    progress_bar_end();
    fprintf(stderr, "cuzk: %s\n", err->text[0] != '\0' ? err->text : cuzk_status_text(err->status));
    return exit_code_of(err->status);
}

static cuzk_status fail_file(cuzk_error *err, cuzk_status status, const char *path,
                             const char *what) {
    memset(err, 0, sizeof *err);
    err->status = status;
    err->partition = err->challenge = err->sector = err->offset = CUZK_NOWHERE;
    snprintf(err->file, sizeof err->file, "%.255s", path);
    snprintf(err->text, sizeof err->text, "%.400s: %s", path, what);
    return status;
}

cuzk_status read_input_file(cuzk_input *input, const char *path, cuzk_error *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail_file(err, CUZK_E_INPUT, path, strerror(errno));
    }
    struct stat info;
    if (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) {
        if (!is_stdin) {
            close(fd);
        }
        return fail_file(err, CUZK_E_INPUT, path, "is a directory");
    }
    size_t room = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size + 1 : 1 << 16;
    const size_t most = (size_t)1 << 32;
    uint8_t *data = NULL;
    size_t len = 0;
    const char *fault = NULL;
    for (;;) {
        if (data == NULL || len == room) {
            if (data != NULL) {
                room *= 2;
            }
            uint8_t *more = room > most ? NULL : realloc(data, room);
            if (more == NULL) {
                fault = "too large to read";
                break;
            }
            data = more;
        }
        ssize_t n = read(fd, data + len, room - len);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            fault = strerror(errno);
            break;
        }
        if (n == 0) {
            break;
        }
        len += (size_t)n;
    }
    if (!is_stdin) {
        close(fd);
    }
    if (fault != NULL) {
        free(data);
        return fail_file(err, CUZK_E_INPUT, path, fault);
    }
    *input = (cuzk_input){.data = data, .len_bytes = len, .name = path};
    return CUZK_OK;
}

_Noreturn static void option_fault(const char *option, const char *text, const char *want) {
    fprintf(stderr, "cuzk: %s: '%.200s' is not %s\n", option, text, want);
    exit(EXIT_BAD_INPUT);
}

uint64_t option_number(const char *option, const char *text, uint64_t max) {
    uint64_t value = 0;
    bool good = *text != '\0';
    for (const char *p = text; *p != '\0' && good; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        good = *p >= '0' && *p <= '9' && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (!good || value > max) {
        char want[64];
        snprintf(want, sizeof want, "a number from 0 to %llu", (unsigned long long)max);
        option_fault(option, text, want);
    }
    return value;
}

void option_hex(const char *option, const char *text, uint8_t *out, size_t len_bytes) {
    if (!cuzk_hex_parse(out, len_bytes, text)) {
        char want[64];
        snprintf(want, sizeof want, "%zu bytes in hex", len_bytes);
        option_fault(option, text, want);
    }
}

cuzk_proof_kind option_proof_kind(const char *text) {
    static const struct {
        const char *name;
        cuzk_proof_kind kind;
    } names[] = {
        {"porep", CUZK_POREP},
        {"porep-c2", CUZK_POREP},
        {"seal-commit", CUZK_POREP},
        {"snap", CUZK_SNAP},
        {"snap-deals", CUZK_SNAP},
        {"update", CUZK_SNAP},
        {"wpost", CUZK_WINDOW_POST},
        {"window", CUZK_WINDOW_POST},
        {"window-post", CUZK_WINDOW_POST},
        {"windowpost", CUZK_WINDOW_POST},
        {"winning", CUZK_WINNING_POST},
        {"winning-post", CUZK_WINNING_POST},
        {"winningpost", CUZK_WINNING_POST},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(names[i].name, text) == 0) {
            return names[i].kind;
        }
    }
    fprintf(stderr, "cuzk: unknown proof type: %.100s. Use: porep, snap, wpost, winning\n", text);
    exit(EXIT_BAD_INPUT);
}

const char *proof_kind_name(cuzk_proof_kind kind) {
    static const char *const names[] = {"none", "porep", "snap", "wpost", "winning"};
    return names[kind];
}

void print_hex(FILE *file, const uint8_t *data, size_t len_bytes) {
    for (size_t i = 0; i < len_bytes; i++) {
        fprintf(file, "%02x", data[i]);
    }
}

void print_json_string(FILE *file, const char *text) {
    size_t room = cuzk_json_string(NULL, 0, text);
    char *quoted = malloc(room);
    if (quoted == NULL) {
        fprintf(stderr, "cuzk: no memory\n");
        exit(EXIT_RESOURCES);
    }
    cuzk_json_string(quoted, room, text);
    fputs(quoted, file);
    free(quoted);
}

static bool bar_drawn;

void progress_bar(void *arg, const char *phase, uint64_t done, uint64_t total) {
    (void)arg;
    static char last_phase[64];
    static int last_percent = -1;
    if (total == 0 || !isatty(STDERR_FILENO)) {
        return;
    }
    int percent = (int)(100 * (done < total ? done : total) / total);
    if (percent == last_percent && strncmp(last_phase, phase, sizeof last_phase - 1) == 0) {
        return;
    }
    last_percent = percent;
    snprintf(last_phase, sizeof last_phase, "%s", phase);
    char bar[51];
    for (int i = 0; i < 50; i++) {
        bar[i] = 2 * i < percent ? '#' : '.';
    }
    bar[50] = '\0';
    fprintf(stderr, "\r%-24.24s [%s] %3d %%", phase, bar, percent);
    fflush(stderr);
    bar_drawn = true;
}

void progress_bar_end(void) {
    if (bar_drawn) {
        fprintf(stderr, "\r%*s\r", 90, "");
        bar_drawn = false;
    }
}

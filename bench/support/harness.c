#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"

#define MIN_REPEATS 3

static _Noreturn void fail(const char *what, const char *value) {
    fprintf(stderr, "%s %s\n", what, value);
    exit(2);
}

static void check(cuzk_status status, const cuzk_error *err) {
    if (status != CUZK_OK) {
        fail(cuzk_status_name(status), err->text);
    }
}

static double number(const char *option, const char *value, double min, double max) {
    char *end;
    double v = strtod(value, &end);
    if (*value == '\0' || *end != '\0' || !(v >= min && v <= max)) {
        fail(option, value);
    }
    return v;
}

static void set_option(bench *b, const char *option, const char *value) {
    if (strcmp(option, "--version") == 0) {
        b->version = value;
    } else if (strcmp(option, "--ops") == 0) {
        b->ops = value;
    } else if (strcmp(option, "--threads") == 0) {
        b->threads = (unsigned)number(option, value, 1, 1024);
    } else if (strcmp(option, "--min-log") == 0) {
        b->min_log2 = (unsigned)number(option, value, 0, 32);
    } else if (strcmp(option, "--max-log") == 0) {
        b->max_log2 = (unsigned)number(option, value, 0, 32);
    } else if (strcmp(option, "--seconds") == 0) {
        b->seconds = number(option, value, 0, 1e6);
    } else {
        fail("unknown option", option);
    }
}

void bench_init(bench *b, int argc, char **argv) {
    *b =
        (bench){.version = "unknown", .threads = 1, .min_log2 = 10, .max_log2 = 18, .seconds = 1.0};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) {
            fail("no value for", argv[i]);
        }
        set_option(b, argv[i], argv[i + 1]);
    }
    cuzk_error err;
    check(cuzk_cpu_check(&err), &err);
    if (b->threads > 1) {
        check(cuzk_pool_create(&b->ctx.pool, b->threads, &err), &err);
    }
}

void bench_clear(bench *b) { cuzk_pool_destroy(b->ctx.pool); }

bool bench_wants(const bench *b, const char *op) {
    if (b->ops == NULL) {
        return true;
    }
    size_t len = strlen(op);
    for (const char *p = b->ops; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, op, len) == 0 && (p[len] == ',' || p[len] == '\0')) {
            return true;
        }
    }
    return false;
}

void bench_run(const bench *b, const char *op, uint64_t size, double n_inner, bench_fn fn,
               void *arg) {
    if (!bench_wants(b, op)) {
        return;
    }
    fn(arg);
    uint64_t wall_min = UINT64_MAX, cpu_min = UINT64_MAX, start = cuzk_wall_ns();
    unsigned repeats = 0;
    do {
        uint64_t wall = cuzk_wall_ns(), cpu = cuzk_process_cpu_ns();
        fn(arg);
        cpu = cuzk_process_cpu_ns() - cpu;
        wall = cuzk_wall_ns() - wall;
        wall_min = wall < wall_min ? wall : wall_min;
        cpu_min = cpu < cpu_min ? cpu : cpu_min;
        repeats++;
    } while (repeats < MIN_REPEATS || (double)(cuzk_wall_ns() - start) < 1e9 * b->seconds);
    printf("{\"peer\":\"cuzk\",\"version\":\"%s\",\"op\":\"%s\",\"size\":%llu,\"threads\":%u,"
           "\"level\":\"%s\",\"wall_s_min\":%.4e,\"cpu_s_min\":%.4e,\"repeats\":%u}\n",
           b->version, op, (unsigned long long)size, b->threads,
           cuzk_cpu_level_name(cuzk_cpu_level_now()), 1e-9 * (double)wall_min / n_inner,
           1e-9 * (double)cpu_min / n_inner, repeats);
    fflush(stdout);
}

void bench_scalars(uint64_t *words, size_t n, uint64_t *state) {
    for (size_t i = 0; i < 4 * n; i++) {
        uint64_t v = bench_rng(state);
        words[i] = i % 4 == 3 ? v >> 2 : v;
    }
}

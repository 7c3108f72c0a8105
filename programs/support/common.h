/* What the programs share: exit codes, reports, options that mean the same everywhere, input
 * files. */
#ifndef CUZK_PROGRAMS_COMMON_H
#define CUZK_PROGRAMS_COMMON_H

#include <stdio.h>

#include <cuzk.h>

/* Exit codes of all programs. */
enum {
    EXIT_DONE = 0,      /* done, or the proof is valid */
    EXIT_NOT_VALID = 1, /* the proof is invalid, or proving failed */
    EXIT_BAD_INPUT = 2, /* unusable input or options */
    EXIT_RESOURCES = 3  /* missing parameters, memory, disk, CPU features */
};

int exit_code_of(cuzk_status status);
/* "cuzk: TEXT" on standard error; returns the exit code. */
int report_error(const cuzk_error *err);

/* A whole file in memory; free data. Fails: CUZK_E_INPUT naming file and reason. "-" is standard
 * input. */
cuzk_status read_input_file(cuzk_input *input, const char *path, cuzk_error *err);

/* Options: exit with EXIT_BAD_INPUT and a message when the text does not fit. */
uint64_t option_number(const char *option, const char *text, uint64_t max);
void option_hex(const char *option, const char *text, uint8_t *out, size_t len_bytes);
/* porep, snap, wpost, winning and their other names, any case. */
cuzk_proof_kind option_proof_kind(const char *text);
const char *proof_kind_name(cuzk_proof_kind kind);

void print_hex(FILE *file, const uint8_t *data, size_t len_bytes);
/* text as a JSON string with its quotes */
void print_json_string(FILE *file, const char *text);

/* A progress bar on standard error if that is a terminal, else nothing: for cuzk_options. */
void progress_bar(void *arg, const char *phase, uint64_t done, uint64_t total);
void progress_bar_end(void);

#endif

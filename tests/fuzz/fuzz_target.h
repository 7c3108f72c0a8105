/* A fuzz target is a file fuzz_NAME.c that defines the function below, with seeds in corpus/NAME.
 * The fuzz preset makes a libFuzzer program of it; the ordinary build makes the test fuzz.NAME,
 * which replays the seeds (replay.c). */
#ifndef CUZK_TESTS_FUZZ_TARGET_H
#define CUZK_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Must return 0, whatever the data, and leak nothing. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes);

#endif

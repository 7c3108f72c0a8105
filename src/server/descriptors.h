/* The wire contract as data, for the reflection service: scripts/gen_descriptors.py makes these
 * tables from proto/. */
#ifndef CUZK_SERVER_DESCRIPTORS_H
#define CUZK_SERVER_DESCRIPTORS_H

#include <stddef.h>
#include <stdint.h>

/* A FileDescriptorProto, encoded. */
typedef struct descriptor_file {
    const char *name; /* "cuzk/v1/proving.proto" */
    const uint8_t *data;
    size_t len_bytes;
} descriptor_file;
extern const descriptor_file cuzk_descriptor_files[];
extern const size_t cuzk_descriptor_n_files;

/* Services, methods, messages, fields, enums and their values, by full name, ascending. */
typedef struct descriptor_symbol {
    const char *name; /* "cuzk.v1.ProvingEngine.Prove" */
    size_t file;      /* that declares it */
} descriptor_symbol;
extern const descriptor_symbol cuzk_descriptor_symbols[];
extern const size_t cuzk_descriptor_n_symbols;

/* Full names of the services, ascending. */
extern const char *const cuzk_descriptor_services[];
extern const size_t cuzk_descriptor_n_services;

#endif

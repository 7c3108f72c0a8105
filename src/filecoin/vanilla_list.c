/* Reads lists of vanilla proofs: all bytes into one buffer, then a name for each proof. */
#include "filecoin/vanilla_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/base64.h"
#include "codec/json.h"

#define INDEX_CHARS 24

/* A vanilla proof that begins with '[' has bytes that no text has: ids, counts, digests. */
bool cuzk_vanilla_list_is_json(const uint8_t *data, size_t len_bytes) {
    return cuzk_json_looks_like(data, len_bytes, '[');
}

/* An array being read. */
typedef struct list_reader {
    uint8_t *bytes; /* of all proofs so far */
    size_t n_bytes;
    size_t *lens; /* of each proof */
    size_t n, room;
    bool inside;
} list_reader;

static cuzk_status add_proof(list_reader *r, const char *text, size_t len, cuzk_error *err) {
    if (r->n == r->room) {
        const size_t room = r->room == 0 ? 64 : 2 * r->room;
        size_t *lens = realloc(r->lens, room * sizeof *lens);
        if (lens == NULL) {
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for vanilla proofs");
        }
        r->lens = lens;
        r->room = room;
    }
    cuzk_status status = cuzk_base64_decode(r->bytes + r->n_bytes, &r->lens[r->n], text, len, err);
    if (status == CUZK_OK && r->lens[r->n] == 0) {
        status = cuzk_fail(err, CUZK_E_INPUT, "empty");
    }
    if (status != CUZK_OK) {
        if (err != NULL) {
            cuzk_error_prefix(err, "vanilla proof %zu: ", r->n);
        }
        return status;
    }
    r->n_bytes += r->lens[r->n++];
    return CUZK_OK;
}

static cuzk_status on_event(void *arg, json_event event, const char *text, size_t len,
                            size_t offset, cuzk_error *err) {
    list_reader *r = arg;
    if (!r->inside && event == JSON_BEGIN_ARRAY) {
        r->inside = true;
        return CUZK_OK;
    }
    if (r->inside && event == JSON_END_ARRAY) {
        return CUZK_OK;
    }
    if (r->inside && event == JSON_STRING) {
        return add_proof(r, text, len, err);
    }
    cuzk_fail(err, CUZK_E_INPUT, "offset %zu: vanilla proofs are an array of base64 strings",
              offset);
    if (err != NULL) {
        err->offset = (int64_t)offset;
    }
    return CUZK_E_INPUT;
}

/* Hands the proofs over, each with a name. */
static cuzk_status give_list(cuzk_vanilla_list *list, list_reader *r, const char *name,
                             cuzk_error *err) {
    const size_t name_bytes = strlen(name) + INDEX_CHARS;
    cuzk_input *proofs = calloc(r->n + 1, sizeof *proofs);
    char *names = calloc(r->n + 1, name_bytes);
    if (proofs == NULL || names == NULL) {
        free(proofs);
        free(names);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for vanilla proofs");
    }
    const uint8_t *at = r->bytes;
    for (size_t i = 0; i < r->n; i++) {
        char *own_name = names + i * name_bytes;
        snprintf(own_name, name_bytes, "%s[%zu]", name, i);
        proofs[i] = (cuzk_input){.data = at, .len_bytes = r->lens[i], .name = own_name};
        at += r->lens[i];
    }
    *list =
        (cuzk_vanilla_list){.proofs = proofs, .n_proofs = r->n, .bytes = r->bytes, .names = names};
    return CUZK_OK;
}

static cuzk_status read_json(cuzk_vanilla_list *list, const cuzk_input *file, const char *name,
                             cuzk_error *err) {
    /* decoding needs no more than three quarters of the text */
    list_reader r = {.bytes = malloc(file->len_bytes + 1)};
    cuzk_status status = r.bytes != NULL
                             ? cuzk_json_read(file->data, file->len_bytes, 1, on_event, &r, err)
                             : cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for vanilla proofs");
    if (status == CUZK_OK) {
        status = give_list(list, &r, name, err);
    }
    free(r.lens);
    if (status != CUZK_OK) {
        free(r.bytes);
        if (err != NULL) {
            cuzk_error_at_file(err, name, CUZK_NOWHERE);
        }
    }
    return status;
}

cuzk_status cuzk_vanilla_list_read(cuzk_vanilla_list *list, const cuzk_input *file,
                                   cuzk_error *err) {
    const char *name = file->name != NULL ? file->name : "vanilla proofs";
    *list = (cuzk_vanilla_list){0};
    if (cuzk_vanilla_list_is_json(file->data, file->len_bytes)) {
        return read_json(list, file, name, err);
    }
    list->proofs = malloc(sizeof *list->proofs);
    if (list->proofs == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for vanilla proofs");
    }
    list->proofs[0] = (cuzk_input){.data = file->data, .len_bytes = file->len_bytes, .name = name};
    list->n_proofs = 1;
    return CUZK_OK;
}

void cuzk_vanilla_list_clear(cuzk_vanilla_list *list) {
    free(list->proofs);
    free(list->bytes);
    free(list->names);
    *list = (cuzk_vanilla_list){0};
}

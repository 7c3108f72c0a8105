/* Manifests to requests. */
#include "support/request_vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/manifest.h"
#include "support/support.h"

/* Without the "invalid/" of damaged ones. */
static const char *name_of(const char *folder) {
    const char *slash = strrchr(folder, '/');
    return slash != NULL ? slash + 1 : folder;
}

static void put_path(char path[256], const char *folder) {
    snprintf(path, 256, strchr(folder, '/') != NULL ? "%s" : "inputs/%s", folder);
}

static cuzk_proof_kind kind_of(const char *name) {
    return strncmp(name, "porep", 5) == 0     ? CUZK_POREP
           : strncmp(name, "update", 6) == 0  ? CUZK_SNAP
           : strncmp(name, "winning", 7) == 0 ? CUZK_WINNING_POST
                                              : CUZK_WINDOW_POST;
}

static void read_input(cuzk_input *input, const char *folder, const char *file) {
    char path[256], full[512];
    put_path(path, folder);
    snprintf(full, sizeof full, "%s/%s", path, file);
    input->data = test_read_vector(full, &input->len_bytes);
}

static void read_commitments(request_vector *v, const test_manifest *m) {
    test_manifest_hex(m, "comm_r_old", v->comm_r_old, 32);
    test_manifest_hex(m, "comm_r_new", v->comm_r_new, 32);
    test_manifest_hex(m, "comm_d_new", v->comm_d_new, 32);
    v->request.comm_r_old = v->comm_r_old;
    v->request.comm_r_new = v->comm_r_new;
    v->request.comm_d_new = v->comm_d_new;
}

void request_vector_open(request_vector *v, const char *folder) {
    char path[256];
    memset(v, 0, sizeof *v);
    put_path(path, folder);
    test_manifest *m = test_manifest_open(path);
    cuzk_request *r = &v->request;
    r->kind = kind_of(name_of(folder));
    r->registered_proof = test_manifest_u64(m, "registered_proof");
    r->miner_id = test_manifest_u64(m, "miner_id");
    r->inputs = v->inputs;
    r->n_inputs = r->kind == CUZK_POREP ? 1 : test_manifest_files(m);
    assert_true(r->n_inputs <= 16);
    for (size_t i = 0; i < r->n_inputs; i++) {
        read_input(&v->inputs[i], folder,
                   r->kind == CUZK_POREP ? "c1.json" : test_manifest_file(m, i));
    }
    if (r->kind == CUZK_SNAP) {
        read_commitments(v, m);
    } else if (r->kind != CUZK_POREP) {
        test_manifest_hex(m, "randomness", v->randomness, 32);
        r->randomness = v->randomness;
    }
    test_manifest_close(m);
}

void request_vector_close(request_vector *v) {
    for (size_t i = 0; i < v->request.n_inputs; i++) {
        free((void *)v->inputs[i].data);
    }
    memset(v, 0, sizeof *v);
}

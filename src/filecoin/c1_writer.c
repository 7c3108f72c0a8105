/* C1 documents, streamed: JSON text into one buffer, its base64 into the next, that into the sink.
 */
#include "filecoin/c1_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/base64.h"
#include "filecoin/graph.h"

#define PIECE_BYTES ((size_t)3 << 14) /* a multiple of 3, so that its base64 has no padding */

struct c1_writer {
    const porep_proof *document;
    c1_sink sink;
    void *arg;
    cuzk_error error; /* the sink's first failure */
    size_t n_put;     /* challenges */
    size_t n_pending; /* bytes in piece */
    uint8_t piece[PIECE_BYTES];
    char text[PIECE_BYTES / 3 * 4 + 1];
    char numbers[256][5]; /* decimal, with a comma in front */
};

/* ---- bytes ---- */

static void put_outer(c1_writer *w, const char *text, size_t len_bytes) {
    if (w->error.status == CUZK_OK) {
        w->error.status = w->sink(w->arg, text, len_bytes, &w->error);
    }
}

static void flush(c1_writer *w) {
    cuzk_base64_encode(w->text, w->piece, w->n_pending);
    put_outer(w, w->text, base64_length(w->n_pending));
    w->n_pending = 0;
}

/* Text of the inner document. */
static void put(c1_writer *w, const char *text) {
    for (size_t len = strlen(text); len > 0;) {
        size_t room = PIECE_BYTES - w->n_pending;
        size_t n = len < room ? len : room;
        memcpy(w->piece + w->n_pending, text, n);
        w->n_pending += n;
        text += n;
        len -= n;
        if (w->n_pending == PIECE_BYTES) {
            flush(w);
        }
    }
}

static void put_number(c1_writer *w, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put(w, text);
}

static void put_digest(c1_writer *w, const digest *d) {
    char text[4 * DIGEST_BYTES + 3];
    char *at = text;
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        at = stpcpy(at, w->numbers[d->bytes[i]]);
    }
    strcpy(at, "]");
    text[0] = '['; /* over the first comma */
    put(w, text);
}

/* "key": digest, with what else text says */
static void put_member(c1_writer *w, const char *text, const digest *d) {
    put(w, text);
    put_digest(w, d);
}

/* ---- parts of a challenge ---- */

/* Levels first .. end - 1 of a path. */
static void put_path(c1_writer *w, const merkle_proof *path, const tree_shape *shape,
                     const digest **siblings, unsigned first, unsigned end) {
    put(w, "{\"path\":[");
    for (unsigned level = first; level < end; level++) {
        put(w, level == first ? "{\"hashes\":" : ",{\"hashes\":");
        unsigned n = tree_shape_arity(shape, level) - 1;
        for (unsigned i = 0; i < n; i++) {
            put_member(w, i == 0 ? "[" : ",", (*siblings)++);
        }
        put(w, "],\"index\":");
        put_number(w, path->position[level]);
        put(w, "}");
    }
    put(w, "]}");
}

static void put_merkle(c1_writer *w, const merkle_proof *path, const tree_shape *shape) {
    const digest *siblings = path->siblings;
    unsigned base = shape->n_base_levels;
    if (shape->sub == 0) {
        put_member(w, "{\"data\":{\"Single\":{\"root\":", &path->root);
        put_member(w, ",\"leaf\":", &path->leaf);
        put(w, ",\"path\":");
        put_path(w, path, shape, &siblings, 0, base);
        put(w, "}}}");
        return;
    }
    put(w, shape->top == 0 ? "{\"data\":{\"Sub\":{\"base_proof\":"
                           : "{\"data\":{\"Top\":{\"base_proof\":");
    put_path(w, path, shape, &siblings, 0, base);
    put(w, ",\"sub_proof\":");
    put_path(w, path, shape, &siblings, base, base + 1);
    if (shape->top != 0) {
        put(w, ",\"top_proof\":");
        put_path(w, path, shape, &siblings, base + 1, base + 2);
    }
    put_member(w, ",\"root\":", &path->root);
    put_member(w, ",\"leaf\":", &path->leaf);
    put(w, "}}}");
}

static void put_column(c1_writer *w, const porep_column *column) {
    const sector_size *size = w->document->type->size;
    put(w, "{\"column\":{\"index\":");
    put_number(w, column->index);
    put(w, ",\"rows\":");
    for (unsigned layer = 0; layer < size->n_layers; layer++) {
        put_member(w, layer == 0 ? "[" : ",", &column->rows[layer]);
    }
    put(w, "],\"_h\":null},\"inclusion_proof\":");
    put_merkle(w, &column->inclusion, &size->shape);
    put(w, "}");
}

static void put_columns(c1_writer *w, const porep_column *columns, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        put(w, i == 0 ? "[" : ",");
        put_column(w, &columns[i]);
    }
    put(w, "]");
}

/* What the label of a layer, counted from 1, was hashed from. */
static void put_label(c1_writer *w, const porep_challenge_proof *c, unsigned layer) {
    const digest *parents[POREP_PARENTS];
    unsigned n = layer == 1 ? POREP_DRG_PARENTS : POREP_PARENTS;
    for (unsigned i = 0; i < n; i++) {
        unsigned of_layer = i < POREP_DRG_PARENTS ? layer : layer - 1;
        parents[i] = &c->parents[i].rows[of_layer - 1];
    }
    put(w, "{\"parents\":");
    for (unsigned i = 0; i < LABEL_PARENTS; i++) {
        put_member(w, i == 0 ? "[" : ",", parents[i % n]);
    }
    put(w, "],\"layer_index\":");
    put_number(w, layer);
    put(w, ",\"node\":");
    put_number(w, c->node);
    put(w, "}");
}

static void put_challenge(c1_writer *w, const porep_challenge_proof *c) {
    const sector_size *size = w->document->type->size;
    const tree_shape tree_d = tree_shape_binary(size->log2_nodes);
    put(w, "{\"comm_d_proofs\":");
    put_merkle(w, &c->comm_d, &tree_d);
    put(w, ",\"comm_r_last_proof\":");
    put_merkle(w, &c->comm_r_last, &size->shape);
    put(w, ",\"replica_column_proofs\":{\"c_x\":");
    put_column(w, &c->c_x);
    put(w, ",\"drg_parents\":");
    put_columns(w, c->parents, POREP_DRG_PARENTS);
    put(w, ",\"exp_parents\":");
    put_columns(w, c->parents + POREP_DRG_PARENTS, POREP_EXP_PARENTS);
    put(w, "},\"labeling_proofs\":");
    for (unsigned layer = 1; layer <= size->n_layers; layer++) {
        put(w, layer == 1 ? "[" : ",");
        put_label(w, c, layer);
    }
    put(w, "],\"encoding_proof\":");
    put_label(w, c, size->n_layers);
    put(w, "}");
}

/* ---- the document ---- */

cuzk_status cuzk_c1_writer_create(c1_writer **writer, const porep_proof *document, c1_sink sink,
                                  void *arg, cuzk_error *err) {
    CUZK_ASSERT(document->n_partitions > 0 && document->n_challenges > 0);
    c1_writer *w = malloc(sizeof *w);
    *writer = w;
    if (w == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to write a C1 document");
    }
    w->document = document;
    w->sink = sink;
    w->arg = arg;
    cuzk_error_clear(&w->error);
    w->n_put = 0;
    w->n_pending = 0;
    for (unsigned i = 0; i < 256; i++) {
        char *at = w->numbers[i];
        *at++ = ',';
        for (unsigned divisor = i < 10 ? 1 : i < 100 ? 10 : 100; divisor > 0; divisor /= 10) {
            *at++ = (char)('0' + i / divisor % 10);
        }
        *at = '\0';
    }
    char head[64];
    int len = snprintf(head, sizeof head, "{\"SectorNum\":%" PRIu64 ",\"Phase1Out\":\"",
                       document->sector_number);
    put_outer(w, head, (size_t)len);
    put(w, "{\"registered_proof\":\"");
    put(w, document->type->name);
    put(w, "\",\"vanilla_proofs\":{\"StackedDrg");
    put(w, document->type->size->name);
    put(w, "V1\":");
    return CUZK_OK;
}

void cuzk_c1_writer_put(c1_writer *w, const porep_challenge_proof *challenge) {
    size_t in_partition = w->n_put % w->document->n_challenges;
    put(w, w->n_put == 0 ? "[[" : in_partition == 0 ? "],[" : ",");
    put_challenge(w, challenge);
    w->n_put++;
}

cuzk_status cuzk_c1_writer_finish(c1_writer *w, cuzk_error *err) {
    const porep_proof *d = w->document;
    CUZK_ASSERT(w->n_put == (size_t)d->n_partitions * d->n_challenges);
    put(w, "]]}");
    put_member(w, ",\"comm_r\":", &d->comm_r);
    put_member(w, ",\"comm_d\":", &d->comm_d);
    put_member(w, ",\"replica_id\":", &d->replica_id);
    put_member(w, ",\"seed\":", &d->seed);
    put_member(w, ",\"ticket\":", &d->ticket);
    put(w, "}");
    flush(w);
    char tail[64];
    int len = snprintf(tail, sizeof tail, "\",\"SectorSize\":%" PRIu64 "}", d->type->size->bytes);
    put_outer(w, tail, (size_t)len);
    cuzk_status status = w->error.status;
    if (status != CUZK_OK && err != NULL) {
        *err = w->error;
    }
    free(w);
    return status;
}

void cuzk_c1_writer_abandon(c1_writer *writer) { free(writer); }

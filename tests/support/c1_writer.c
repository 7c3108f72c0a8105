#include "support/c1_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/base64.h"
#include "filecoin/fabricate_tree.h"

/* ---- random proofs ---- */

static void random_digest(digest *d, test_rng *rng) {
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        d->bytes[i] = (uint8_t)(test_rng_u64(rng) >> 40);
    }
}

static void random_merkle(merkle_proof *m, digest **room, const tree_shape *s, test_rng *rng) {
    random_digest(&m->root, rng);
    random_digest(&m->leaf, rng);
    m->n_levels = tree_shape_levels(s);
    m->siblings = *room;
    for (unsigned i = 0; i < m->n_levels; i++) {
        unsigned arity = tree_shape_arity(s, i);
        m->position[i] = (uint8_t)((test_rng_u64(rng) >> 32) % arity);
        for (unsigned k = 0; k < arity - 1; k++) {
            random_digest((*room)++, rng);
        }
    }
}

static void random_column(porep_column *c, digest **room, const sector_size *size, test_rng *rng) {
    c->index = (uint32_t)(test_rng_u64(rng) >> 32);
    c->rows = *room;
    for (unsigned i = 0; i < size->n_layers; i++) {
        random_digest((*room)++, rng);
    }
    random_merkle(&c->inclusion, room, &size->shape, rng);
}

void test_c1_random(porep_proof *proof, const char *type_name, unsigned n_partitions,
                    unsigned n_challenges, uint64_t seed) {
    test_rng rng = {seed | 1};
    memset(proof, 0, sizeof *proof);
    const seal_proof_type *t = cuzk_seal_proof_by_name(type_name, strlen(type_name));
    assert_non_null(t);
    proof->type = t;
    digest *heads[] = {&proof->comm_r, &proof->comm_d, &proof->replica_id, &proof->seed,
                       &proof->ticket};
    for (size_t i = 0; i < 5; i++) {
        random_digest(heads[i], &rng);
    }
    proof->n_partitions = n_partitions != 0 ? n_partitions : t->n_partitions;
    proof->n_challenges = n_challenges != 0 ? n_challenges : t->n_challenges;
    size_t n = (size_t)proof->n_partitions * proof->n_challenges;
    const tree_shape tree_d = tree_shape_binary(t->size->log2_nodes);
    size_t per_challenge =
        cuzk_tree_siblings(&tree_d) + cuzk_tree_siblings(&t->size->shape) +
        (1 + POREP_PARENTS) * (cuzk_tree_siblings(&t->size->shape) + t->size->n_layers);
    proof->challenges = calloc(n, sizeof *proof->challenges);
    digest *room = calloc(n * per_challenge, sizeof *room);
    assert_non_null(proof->challenges);
    assert_non_null(room);
    proof->memory = room;
    for (size_t i = 0; i < n; i++) {
        porep_challenge_proof *c = &proof->challenges[i];
        c->node = test_rng_u64(&rng);
        random_merkle(&c->comm_d, &room, &tree_d, &rng);
        random_merkle(&c->comm_r_last, &room, &t->size->shape, &rng);
        random_column(&c->c_x, &room, t->size, &rng);
        for (size_t k = 0; k < POREP_PARENTS; k++) {
            random_column(&c->parents[k], &room, t->size, &rng);
        }
    }
}

void test_c1_free(porep_proof *proof) {
    free(proof->challenges);
    free(proof->memory);
    memset(proof, 0, sizeof *proof);
}

/* ---- writing ---- */

typedef struct writer {
    FILE *file;
    const c1_style *style;
    test_rng rng;
    const sector_size *size;
} writer;

static void space(writer *w) {
    while (w->style->spaces && (test_rng_u64(&w->rng) >> 40) % 3 == 0) {
        fputc(" \t\r\n"[(test_rng_u64(&w->rng) >> 40) % 4], w -> file);
    }
}

static void token(writer *w, const char *text) {
    space(w);
    fputs(text, w->file);
    space(w);
}

static void put_digest(writer *w, const digest *d) {
    char text[4 * DIGEST_BYTES + 1], *at = text;
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        unsigned value = w->style->zeros ? 0 : d->bytes[i];
        if (value >= 100) {
            *at++ = (char)('0' + value / 100);
        }
        if (value >= 10) {
            *at++ = (char)('0' + value / 10 % 10);
        }
        *at++ = (char)('0' + value % 10);
        *at++ = ',';
    }
    at[-1] = 0;
    token(w, "[");
    fputs(text, w->file);
    token(w, "]");
}

static void put_number(writer *w, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    token(w, text);
}

/* An object of n members. put(w, arg, i) writes "key": value of member i, or nothing and returns
 * false. */
typedef bool (*put_member)(writer *w, const void *arg, unsigned i);

static void put_object(writer *w, unsigned n, put_member put, const void *arg) {
    unsigned order[16];
    for (unsigned i = 0; i < n; i++) {
        order[i] = i;
    }
    for (unsigned i = n; w->style->shuffle && i > 1; i--) {
        unsigned k = (unsigned)((test_rng_u64(&w->rng) >> 40) % i), swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
    token(w, "{");
    if (w->style->extras) {
        fputs("\"Extra\":[{\"comm_r\":[],\"comm_r\":1e5},null,true,\"\\\"\\u00e9\"],", w->file);
    }
    long last = 0;
    for (unsigned i = 0; i < n; i++) {
        if (put(w, arg, order[i])) {
            last = ftell(w->file);
            token(w, ",");
        }
    }
    fseek(w->file, last, SEEK_SET); /* over the last comma */
    token(w, "}");
}

static void put_key(writer *w, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    token(w, quoted);
    token(w, ":");
}

typedef struct path_part {
    const merkle_proof *proof;
    const tree_shape *shape;
    unsigned first, end;
} path_part;

typedef struct path_level {
    const digest *hashes;
    unsigned n_hashes, position;
} path_level;

static bool put_level_member(writer *w, const void *arg, unsigned i) {
    const path_level *l = arg;
    if (i == 0) {
        put_key(w, "hashes");
        token(w, "[");
        for (unsigned k = 0; k < l->n_hashes; k++) {
            if (k > 0) {
                token(w, ",");
            }
            put_digest(w, &l->hashes[k]);
        }
        token(w, "]");
    } else {
        put_key(w, "index");
        put_number(w, l->position);
    }
    return true;
}

static bool put_path_member(writer *w, const void *arg, unsigned i) {
    const path_part *p = arg;
    (void)i;
    put_key(w, "path");
    token(w, "[");
    const digest *hashes = p->proof->siblings;
    for (unsigned level = 0; level < p->end; level++) {
        path_level l = {.hashes = hashes,
                        .n_hashes = tree_shape_arity(p->shape, level) - 1,
                        .position = p->proof->position[level]};
        if (level >= p->first) {
            if (level > p->first) {
                token(w, ",");
            }
            put_object(w, 2, put_level_member, &l);
        }
        hashes += l.n_hashes;
    }
    token(w, "]");
    return true;
}

typedef struct merkle_arg {
    const merkle_proof *proof;
    const tree_shape *shape;
} merkle_arg;

static bool put_variant_member(writer *w, const void *arg, unsigned i) {
    const merkle_arg *m = arg;
    const tree_shape *s = m->shape;
    unsigned base = s->n_base_levels;
    const path_part parts[] = {
        {m->proof, s, 0, base}, {m->proof, s, base, base + 1}, {m->proof, s, base + 1, base + 2}};
    if (i < 2) {
        put_key(w, i == 0 ? "root" : "leaf");
        put_digest(w, i == 0 ? &m->proof->root : &m->proof->leaf);
        return true;
    }
    if ((i == 3 && s->sub == 0) || (i == 4 && s->top == 0)) {
        return false;
    }
    static const char *const keys[] = {"base_proof", "sub_proof", "top_proof"};
    put_key(w, s->sub == 0 ? "path" : keys[i - 2]);
    put_object(w, 1, put_path_member, &parts[i - 2]);
    return true;
}

static bool put_data_member(writer *w, const void *arg, unsigned i) {
    const merkle_arg *m = arg;
    (void)i;
    put_key(w, m->shape->top != 0 ? "Top" : m->shape->sub != 0 ? "Sub" : "Single");
    put_object(w, 5, put_variant_member, arg);
    return true;
}

static bool put_merkle_member(writer *w, const void *arg, unsigned i) {
    (void)i;
    put_key(w, "data");
    put_object(w, 1, put_data_member, arg);
    return true;
}

static void put_merkle(writer *w, const merkle_proof *proof, const tree_shape *shape) {
    const merkle_arg arg = {proof, shape};
    put_object(w, 1, put_merkle_member, &arg);
}

static bool put_rows_member(writer *w, const void *arg, unsigned i) {
    const porep_column *c = arg;
    if (i == 0) {
        put_key(w, "index");
        put_number(w, c->index);
    } else if (i == 1) {
        put_key(w, "rows");
        token(w, "[");
        for (unsigned k = 0; k < w->size->n_layers; k++) {
            if (k > 0) {
                token(w, ",");
            }
            put_digest(w, &c->rows[k]);
        }
        token(w, "]");
    } else if (!w->style->no_h) {
        put_key(w, "_h");
        token(w, "null");
    } else {
        return false;
    }
    return true;
}

static bool put_column_member(writer *w, const void *arg, unsigned i) {
    const porep_column *c = arg;
    if (i == 0) {
        put_key(w, "column");
        put_object(w, 3, put_rows_member, c);
    } else {
        put_key(w, "inclusion_proof");
        put_merkle(w, &c->inclusion, &w->size->shape);
    }
    return true;
}

static bool put_columns_member(writer *w, const void *arg, unsigned i) {
    const porep_challenge_proof *c = arg;
    if (i == 0) {
        put_key(w, "c_x");
        put_object(w, 2, put_column_member, &c->c_x);
        return true;
    }
    put_key(w, i == 1 ? "drg_parents" : "exp_parents");
    token(w, "[");
    unsigned first = i == 1 ? 0 : POREP_DRG_PARENTS;
    unsigned end = i == 1 ? POREP_DRG_PARENTS : POREP_PARENTS;
    for (unsigned k = first; k < end; k++) {
        if (k > first) {
            token(w, ",");
        }
        put_object(w, 2, put_column_member, &c->parents[k]);
    }
    token(w, "]");
    return true;
}

typedef struct label_arg {
    uint64_t node;
    unsigned layer;
} label_arg;

static bool put_label_member(writer *w, const void *arg, unsigned i) {
    const label_arg *l = arg;
    if (i == 0) {
        put_key(w, "parents");
        token(w, "[[1,2],[3]]");
    } else {
        put_key(w, i == 1 ? "layer_index" : "node");
        put_number(w, i == 1 ? l->layer : l->node);
    }
    return true;
}

static bool put_challenge_member(writer *w, const void *arg, unsigned i) {
    const porep_challenge_proof *c = arg;
    const tree_shape tree_d = tree_shape_binary(w->size->log2_nodes);
    label_arg label = {.node = c->node, .layer = 0};
    switch (i) {
    case 0:
        put_key(w, "comm_d_proofs");
        put_merkle(w, &c->comm_d, &tree_d);
        break;
    case 1:
        put_key(w, "comm_r_last_proof");
        put_merkle(w, &c->comm_r_last, &w->size->shape);
        break;
    case 2:
        put_key(w, "replica_column_proofs");
        put_object(w, 3, put_columns_member, c);
        break;
    case 3:
        put_key(w, "labeling_proofs");
        token(w, "[");
        for (label.layer = 1; label.layer <= w->size->n_layers; label.layer++) {
            if (label.layer > 1) {
                token(w, ",");
            }
            put_object(w, 3, put_label_member, &label);
        }
        token(w, "]");
        break;
    default:
        put_key(w, "encoding_proof");
        put_object(w, 3, put_label_member, &label);
    }
    return true;
}

static void put_variants(writer *w, const porep_proof *p) {
    char variant[40];
    snprintf(variant, sizeof variant, "StackedDrg%sV1", p->type->size->name);
    put_key(w, variant);
    token(w, "[");
    for (unsigned k = 0; k < p->n_partitions; k++) {
        token(w, k == 0 ? "[" : ",[");
        for (unsigned c = 0; c < p->n_challenges; c++) {
            if (c > 0) {
                token(w, ",");
            }
            put_object(w, 5, put_challenge_member, &p->challenges[k * p->n_challenges + c]);
        }
        token(w, "]");
    }
    token(w, "]");
}

static bool put_document_member(writer *w, const void *arg, unsigned i) {
    const porep_proof *p = arg;
    static const char *const keys[] = {"comm_r", "comm_d", "replica_id", "seed", "ticket"};
    const digest *values[] = {&p->comm_r, &p->comm_d, &p->replica_id, &p->seed, &p->ticket};
    if (i == 0) {
        char quoted[80];
        snprintf(quoted, sizeof quoted, "\"%s\"", p->type->name);
        put_key(w, "registered_proof");
        token(w, quoted);
    } else if (i == 1) {
        put_key(w, "vanilla_proofs");
        token(w, "{"); /* exactly one member, and no unknown ones */
        put_variants(w, p);
        token(w, "}");
    } else {
        put_key(w, keys[i - 2]);
        put_digest(w, values[i - 2]);
    }
    return true;
}

char *test_c1_inner(const porep_proof *proof, const c1_style *style, size_t *len_bytes) {
    char *text = NULL;
    writer w = {.file = open_memstream(&text, len_bytes),
                .style = style,
                .rng = {style->seed | 1},
                .size = proof->type->size};
    assert_non_null(w.file);
    put_object(&w, 7, put_document_member, proof);
    long len = ftell(w.file);
    assert_int_equal(fclose(w.file), 0);
    *len_bytes = (size_t)len;
    text[len] = 0;
    return text;
}

char *test_c1_wrap(const char *inner, size_t inner_bytes, const uint64_t *sector_number,
                   size_t *len_bytes) {
    char *text = malloc(base64_length(inner_bytes) + 160);
    assert_non_null(text);
    char *at = text;
    if (sector_number != NULL) {
        at +=
            sprintf(at, "{\"SectorNum\":%llu,\"Phase1Out\":\"", (unsigned long long)*sector_number);
    } else {
        at += sprintf(at, "{\"SectorSize\":2048,\"Other\":[{}],\"Phase1Out\":\"");
    }
    cuzk_base64_encode(at, (const uint8_t *)inner, inner_bytes);
    at += base64_length(inner_bytes);
    at += sprintf(at, "\"}");
    *len_bytes = (size_t)(at - text);
    return text;
}

/* ---- comparing ---- */

static void assert_merkle_equal(const merkle_proof *a, const merkle_proof *b, const tree_shape *s) {
    assert_memory_equal(&a->root, &b->root, DIGEST_BYTES);
    assert_memory_equal(&a->leaf, &b->leaf, DIGEST_BYTES);
    assert_int_equal(a->n_levels, b->n_levels);
    assert_memory_equal(a->position, b->position, a->n_levels);
    assert_memory_equal(a->siblings, b->siblings, cuzk_tree_siblings(s) * DIGEST_BYTES);
}

static void assert_column_equal(const porep_column *a, const porep_column *b,
                                const sector_size *size) {
    assert_int_equal(a->index, b->index);
    assert_memory_equal(a->rows, b->rows, size->n_layers * DIGEST_BYTES);
    assert_merkle_equal(&a->inclusion, &b->inclusion, &size->shape);
}

void test_c1_assert_equal(const porep_proof *a, const porep_proof *b) {
    assert_ptr_equal(a->type, b->type);
    assert_memory_equal(&a->comm_r, &b->comm_r, DIGEST_BYTES);
    assert_memory_equal(&a->comm_d, &b->comm_d, DIGEST_BYTES);
    assert_memory_equal(&a->replica_id, &b->replica_id, DIGEST_BYTES);
    assert_memory_equal(&a->seed, &b->seed, DIGEST_BYTES);
    assert_memory_equal(&a->ticket, &b->ticket, DIGEST_BYTES);
    assert_int_equal(a->n_partitions, b->n_partitions);
    assert_int_equal(a->n_challenges, b->n_challenges);
    const sector_size *size = a->type->size;
    const tree_shape tree_d = tree_shape_binary(size->log2_nodes);
    for (size_t i = 0; i < (size_t)a->n_partitions * a->n_challenges; i++) {
        const porep_challenge_proof *x = &a->challenges[i], *y = &b->challenges[i];
        assert_true(x->node == y->node);
        assert_merkle_equal(&x->comm_d, &y->comm_d, &tree_d);
        assert_merkle_equal(&x->comm_r_last, &y->comm_r_last, &size->shape);
        assert_column_equal(&x->c_x, &y->c_x, size);
        for (size_t k = 0; k < POREP_PARENTS; k++) {
            assert_column_equal(&x->parents[k], &y->parents[k], size);
        }
    }
}

/* The C1 reader: a state machine over JSON events. Where it stands is a stack of frames, one for
 * each open object or array; a value goes where the innermost frame and the key or index in it say.
 */
#include "filecoin/c1_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "codec/base64.h"
#include "codec/json.h"
#include "filecoin/merkle_bincode.h"

#define MAX_DEPTH 32
#define SHOWN_BYTES 64 /* of a key or value of the document that an error repeats */

/* Texts of the original engine, in front of every fault. */
static const char outer_fault[] = "C1 parse failed: failed to parse C1 output wrapper JSON";
static const char base64_fault[] = "C1 parse failed: failed to decode base64 Phase1Output";
static const char inner_fault[] =
    "C1 parse failed: failed to deserialize SealCommitPhase1Output from JSON";

/* What an open object or array is. */
typedef enum place {
    P_DOCUMENT,
    P_VARIANTS,
    P_PARTITIONS,
    P_PARTITION,
    P_CHALLENGE,
    P_COLUMN_PROOFS,
    P_DRG_PARENTS,
    P_EXP_PARENTS,
    P_COLUMN_PROOF,
    P_COLUMN,
    P_ROWS,
    P_MERKLE_PROOF,
    P_MERKLE_DATA,
    P_MERKLE_VARIANT,
    P_PATH,
    P_PATH_LEVELS,
    P_PATH_LEVEL,
    P_HASHES,
    P_DIGEST,
    P_LABELING_PROOFS,
    P_LABELING_PROOF,
    P_SKIPPED, /* nothing below is looked at */
    N_PLACES
} place;

/* The keys of each kind of object, NULL-terminated; those in `optional` (a bit each) may be
 * missing. */
typedef struct object_keys {
    const char *keys[10];
    unsigned optional;
} object_keys;

enum { K_REGISTERED_PROOF, K_VANILLA_PROOFS, K_COMM_R, K_COMM_D, K_REPLICA_ID, K_SEED, K_TICKET };
enum {
    K_COMM_D_PROOFS,
    K_COMM_R_LAST_PROOF,
    K_REPLICA_COLUMN_PROOFS,
    K_LABELING_PROOFS,
    K_ENCODING
};
enum { K_C_X, K_DRG_PARENTS, K_EXP_PARENTS };
enum { K_COLUMN, K_INCLUSION_PROOF };
enum { K_INDEX, K_ROWS, K_H };
enum { K_SINGLE, K_SUB, K_TOP };
enum { K_ROOT, K_LEAF, K_PATH, K_BASE_PROOF, K_SUB_PROOF, K_TOP_PROOF };
enum { K_HASHES, K_POSITION };
enum { K_PARENTS, K_LAYER_INDEX, K_NODE };

static const object_keys keys_of[N_PLACES] = {
    [P_DOCUMENT] = {{"registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed",
                     "ticket"},
                    0},
    [P_CHALLENGE] = {{"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs",
                      "labeling_proofs", "encoding_proof"},
                     1u << K_ENCODING},
    [P_COLUMN_PROOFS] = {{"c_x", "drg_parents", "exp_parents"}, 0},
    [P_COLUMN_PROOF] = {{"column", "inclusion_proof"}, 0},
    [P_COLUMN] = {{"index", "rows", "_h"}, 1u << K_H},
    [P_MERKLE_PROOF] = {{"data"}, 0},
    /* exactly one of them: checked at the end */
    [P_MERKLE_DATA] = {{"Single", "Sub", "Top"}, 7},
    /* which paths there must be depends on the variant: checked at the end */
    [P_MERKLE_VARIANT] = {{"root", "leaf", "path", "base_proof", "sub_proof", "top_proof"}, 0x3c},
    [P_PATH] = {{"path"}, 0},
    [P_PATH_LEVEL] = {{"hashes", "index"}, 0},
    [P_LABELING_PROOF] = {{"parents", "layer_index", "node"}, 1u << K_PARENTS},
};

typedef struct frame {
    place place;
    bool is_array;
    unsigned seen;              /* objects: keys seen so far */
    int key;                    /* objects: the current one, -1 if unknown */
    char name[SHOWN_BYTES + 1]; /* objects: the current key, escaped, cut if it is long */
    unsigned index;             /* arrays: of the next element */
} frame;

/* What porep_proof.memory points to: everything of the result, charged to an account. */
typedef struct proof_memory {
    cuzk_account *account;
    size_t charged_bytes;
    struct proof_block {
        struct proof_block *next;
        digest digests[];
    } * blocks; /* one for each challenge */
} proof_memory;

typedef struct c1_reader {
    porep_proof *proof;
    frame frames[MAX_DEPTH];
    unsigned depth;
    /* the member of vanilla_proofs: NULL before it comes, then the most that any proof type of this
     * size has */
    const sector_size *size;
    unsigned max_partitions, max_challenges;
    size_t n_tree_siblings; /* of TreeR and TreeC paths */
    tree_shape tree_d;
    size_t room; /* of proof->challenges */
    /* where values go */
    porep_challenge_proof *challenge;
    porep_column *column;
    merkle_proof *merkle;
    const tree_shape *shape;   /* of the running Merkle proof */
    digest *siblings;          /* of the running Merkle proof: next free */
    unsigned arity;            /* of the running path */
    unsigned level, level_end; /* of the running path: the next one, and where it ends */
    digest *digest;
    size_t offset;
    cuzk_error *err;
} c1_reader;

/* ---- errors ---- */

/* "partition 0, challenge 1: comm_d_proofs.data", or "vanilla_proofs.StackedDrg2KiBV1[0]" outside a
 * challenge */
static void write_path(const c1_reader *r, char *text, size_t room) {
    size_t len = 0;
    bool first = true;
    text[0] = '\0';
    for (unsigned i = 0; i < r->depth && len + 1 < room; i++) {
        const frame *f = &r->frames[i];
        int n;
        if (f->place == P_PARTITION && i + 1 < r->depth) {
            n = snprintf(text, room, "partition %u, challenge %u: ", r->frames[i - 1].index,
                         f->index);
            len = 0;
            first = true;
        } else if (f->is_array) {
            n = snprintf(text + len, room - len, "[%u]", f->index);
        } else {
            n = snprintf(text + len, room - len, "%s%s", first ? "" : ".", f->name);
            first = false;
        }
        len += n > 0 ? (size_t)n : 0;
    }
}

static void note_place(const c1_reader *r) {
    if (r->err == NULL) {
        return;
    }
    r->err->offset = (int64_t)r->offset;
    for (unsigned i = 0; i < r->depth; i++) {
        if (r->frames[i].place == P_PARTITIONS) {
            r->err->partition = r->frames[i].index;
        } else if (r->frames[i].place == P_PARTITION) {
            r->err->challenge = r->frames[i].index;
        }
    }
}

__attribute__((format(printf, 2, 3))) static cuzk_status fail(c1_reader *r, const char *format,
                                                              ...) {
    char what[256], path[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    write_path(r, path, sizeof path);
    cuzk_fail(r->err, CUZK_E_INPUT, "offset %zu: %s%s%s", r->offset, path,
              path[0] != '\0' ? ": " : "", what);
    note_place(r);
    return CUZK_E_INPUT;
}

/* Text of the document in a form that fits an error: one line, escaped, not too long. */
static const char *shown(char out[SHOWN_BYTES + 1], const char *text, size_t len) {
    out[cuzk_json_escape(out, SHOWN_BYTES, text, len)] = '\0';
    return out;
}

/* ---- memory of the result ---- */

void cuzk_porep_proof_clear(porep_proof *proof) {
    proof_memory *memory = proof->memory;
    if (memory != NULL) {
        for (struct proof_block *b = memory->blocks; b != NULL;) {
            struct proof_block *next = b->next;
            free(b);
            b = next;
        }
        cuzk_account_release(memory->account, memory->charged_bytes);
        free(memory);
    }
    free(proof->challenges);
    memset(proof, 0, sizeof *proof);
}

static cuzk_status charge(c1_reader *r, size_t len_bytes) {
    proof_memory *memory = r->proof->memory;
    cuzk_status status =
        cuzk_account_reserve(memory->account, len_bytes, "vanilla proofs of a C1 document", r->err);
    memory->charged_bytes += status == CUZK_OK ? len_bytes : 0;
    return status;
}

static cuzk_status fail_memory(c1_reader *r) {
    return cuzk_fail(r->err, CUZK_E_NO_MEMORY, "no memory for the vanilla proofs");
}

/* Makes room for challenge number n of all. */
static cuzk_status grow_challenges(c1_reader *r, size_t n) {
    porep_proof *p = r->proof;
    if (n < r->room) {
        return CUZK_OK;
    }
    size_t room = r->room == 0 ? r->max_challenges : 2 * r->room;
    cuzk_status status = charge(r, (room - r->room) * sizeof *p->challenges);
    if (status != CUZK_OK) {
        return status;
    }
    porep_challenge_proof *more = realloc(p->challenges, room * sizeof *more);
    if (more == NULL) {
        return fail_memory(r);
    }
    p->challenges = more;
    r->room = room;
    return CUZK_OK;
}

/* All digests of one challenge. */
static cuzk_status take_digests(c1_reader *r, digest **digests, size_t n) {
    proof_memory *memory = r->proof->memory;
    size_t len_bytes = sizeof *memory->blocks + n * sizeof **digests;
    cuzk_status status = charge(r, len_bytes);
    if (status != CUZK_OK) {
        return status;
    }
    struct proof_block *b = calloc(1, len_bytes);
    if (b == NULL) {
        return fail_memory(r);
    }
    b->next = memory->blocks;
    memory->blocks = b;
    *digests = b->digests;
    return CUZK_OK;
}

/* Points the members of a challenge proof to their digests. */
static void lay_out(porep_challenge_proof *c, digest *d, const sector_size *size,
                    size_t n_tree_siblings) {
    memset(c, 0, sizeof *c);
    c->comm_d.siblings = d;
    d += size->log2_nodes;
    c->comm_r_last.siblings = d;
    d += n_tree_siblings;
    for (size_t i = 0; i < 1 + POREP_PARENTS; i++) {
        porep_column *column = i == 0 ? &c->c_x : &c->parents[i - 1];
        column->rows = d;
        d += size->n_layers;
        column->inclusion.siblings = d;
        d += n_tree_siblings;
    }
}

/* The next challenge, with room for all its digests. */
static cuzk_status add_challenge(c1_reader *r) {
    porep_proof *p = r->proof;
    unsigned in_partition = r->frames[r->depth - 1].index;
    unsigned most = p->n_partitions == 0 ? r->max_challenges : p->n_challenges;
    if (in_partition == most) {
        return fail(r, "more than %u challenges in a partition", most);
    }
    size_t n = (size_t)p->n_partitions * p->n_challenges + in_partition;
    size_t n_digests = r->size->log2_nodes + r->n_tree_siblings +
                       (1 + POREP_PARENTS) * (r->size->n_layers + r->n_tree_siblings);
    digest *digests = NULL;
    cuzk_status status = grow_challenges(r, n);
    if (status == CUZK_OK) {
        status = take_digests(r, &digests, n_digests);
    }
    if (status == CUZK_OK) {
        r->challenge = &p->challenges[n];
        lay_out(r->challenge, digests, r->size, r->n_tree_siblings);
    }
    return status;
}

/* ---- opening objects and arrays ---- */

static void begin_merkle(c1_reader *r, merkle_proof *proof, const tree_shape *shape) {
    r->merkle = proof;
    r->shape = shape;
    proof->n_levels = 0;
}

/* base_proof, sub_proof and top_proof may come in any order: each has its place in the proof. */
static void begin_path(c1_reader *r, int key) {
    const tree_shape *s = r->shape;
    size_t sub_at = (size_t)s->n_base_levels * (s->base - 1);
    r->level = key == K_SUB_PROOF   ? s->n_base_levels
               : key == K_TOP_PROOF ? s->n_base_levels + 1
                                    : 0;
    r->siblings = (digest *)r->merkle->siblings + (key == K_SUB_PROOF   ? sub_at
                                                   : key == K_TOP_PROOF ? sub_at + s->sub - 1
                                                                        : 0);
    r->arity = key == K_SUB_PROOF ? s->sub : key == K_TOP_PROOF ? s->top : s->base;
    r->level_end = r->level + (key == K_SUB_PROOF || key == K_TOP_PROOF ? 1 : s->n_base_levels);
}

static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

static cuzk_status begin_variants(c1_reader *r, const char *name) {
    if (r->size != NULL) {
        return fail(r, "more than one member in vanilla_proofs");
    }
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        char variant[40];
        const sector_size *size = &cuzk_sector_sizes[i];
        snprintf(variant, sizeof variant, "StackedDrg%sV1", size->name);
        if (size->published && strcmp(variant, name) == 0) {
            unsigned arities[MERKLE_MAX_LEVELS];
            unsigned n_levels;
            r->size = size;
            r->max_partitions = larger(size->interactive_partitions, size->ni_partitions);
            r->max_challenges = larger(size->interactive_challenges, size->ni_challenges);
            r->n_tree_siblings = cuzk_merkle_arities(arities, &n_levels, &size->shape);
            r->tree_d = tree_shape_binary(size->log2_nodes);
            return CUZK_OK;
        }
    }
    return fail(r, "unknown variant `%s`, expected StackedDrg{2KiB,8MiB,512MiB,32GiB,64GiB}V1",
                name);
}

/* What a container that opens at the current key or index is. wants_array: what it must be. */
static cuzk_status place_of_child(c1_reader *r, place *child, bool *wants_array) {
    const frame *f = &r->frames[r->depth - 1];
    *wants_array = false;
    *child = P_SKIPPED;
    switch (f->place) {
    case P_DOCUMENT:
        if (f->key == K_VANILLA_PROOFS) {
            *child = P_VARIANTS;
        } else if (f->key >= K_COMM_R) {
            digest *const targets[] = {&r->proof->comm_r, &r->proof->comm_d, &r->proof->replica_id,
                                       &r->proof->seed, &r->proof->ticket};
            r->digest = targets[f->key - K_COMM_R];
            *child = P_DIGEST;
            *wants_array = true;
        } else if (f->key >= 0) {
            return fail(r, "expected a string");
        }
        return CUZK_OK;
    case P_VARIANTS:
        *child = P_PARTITIONS;
        *wants_array = true;
        return begin_variants(r, f->name);
    case P_PARTITIONS:
        if (f->index == r->max_partitions) {
            return fail(r, "more than %u partitions", r->max_partitions);
        }
        *child = P_PARTITION;
        *wants_array = true;
        return CUZK_OK;
    case P_PARTITION:
        *child = P_CHALLENGE;
        return add_challenge(r);
    case P_CHALLENGE:
        if (f->key == K_COMM_D_PROOFS || f->key == K_COMM_R_LAST_PROOF) {
            bool is_d = f->key == K_COMM_D_PROOFS;
            *child = P_MERKLE_PROOF;
            begin_merkle(r, is_d ? &r->challenge->comm_d : &r->challenge->comm_r_last,
                         is_d ? &r->tree_d : &r->size->shape);
        } else if (f->key == K_REPLICA_COLUMN_PROOFS) {
            *child = P_COLUMN_PROOFS;
        } else if (f->key == K_LABELING_PROOFS) {
            *child = P_LABELING_PROOFS;
            *wants_array = true;
        }
        return CUZK_OK;
    case P_COLUMN_PROOFS:
        if (f->key == K_C_X) {
            r->column = &r->challenge->c_x;
            *child = P_COLUMN_PROOF;
        } else if (f->key >= 0) {
            *child = f->key == K_DRG_PARENTS ? P_DRG_PARENTS : P_EXP_PARENTS;
            *wants_array = true;
        }
        return CUZK_OK;
    case P_DRG_PARENTS:
    case P_EXP_PARENTS: {
        bool is_drg = f->place == P_DRG_PARENTS;
        unsigned most = is_drg ? POREP_DRG_PARENTS : POREP_EXP_PARENTS;
        if (f->index == most) {
            return fail(r, "more than %u columns", most);
        }
        r->column = &r->challenge->parents[(is_drg ? 0 : POREP_DRG_PARENTS) + f->index];
        *child = P_COLUMN_PROOF;
        return CUZK_OK;
    }
    case P_COLUMN_PROOF:
        if (f->key == K_COLUMN) {
            *child = P_COLUMN;
        } else if (f->key == K_INCLUSION_PROOF) {
            *child = P_MERKLE_PROOF;
            begin_merkle(r, &r->column->inclusion, &r->size->shape);
        }
        return CUZK_OK;
    case P_COLUMN:
        if (f->key == K_ROWS) {
            *child = P_ROWS;
            *wants_array = true;
        } else if (f->key == K_INDEX) {
            return fail(r, "expected an unsigned integer");
        }
        return CUZK_OK;
    case P_ROWS:
        if (f->index == r->size->n_layers) {
            return fail(r, "more than %u rows", r->size->n_layers);
        }
        r->digest = (digest *)r->column->rows + f->index;
        *child = P_DIGEST;
        *wants_array = true;
        return CUZK_OK;
    case P_MERKLE_PROOF:
        *child = f->key >= 0 ? P_MERKLE_DATA : P_SKIPPED;
        return CUZK_OK;
    case P_MERKLE_DATA: {
        static const char *const names[] = {"Single", "Sub", "Top"};
        int want = r->shape->top != 0 ? K_TOP : r->shape->sub != 0 ? K_SUB : K_SINGLE;
        if (f->key != want) {
            return fail(r, "a %s proof is expected in this tree", names[want]);
        }
        *child = P_MERKLE_VARIANT;
        return CUZK_OK;
    }
    case P_MERKLE_VARIANT:
        if (f->key == K_ROOT || f->key == K_LEAF) {
            r->digest = f->key == K_ROOT ? &r->merkle->root : &r->merkle->leaf;
            *child = P_DIGEST;
            *wants_array = true;
            return CUZK_OK;
        }
        if (f->key < 0) {
            return CUZK_OK;
        }
        if ((f->key == K_PATH) != (r->shape->sub == 0) ||
            (f->key == K_TOP_PROOF && r->shape->top == 0)) {
            return fail(r, "not a member of this variant");
        }
        *child = P_PATH;
        begin_path(r, f->key);
        return CUZK_OK;
    case P_PATH:
        *child = f->key >= 0 ? P_PATH_LEVELS : P_SKIPPED;
        *wants_array = f->key >= 0;
        return CUZK_OK;
    case P_PATH_LEVELS:
        if (r->level == r->level_end) {
            return fail(r, "more path elements than the tree has levels (%u)", f->index);
        }
        *child = P_PATH_LEVEL;
        return CUZK_OK;
    case P_PATH_LEVEL:
        *child = f->key == K_HASHES ? P_HASHES : P_SKIPPED;
        *wants_array = f->key == K_HASHES;
        return f->key == K_POSITION ? fail(r, "expected an unsigned integer") : CUZK_OK;
    case P_HASHES:
        if (f->index == r->arity - 1) {
            return fail(r, "more than %u hashes, of a level of arity %u", r->arity - 1, r->arity);
        }
        r->digest = r->siblings + f->index;
        *child = P_DIGEST;
        *wants_array = true;
        return CUZK_OK;
    case P_DIGEST:
        return fail(r, "expected an integer from 0 to 255");
    case P_LABELING_PROOFS:
        if (f->index == r->size->n_layers) {
            return fail(r, "more than %u labeling proofs, one a layer", r->size->n_layers);
        }
        *child = P_LABELING_PROOF;
        return CUZK_OK;
    case P_LABELING_PROOF:
        return f->key == K_NODE || f->key == K_LAYER_INDEX ? fail(r, "expected an unsigned integer")
                                                           : CUZK_OK;
    case P_SKIPPED:
    case N_PLACES:
        return CUZK_OK;
    }
    return CUZK_OK;
}

static cuzk_status open_container(c1_reader *r, bool is_array) {
    place child = P_DOCUMENT;
    bool wants_array = false;
    if (r->depth > 0) {
        cuzk_status status = place_of_child(r, &child, &wants_array);
        if (status != CUZK_OK) {
            return status;
        }
    }
    if (child != P_SKIPPED && wants_array != is_array) {
        return fail(r, "expected an %s", wants_array ? "array" : "object");
    }
    CUZK_ASSERT(r->depth < MAX_DEPTH);
    r->frames[r->depth++] = (frame){.place = child, .is_array = is_array, .key = -1};
    return CUZK_OK;
}

/* ---- closing them ---- */

static cuzk_status need(c1_reader *r, unsigned found, unsigned want, const char *what) {
    return found == want ? CUZK_OK : fail(r, "%u %s, expected %u", found, what, want);
}

static cuzk_status close_array(c1_reader *r, const frame *f) {
    porep_proof *p = r->proof;
    switch (f->place) {
    case P_DIGEST:
        return need(r, f->index, DIGEST_BYTES, "bytes in a digest");
    case P_HASHES:
        r->siblings += r->arity - 1;
        return need(r, f->index, r->arity - 1, "hashes in a path element");
    case P_PATH_LEVELS:
        if (r->level != r->level_end) {
            return fail(r, "%u path elements, expected %u", f->index,
                        f->index + r->level_end - r->level);
        }
        return CUZK_OK;
    case P_ROWS:
        return need(r, f->index, r->size->n_layers, "rows");
    case P_LABELING_PROOFS:
        return need(r, f->index, r->size->n_layers, "labeling proofs");
    case P_DRG_PARENTS:
        return need(r, f->index, POREP_DRG_PARENTS, "columns");
    case P_EXP_PARENTS:
        return need(r, f->index, POREP_EXP_PARENTS, "columns");
    case P_PARTITION:
        if (p->n_partitions == 0) {
            p->n_challenges = f->index;
        }
        if (f->index != p->n_challenges) {
            return fail(r, "%u challenges, but partition 0 has %u", f->index, p->n_challenges);
        }
        p->n_partitions++;
        return CUZK_OK;
    default:
        return CUZK_OK;
    }
}

/* The paths of a Merkle proof: "path" alone, or one for each of base, sub and top. Their lengths
 * were checked. */
static cuzk_status need_paths(c1_reader *r, const frame *f) {
    const tree_shape *s = r->shape;
    unsigned want = s->sub == 0   ? 1u << K_PATH
                    : s->top == 0 ? 1u << K_BASE_PROOF | 1u << K_SUB_PROOF
                                  : 1u << K_BASE_PROOF | 1u << K_SUB_PROOF | 1u << K_TOP_PROOF;
    for (int key = K_PATH; key <= K_TOP_PROOF; key++) {
        if ((want & ~f->seen) >> key & 1) {
            return fail(r, "missing field `%s`", keys_of[P_MERKLE_VARIANT].keys[key]);
        }
    }
    return CUZK_OK;
}

static cuzk_status close_object(c1_reader *r, const frame *f) {
    const object_keys *o = &keys_of[f->place];
    for (unsigned i = 0; i < 10 && o->keys[i] != NULL; i++) {
        if ((f->seen >> i & 1) == 0 && (o->optional >> i & 1) == 0) {
            return fail(r, "missing field `%s`", o->keys[i]);
        }
    }
    switch (f->place) {
    case P_VARIANTS:
        return r->size != NULL ? CUZK_OK : fail(r, "vanilla_proofs has no member");
    case P_MERKLE_DATA:
        return f->seen != 0 ? CUZK_OK : fail(r, "neither Single nor Sub nor Top");
    case P_MERKLE_VARIANT:
        return need_paths(r, f);
    case P_PATH_LEVEL:
        r->merkle->n_levels++;
        r->level++;
        return CUZK_OK;
    default:
        return CUZK_OK;
    }
}

/* ---- keys and plain values ---- */

static cuzk_status on_key(c1_reader *r, frame *f, const char *text, size_t len) {
    shown(f->name, text, len);
    f->key = -1;
    if (f->place == P_VARIANTS || f->place == P_SKIPPED) {
        return CUZK_OK;
    }
    const object_keys *o = &keys_of[f->place];
    for (int i = 0; i < 10 && o->keys[i] != NULL; i++) {
        if (strlen(o->keys[i]) == len && memcmp(o->keys[i], text, len) == 0) {
            if (f->seen >> i & 1) {
                return fail(r, "duplicate field `%s`", o->keys[i]);
            }
            f->seen |= 1u << i;
            f->key = i;
        }
    }
    return CUZK_OK;
}

/* A number of 1 to 3 digits, without a branch for how many: no branch predictor knows. */
static bool short_number(unsigned *value, const char *text, size_t len) {
    if (len - 1 > 2) {
        return false;
    }
    unsigned first = (unsigned)(text[0] - '0'), last = (unsigned)(text[len - 1] - '0');
    unsigned tens = (unsigned)(text[(len - 1) / 2] - '0'); /* of 2 or 3 digits */
    *value = last + (len > 1 ? 10 : 0) * tens + (len > 2 ? 100 : 0) * first;
    return (first <= 9) & (tens <= 9) & (last <= 9);
}

/* A byte of the running digest that has something wrong with it. */
static cuzk_status fail_digest_byte(c1_reader *r, const frame *f, const char *text, size_t len) {
    char number[SHOWN_BYTES + 1];
    return f->index == DIGEST_BYTES
               ? fail(r, "more than %d bytes in a digest", DIGEST_BYTES)
               : fail(r, "invalid value: `%s`, expected an integer from 0 to 255",
                      shown(number, text, len));
}

static cuzk_status on_number(c1_reader *r, const frame *f, const char *text, size_t len) {
    uint64_t value = 0;
    bool is_u64 = cuzk_json_u64(&value, text, len);
    uint64_t most = UINT64_MAX;
    if (f->place == P_COLUMN && f->key == K_INDEX) {
        most = UINT32_MAX;
    } else if (f->place == P_LABELING_PROOF && f->key == K_LAYER_INDEX) {
        most = UINT32_MAX;
    } else if (f->place == P_PATH_LEVEL && f->key == K_POSITION) {
        most = r->arity - 1;
    } else if (f->place != P_LABELING_PROOF || f->key != K_NODE) {
        return fail(r, "a number is not expected here");
    }
    if (!is_u64 || value > most) {
        char number[SHOWN_BYTES + 1];
        return fail(r, "invalid value: `%s`, expected an integer from 0 to %llu",
                    shown(number, text, len), (unsigned long long)most);
    }
    if (f->place == P_COLUMN) {
        r->column->index = (uint32_t)value;
    } else if (f->place == P_PATH_LEVEL) {
        r->merkle->position[r->level] = (uint8_t)value;
    } else if (f->key == K_NODE) {
        bool is_first = r->frames[r->depth - 2].index == 0;
        if (!is_first && r->challenge->node != value) {
            return fail(r, "node %llu, but the first labeling proof says %llu",
                        (unsigned long long)value, (unsigned long long)r->challenge->node);
        }
        r->challenge->node = value;
    }
    return CUZK_OK;
}

static cuzk_status on_string(c1_reader *r, const frame *f, const char *text, size_t len) {
    if (f->place != P_DOCUMENT || f->key != K_REGISTERED_PROOF) {
        return fail(r, "a string is not expected here");
    }
    r->proof->type = cuzk_seal_proof_by_name(text, len);
    if (r->proof->type == NULL) {
        char name[SHOWN_BYTES + 1];
        return fail(r, "unknown registered proof `%s`", shown(name, text, len));
    }
    return CUZK_OK;
}

/* true where a value of any kind is ignored. */
static bool ignored(const frame *f) {
    return f->place == P_SKIPPED || (!f->is_array && f->key < 0 && f->place != P_VARIANTS) ||
           (f->place == P_COLUMN && f->key == K_H) ||
           (f->place == P_CHALLENGE && f->key == K_ENCODING) ||
           (f->place == P_LABELING_PROOF && f->key == K_PARENTS);
}

/* Not inlined: what on_inner_event does most is short. */
static __attribute__((noinline)) cuzk_status on_rare_event(c1_reader *r, json_event event,
                                                           const char *text, size_t len) {
    if (r->depth == 0) {
        return event == JSON_BEGIN_OBJECT ? open_container(r, false)
                                          : fail(r, "expected an object");
    }
    frame *f = &r->frames[r->depth - 1];
    cuzk_status status = CUZK_OK;
    switch (event) {
    case JSON_BEGIN_OBJECT:
    case JSON_BEGIN_ARRAY:
        if (ignored(f)) {
            CUZK_ASSERT(r->depth < MAX_DEPTH);
            r->frames[r->depth++] =
                (frame){.place = P_SKIPPED, .is_array = event == JSON_BEGIN_ARRAY};
            return CUZK_OK;
        }
        return open_container(r, event == JSON_BEGIN_ARRAY);
    case JSON_KEY:
        return on_key(r, f, text, len);
    case JSON_END_OBJECT:
    case JSON_END_ARRAY:
        status = event == JSON_END_ARRAY ? close_array(r, f) : close_object(r, f);
        r->depth--;
        break;
    case JSON_NUMBER:
        if (f->place == P_DIGEST) {
            return fail_digest_byte(r, f, text, len);
        }
        status = ignored(f) ? CUZK_OK : on_number(r, f, text, len);
        break;
    case JSON_STRING:
        status = ignored(f) ? CUZK_OK : on_string(r, f, text, len);
        break;
    case JSON_NULL:
    case JSON_TRUE:
    case JSON_FALSE:
        status = ignored(f) ? CUZK_OK : fail(r, "this value is not expected here");
        break;
    }
    if (status == CUZK_OK && r->depth > 0 && r->frames[r->depth - 1].is_array) {
        r->frames[r->depth - 1].index++;
    }
    return status;
}

/* Ten million numbers of a 32 GiB document are the bytes of digests. */
static cuzk_status on_inner_event(void *arg, json_event event, const char *text, size_t len,
                                  size_t offset, cuzk_error *err) {
    c1_reader *r = arg;
    (void)err;
    r->offset = offset;
    if (event == JSON_NUMBER && r->depth > 0) {
        frame *f = &r->frames[r->depth - 1];
        unsigned value;
        if (f->place == P_DIGEST && f->index < DIGEST_BYTES && short_number(&value, text, len) &&
            value <= 255) {
            r->digest->bytes[f->index++] = (uint8_t)value;
            return CUZK_OK;
        }
    }
    return on_rare_event(r, event, text, len);
}

/* ---- the inner document ---- */

/* Puts "FAULT" or "FAULT: NAME" in front of the text and records the name; the offset stays. */
static void name_fault(cuzk_error *err, const char *fault, const char *name) {
    if (err == NULL) {
        return;
    }
    int64_t offset = err->offset;
    if (name != NULL) {
        cuzk_error_at_file(err, name, CUZK_NOWHERE);
        err->offset = offset;
    }
    cuzk_error_prefix(err, "%s: ", fault);
}

/* What can be known only at the end: the type may come after the proofs. */
static cuzk_status check_counts(const porep_proof *p, const sector_size *size, const char *name,
                                cuzk_error *err) {
    const seal_proof_type *t = p->type;
    if (t->size == size && p->n_partitions < t->n_partitions) {
        char fault[80];
        snprintf(fault, sizeof fault, "partition %u >= vanilla_proofs.len() %u", p->n_partitions,
                 p->n_partitions);
        cuzk_fail(err, CUZK_E_INPUT, "%s has %u partitions", t->name, t->n_partitions);
        name_fault(err, fault, name);
        return CUZK_E_INPUT;
    }
    if (t->size != size) {
        cuzk_fail(err, CUZK_E_INPUT,
                  "registered_proof is %s, but vanilla_proofs has those of a %s sector", t->name,
                  size->name);
    } else if (p->n_partitions > t->n_partitions) {
        cuzk_fail(err, CUZK_E_INPUT, "vanilla_proofs: %u partitions, expected %u of %s",
                  p->n_partitions, t->n_partitions, t->name);
    } else if (p->n_challenges != t->n_challenges) {
        cuzk_fail(err, CUZK_E_INPUT,
                  "vanilla_proofs: partition 0 has %u challenges, expected %u of %s",
                  p->n_challenges, t->n_challenges, t->name);
        if (err != NULL) {
            err->partition = 0;
        }
    } else {
        return CUZK_OK;
    }
    name_fault(err, inner_fault, name);
    return CUZK_E_INPUT;
}

static cuzk_status read_inner(porep_proof *proof, cuzk_account *account, const uint8_t *data,
                              size_t len_bytes, const char *name, cuzk_error *err) {
    c1_reader *r = calloc(1, sizeof *r);
    proof_memory *memory = calloc(1, sizeof *memory);
    if (r == NULL || memory == NULL) {
        free(r);
        free(memory);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory to read a C1 document");
    }
    memory->account = account;
    proof->memory = memory;
    r->proof = proof;
    r->err = err;
    cuzk_status status = cuzk_json_read(data, len_bytes, MAX_DEPTH, on_inner_event, r, err);
    if (status == CUZK_E_INPUT) {
        name_fault(err, inner_fault, name);
    } else if (status == CUZK_OK) {
        status = check_counts(proof, r->size, name, err);
    }
    free(r);
    return status;
}

/* ---- the wrapper ---- */

typedef struct wrapper {
    cuzk_account *account;
    unsigned depth, seen;
    int key; /* of the object at depth 1, -1 if unknown */
    cuzk_block inner;
    size_t inner_bytes;
    bool base64_failed;
    uint64_t numbers[2]; /* SectorNum, SectorSize */
    size_t offset;
} wrapper;

enum { W_SECTOR_NUM, W_SECTOR_SIZE, W_PHASE1_OUT, W_KEYS };
static const char *const wrapper_keys[W_KEYS] = {"SectorNum", "SectorSize", "Phase1Out"};

__attribute__((format(printf, 3, 4))) static cuzk_status
fail_wrapper(const wrapper *w, cuzk_error *err, const char *format, ...) {
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    cuzk_fail(err, CUZK_E_INPUT, "offset %zu: %s", w->offset, what);
    if (err != NULL) {
        err->offset = (int64_t)w->offset;
    }
    return CUZK_E_INPUT;
}

static cuzk_status on_wrapper_key(wrapper *w, const char *text, size_t len, cuzk_error *err) {
    w->key = -1;
    for (int i = 0; i < W_KEYS; i++) {
        if (strlen(wrapper_keys[i]) == len && memcmp(wrapper_keys[i], text, len) == 0) {
            if (w->seen >> i & 1) {
                return fail_wrapper(w, err, "duplicate field `%s`", wrapper_keys[i]);
            }
            w->seen |= 1u << i;
            w->key = i;
        }
    }
    return CUZK_OK;
}

static cuzk_status on_wrapper_value(wrapper *w, json_event event, const char *text, size_t len,
                                    cuzk_error *err) {
    const char *key = wrapper_keys[w->key];
    if (w->key != W_PHASE1_OUT) {
        bool good = event == JSON_NUMBER && cuzk_json_u64(&w->numbers[w->key], text, len);
        return good ? CUZK_OK : fail_wrapper(w, err, "%s: expected an unsigned integer", key);
    }
    if (event != JSON_STRING) {
        return fail_wrapper(w, err, "%s: expected a string", key);
    }
    cuzk_status status =
        cuzk_block_alloc(&w->inner, w->account, base64_room(len), "the decoded Phase1Out", err);
    if (status == CUZK_OK) {
        status = cuzk_base64_decode(w->inner.data, &w->inner_bytes, text, len, err);
        w->base64_failed = status == CUZK_E_INPUT;
    }
    return status;
}

static cuzk_status on_wrapper_event(void *arg, json_event event, const char *text, size_t len,
                                    size_t offset, cuzk_error *err) {
    wrapper *w = arg;
    w->offset = offset;
    if (w->depth == 0 && event != JSON_BEGIN_OBJECT) {
        return fail_wrapper(w, err, "expected an object");
    }
    if (w->depth == 1 && event == JSON_KEY) {
        return on_wrapper_key(w, text, len, err);
    }
    if (w->depth == 1 && w->key >= 0 && event != JSON_END_OBJECT) {
        return on_wrapper_value(w, event, text, len, err);
    }
    w->depth += event == JSON_BEGIN_OBJECT || event == JSON_BEGIN_ARRAY;
    w->depth -= event == JSON_END_OBJECT || event == JSON_END_ARRAY;
    return CUZK_OK;
}

static cuzk_status read_wrapper(wrapper *w, const uint8_t *data, size_t len_bytes, const char *name,
                                cuzk_error *err) {
    cuzk_status status = cuzk_json_read(data, len_bytes, MAX_DEPTH, on_wrapper_event, w, err);
    if (status == CUZK_OK && (w->seen >> W_PHASE1_OUT & 1) == 0) {
        status = fail_wrapper(w, err, "missing field `%s`", wrapper_keys[W_PHASE1_OUT]);
    }
    if (status == CUZK_E_INPUT) {
        name_fault(err, w->base64_failed ? base64_fault : outer_fault, name);
    }
    return status;
}

cuzk_status cuzk_c1_read(porep_proof *proof, const cuzk_ctx *ctx, const uint8_t *data,
                         size_t len_bytes, const char *name, cuzk_error *err) {
    memset(proof, 0, sizeof *proof);
    wrapper w = {.account = ctx->account, .key = -1};
    cuzk_status status = read_wrapper(&w, data, len_bytes, name, err);
    if (status == CUZK_OK) {
        proof->has_sector_number = w.seen >> W_SECTOR_NUM & 1;
        proof->sector_number = w.numbers[W_SECTOR_NUM];
        status = read_inner(proof, ctx->account, w.inner.data, w.inner_bytes, name, err);
    }
    cuzk_block_free(&w.inner);
    if (status != CUZK_OK) {
        cuzk_porep_proof_clear(proof);
    }
    return status;
}

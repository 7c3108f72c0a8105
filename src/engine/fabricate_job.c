/* One folder for each input: the payload, proof by proof on its way from the fabricator to its
 * files, and the manifest, last. */
#include "engine/fabricate_job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "codec/base64.h"
#include "codec/json_writer.h"
#include "filecoin/c1_writer.h"
#include "filecoin/fabricate_porep.h"
#include "filecoin/fabricate_post.h"
#include "filecoin/fabricate_update.h"
#include "filecoin/identity.h"
#include "filecoin/post_inputs.h"
#include "filecoin/vanilla_writer.h"

#define MAX_SECTORS ((uint64_t)1 << 20)
#define NAME_CHARS 40 /* "sector-18446744073709551615.vproof" */

typedef struct job {
    cuzk_ctx ctx;
    const cuzk_fabrication *wish;
    cuzk_fabricated *made;
    const sector_size *size;
    const seal_proof_type *seal; /* of the kind's three, one is set */
    const post_proof_type *post; /* Winning and Window */
    const update_proof_type *update;
    cuzk_error *err;
} job;

/* ---- what is wanted ---- */

static unsigned type_number(const job *j) {
    return j->seal != NULL   ? j->seal->number
           : j->post != NULL ? j->post->number
                             : j->update->number;
}

static const char *type_name(const job *j) {
    return j->seal != NULL ? j->seal->name : j->post != NULL ? j->post->name : j->update->name;
}

/* The type of a number, if the kind has one. */
static bool set_type(job *j, uint64_t number) {
    bool winning = j->wish->kind == CUZK_WINNING_POST;
    switch (j->wish->kind) {
    case CUZK_POREP:
        j->seal = cuzk_seal_proof_by_number(number);
        j->size = j->seal != NULL ? j->seal->size : NULL;
        return j->seal != NULL;
    case CUZK_SNAP:
        j->update = cuzk_update_proof_by_number(number);
        j->size = j->update != NULL ? j->update->size : NULL;
        return j->update != NULL;
    case CUZK_WINDOW_POST:
    case CUZK_WINNING_POST:
        j->post = cuzk_post_proof_by_number(number);
        if (j->post != NULL && j->post->winning != winning) {
            j->post = NULL;
        }
        j->size = j->post != NULL ? j->post->size : NULL;
        return j->post != NULL;
    }
    return false;
}

/* The types of a kind come in groups, one for each version, of five sizes. The one in use: V1_1,
 * interactive. */
static cuzk_status choose_type(job *j) {
    const cuzk_fabrication *wish = j->wish;
    const unsigned newest[] = {
        [CUZK_POREP] = 5, [CUZK_SNAP] = 0, [CUZK_WINDOW_POST] = 10, [CUZK_WINNING_POST] = 0};
    if (wish->has_registered_proof) {
        if (!set_type(j, wish->registered_proof)) {
            return cuzk_fail(j->err, CUZK_E_RANGE,
                             "there is no registered proof %" PRIu64 " of this kind",
                             wish->registered_proof);
        }
        if (wish->sector_bytes != 0 && wish->sector_bytes != j->size->bytes) {
            return cuzk_fail(j->err, CUZK_E_RANGE,
                             "registered proof %" PRIu64 " is of %s sectors, not of %" PRIu64
                             " bytes",
                             wish->registered_proof, j->size->name, wish->sector_bytes);
        }
        return CUZK_OK;
    }
    for (unsigned i = 0; i < 5; i++) {
        if (set_type(j, newest[wish->kind] + i) && j->size->bytes == wish->sector_bytes) {
            return CUZK_OK;
        }
    }
    return cuzk_fail(j->err, CUZK_E_RANGE,
                     "no registered proof is of sectors of %" PRIu64
                     " bytes: 2KiB, 8MiB, 512MiB, 32GiB or 64GiB",
                     wish->sector_bytes);
}

static cuzk_status check_numbers(const job *j) {
    const cuzk_fabrication *wish = j->wish;
    if (wish->kind != CUZK_WINDOW_POST && wish->n_sectors != 1) {
        return cuzk_fail(j->err, CUZK_E_RANGE, "only WindowPoSt proves several sectors");
    }
    if (wish->n_sectors == 0 || wish->n_sectors > MAX_SECTORS ||
        wish->sector_number > UINT64_MAX - (wish->n_sectors - 1)) {
        return cuzk_fail(j->err, CUZK_E_RANGE,
                         "number of sectors: %" PRIu64 ", should be 1 .. %" PRIu64
                         " with numbers below 2^64",
                         wish->n_sectors, MAX_SECTORS);
    }
    return CUZK_OK;
}

/* ---- files ---- */

/* directory/name, for free(); NULL after a failure. */
static char *path_of(const job *j, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", j->wish->directory, name) < 0) {
        cuzk_fail(j->err, CUZK_E_NO_MEMORY, "no memory for a file name");
        return NULL;
    }
    return path;
}

static cuzk_status check_absent(const job *j, const char *name) {
    char *path = path_of(j, name);
    if (path == NULL) {
        return CUZK_E_NO_MEMORY;
    }
    cuzk_status status = CUZK_OK;
    if (cuzk_file_exists(path)) {
        status = cuzk_fail(j->err, CUZK_E_IO, "exists already and is not overwritten");
        cuzk_error_at_file(j->err, path, CUZK_NOWHERE);
    }
    free(path);
    return status;
}

static cuzk_status make_directory(const job *j) {
    const char *directory = j->wish->directory;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        cuzk_fail(j->err, CUZK_E_IO, "cannot make the directory: %s", strerror(errno));
        cuzk_error_at_file(j->err, directory, CUZK_NOWHERE);
        return CUZK_E_IO;
    }
    static const char *const names[] = {"manifest.json", "c1.json", "vanilla.json"};
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == CUZK_OK; i++) {
        status = check_absent(j, names[i]);
    }
    return status;
}

static cuzk_status create(const job *j, cuzk_outfile **out, const char *name) {
    char *path = path_of(j, name);
    if (path == NULL) {
        return CUZK_E_NO_MEMORY;
    }
    cuzk_status status = cuzk_outfile_create(out, path, 0666, 0, j->err);
    free(path);
    return status;
}

static cuzk_status write_file(const job *j, const char *name, const void *data, size_t len_bytes) {
    cuzk_outfile *out;
    cuzk_status status = create(j, &out, name);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_outfile_write(out, data, len_bytes, j->err);
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(out);
        return status;
    }
    return cuzk_outfile_commit(out, false, j->err);
}

/* Binary proofs, each in a file of its own and all of them in vanilla.json. */
typedef struct proof_list {
    const job *job;
    cuzk_outfile *out;
    size_t n;
    uint8_t *document; /* room for one */
    char *text;        /* and for its base64 between quotes */
    size_t document_bytes;
} proof_list;

/* document_bytes: of every proof */
static cuzk_status list_open(proof_list *list, const job *j, size_t document_bytes) {
    *list = (proof_list){.job = j, .document_bytes = document_bytes};
    list->document = malloc(document_bytes);
    list->text = malloc(base64_length(document_bytes) + 4);
    if (list->document == NULL || list->text == NULL) {
        return cuzk_fail(j->err, CUZK_E_NO_MEMORY, "no memory for vanilla proofs");
    }
    return create(j, &list->out, "vanilla.json");
}

/* Adds list->document. */
static cuzk_status list_add(proof_list *list, const char *name) {
    size_t len = base64_length(list->document_bytes);
    memcpy(list->text, list->n++ == 0 ? "[\"" : ",\"", 2);
    cuzk_base64_encode(list->text + 2, list->document, list->document_bytes);
    list->text[len + 2] = '"';
    cuzk_status status = cuzk_outfile_write(list->out, list->text, len + 3, list->job->err);
    return status == CUZK_OK ? write_file(list->job, name, list->document, list->document_bytes)
                             : status;
}

/* Ends the list in any case. status: of the adds */
static cuzk_status list_close(proof_list *list, cuzk_status status) {
    free(list->document);
    free(list->text);
    if (status == CUZK_OK) {
        status = cuzk_outfile_write(list->out, "]", 1, list->job->err);
    }
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(list->out);
        return status;
    }
    return cuzk_outfile_commit(list->out, false, list->job->err);
}

/* ---- the manifest ---- */

static void put_digest(json_writer *w, const char *key, const digest *d) {
    cuzk_json_put_hex(w, key, d->bytes, DIGEST_BYTES);
}

/* What every kind has; the list of files is the caller's. */
static void manifest_begin(json_writer *w, const job *j, unsigned n_partitions) {
    static const char *const kinds[] = {[CUZK_POREP] = "porep",
                                        [CUZK_SNAP] = "update",
                                        [CUZK_WINDOW_POST] = "window",
                                        [CUZK_WINNING_POST] = "winning"};
    digest prover_id;
    cuzk_prover_id(&prover_id, j->wish->miner_id);
    j->made->registered_proof = type_number(j);
    j->made->n_partitions = n_partitions;
    *w = (json_writer){0};
    cuzk_json_begin_object(w, NULL);
    cuzk_json_put_text(w, "kind", kinds[j->wish->kind]);
    cuzk_json_put_u64(w, "registered_proof", type_number(j));
    cuzk_json_put_text(w, "registered_proof_name", type_name(j));
    cuzk_json_put_u64(w, "sector_size", j->size->bytes);
    cuzk_json_put_u64(w, "miner_id", j->wish->miner_id);
    put_digest(w, "prover_id", &prover_id);
    cuzk_json_put_u64(w, "partitions", n_partitions);
    cuzk_json_put_u64(w, "fabricated_from", j->wish->seed);
}

static cuzk_status manifest_end(json_writer *w, const job *j) {
    char *text;
    size_t len;
    cuzk_json_end(w);
    cuzk_status status = cuzk_json_finish(w, &text, &len, j->err);
    if (status == CUZK_OK) {
        text[len] = '\n'; /* over the zero byte */
        status = write_file(j, "manifest.json", text, len + 1);
        free(text);
    }
    return status;
}

/* ---- the kinds ---- */

static cuzk_status to_outfile(void *arg, const void *data, size_t len_bytes, cuzk_error *err) {
    return cuzk_outfile_write(arg, data, len_bytes, err);
}

static cuzk_status write_c1(const job *j, fabricated_porep *made) {
    const porep_proof *document = cuzk_fabricated_porep_document(made);
    size_t n = (size_t)document->n_partitions * document->n_challenges;
    cuzk_outfile *out;
    c1_writer *writer;
    cuzk_status status = create(j, &out, "c1.json");
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_c1_writer_create(&writer, document, to_outfile, out, j->err);
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        if (cuzk_ctx_cancelled(&j->ctx)) {
            cuzk_c1_writer_abandon(writer);
            status = cuzk_fail(j->err, CUZK_E_CANCELLED, "cancelled");
        } else {
            cuzk_c1_writer_put(writer, cuzk_fabricated_porep_challenge(made, i));
            cuzk_ctx_progress(&j->ctx, "c1.json", i + 1, n);
        }
    }
    if (status == CUZK_OK) {
        status = cuzk_c1_writer_finish(writer, j->err);
    }
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(out);
        return status;
    }
    return cuzk_outfile_commit(out, false, j->err);
}

static cuzk_status make_porep(const job *j) {
    const porep_request request = {.miner_id = j->wish->miner_id,
                                   .sector_number = j->wish->sector_number};
    fabricated_porep *made;
    cuzk_status status =
        cuzk_fabricate_porep(&made, &j->ctx, j->seal, j->wish->seed, &request, j->err);
    if (status != CUZK_OK) {
        return status;
    }
    status = write_c1(j, made);
    if (status == CUZK_OK) {
        const porep_proof *d = cuzk_fabricated_porep_document(made);
        json_writer w;
        manifest_begin(&w, j, d->n_partitions);
        cuzk_json_begin_array(&w, "files");
        cuzk_json_put_text(&w, NULL, "c1.json");
        cuzk_json_end(&w);
        cuzk_json_put_u64(&w, "sector_number", d->sector_number);
        put_digest(&w, "ticket", &d->ticket);
        put_digest(&w, "seed", &d->seed);
        put_digest(&w, "comm_d", &d->comm_d);
        put_digest(&w, "comm_r", &d->comm_r);
        put_digest(&w, "replica_id", &d->replica_id);
        status = manifest_end(&w, j);
    }
    cuzk_fabricated_porep_destroy(made);
    return status;
}

static void sector_file(char name[NAME_CHARS], const job *j, uint64_t place) {
    snprintf(name, NAME_CHARS, "sector-%" PRIu64 ".vproof", j->wish->sector_number + place);
}

/* comm_r: out, of every sector */
static cuzk_status write_sectors(const job *j, digest *comm_r, const digest *randomness) {
    proof_list list;
    const tree_shape *shape = &j->size->shape;
    cuzk_status status =
        list_open(&list, j, cuzk_post_sector_bytes(shape, cuzk_post_sector_challenges(j->post)));
    for (uint64_t i = 0; i < j->wish->n_sectors && status == CUZK_OK; i++) {
        char name[NAME_CHARS];
        post_sector_proof proof;
        status = cuzk_fabricate_post_sector(&proof, &j->ctx, j->post, j->wish->seed, randomness,
                                            j->wish->sector_number + i, i, j->err);
        if (status == CUZK_OK) {
            comm_r[i] = proof.comm_r;
            cuzk_post_sector_write(list.document, &proof, shape);
            cuzk_post_sector_clear(&proof);
            sector_file(name, j, i);
            status = list_add(&list, name);
            cuzk_ctx_progress(&j->ctx, "sectors", i + 1, j->wish->n_sectors);
        }
    }
    return list_close(&list, status);
}

static cuzk_status write_post_manifest(const job *j, const digest *comm_r,
                                       const digest *randomness) {
    json_writer w;
    uint64_t n = j->wish->n_sectors;
    size_t of_each = cuzk_post_partition_sectors(j->post);
    manifest_begin(&w, j, (unsigned)((n + of_each - 1) / of_each));
    cuzk_json_begin_array(&w, "files");
    for (uint64_t i = 0; i < n; i++) {
        char name[NAME_CHARS];
        sector_file(name, j, i);
        cuzk_json_put_text(&w, NULL, name);
    }
    cuzk_json_end(&w);
    put_digest(&w, "randomness", randomness);
    cuzk_json_begin_array(&w, "sectors");
    for (uint64_t i = 0; i < n; i++) {
        cuzk_json_begin_object(&w, NULL);
        cuzk_json_put_u64(&w, "sector_number", j->wish->sector_number + i);
        put_digest(&w, "comm_r", &comm_r[i]);
        cuzk_json_end(&w);
    }
    cuzk_json_end(&w);
    return manifest_end(&w, j);
}

static cuzk_status make_post(const job *j) {
    const fabricate_source source = {j->wish->seed, "post randomness", 0};
    digest randomness;
    cuzk_fabricate_value(&randomness, &source, 0, 0);
    memcpy(j->made->randomness, randomness.bytes, DIGEST_BYTES);
    digest *comm_r = malloc((size_t)j->wish->n_sectors * sizeof *comm_r);
    if (comm_r == NULL) {
        return cuzk_fail(j->err, CUZK_E_NO_MEMORY, "no memory for a list of sectors");
    }
    cuzk_status status = write_sectors(j, comm_r, &randomness);
    if (status == CUZK_OK) {
        status = write_post_manifest(j, comm_r, &randomness);
    }
    free(comm_r);
    return status;
}

static cuzk_status write_partitions(const job *j, const fabricated_update *made) {
    const param_set *set = &made->set;
    proof_list list;
    cuzk_status status =
        list_open(&list, j,
                  cuzk_update_partition_bytes(&set->shape, set->log2_nodes, set->n_apex_leaves,
                                              set->n_challenges));
    for (unsigned k = 0; k < set->n_partitions && status == CUZK_OK; k++) {
        char name[NAME_CHARS];
        update_partition_proof proof;
        status = cuzk_fabricated_update_partition(&proof, made, k, j->err);
        if (status == CUZK_OK) {
            cuzk_update_partition_write(list.document, &proof, &set->shape, set->log2_nodes);
            cuzk_update_partition_clear(&proof);
            snprintf(name, sizeof name, "partition-%u.vproof", k);
            status = list_add(&list, name);
            cuzk_ctx_progress(&j->ctx, "partitions", k + 1, set->n_partitions);
        }
        if (status == CUZK_OK && cuzk_ctx_cancelled(&j->ctx)) {
            status = cuzk_fail(j->err, CUZK_E_CANCELLED, "cancelled");
        }
    }
    return list_close(&list, status);
}

static cuzk_status make_update(const job *j) {
    fabricated_update made;
    cuzk_status status = cuzk_fabricate_update(&made, &j->ctx, j->size, j->wish->seed,
                                               j->wish->sector_number, j->err);
    if (status != CUZK_OK) {
        return status;
    }
    memcpy(j->made->comm_r_old, made.comm_r_old.bytes, DIGEST_BYTES);
    memcpy(j->made->comm_r_new, made.comm_r_new.bytes, DIGEST_BYTES);
    memcpy(j->made->comm_d_new, made.comm_d_new.bytes, DIGEST_BYTES);
    status = write_partitions(j, &made);
    if (status == CUZK_OK) {
        json_writer w;
        manifest_begin(&w, j, made.set.n_partitions);
        cuzk_json_begin_array(&w, "files");
        for (unsigned k = 0; k < made.set.n_partitions; k++) {
            char name[NAME_CHARS];
            snprintf(name, sizeof name, "partition-%u.vproof", k);
            cuzk_json_put_text(&w, NULL, name);
        }
        cuzk_json_end(&w);
        cuzk_json_put_u64(&w, "sector_number", j->wish->sector_number);
        put_digest(&w, "comm_r_old", &made.comm_r_old);
        put_digest(&w, "comm_r_new", &made.comm_r_new);
        put_digest(&w, "comm_d_new", &made.comm_d_new);
        status = manifest_end(&w, j);
    }
    cuzk_fabricated_update_clear(&made);
    return status;
}

cuzk_status cuzk_fabricate_run(cuzk_prover *prover, cuzk_fabricated *made,
                               const cuzk_fabrication *fabrication, cuzk_error *err) {
    job j = {.ctx = cuzk_prover_ctx(prover), .wish = fabrication, .made = made, .err = err};
    *made = (cuzk_fabricated){0};
    cuzk_status status = choose_type(&j);
    if (status == CUZK_OK) {
        status = check_numbers(&j);
    }
    if (status == CUZK_OK) {
        status = make_directory(&j);
    }
    if (status != CUZK_OK) {
        return status;
    }
    return j.seal != NULL ? make_porep(&j) : j.post != NULL ? make_post(&j) : make_update(&j);
}

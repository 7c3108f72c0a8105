/* Reading `.params` files: resident, or decoded chunk by chunk, read ahead or not. */
#include "srs/params_file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "msm/msm.h"
#include "srs/srs_internal.h"
#include "srs/vk_internal.h"

/* Points between two looks at the cancel flag and two reports of progress. */
#define STEP_POINTS ((size_t)1 << 20)
#define CHECK_STEP_POINTS ((size_t)1 << 13)

#define DEFAULT_BUFFERS 2

/* Where an acquired chunk lies: one of the kept buffers, or a block of its own. */
typedef struct chunk_buffer {
    cuzk_block block;
    bool kept, out;
} chunk_buffer;

struct srs_params {
    groth16_pk pk;
    srs_vk key;
    srs_bytes bytes;
    char *name;
    srs_layout layout;
    cuzk_account *account;
    point_check check;
    cuzk_block points; /* resident: all sections */
    const void *sections[GROTH16_SECTIONS];
    srs_stream *stream; /* streamed: what reads ahead, for one acquire at a time */
    pthread_mutex_t turn;
    pthread_mutex_t mutex; /* guards `out` of the buffers */
    unsigned n_buffers;
    chunk_buffer buffers[SRS_MAX_BUFFERS];
};

static bool section_is_g2(groth16_section section) { return section == GROTH16_B_G2; }

static uint64_t point_offset(const srs_params *params, groth16_section section, uint64_t first) {
    return params->layout.sections[section].offset +
           first * srs_encoded_bytes(section_is_g2(section));
}

static cuzk_status decode_section(const srs_params *params, const cuzk_ctx *ctx, void *out,
                                  const srs_bytes *bytes, groth16_section section, uint64_t first,
                                  size_t n, point_check check, cuzk_error *err) {
    const bool is_g2 = section_is_g2(section);
    const srs_run run = {.section = cuzk_srs_section_names[section],
                         .first_index = first,
                         .offset = point_offset(params, section, first),
                         .n = n,
                         .is_g2 = is_g2,
                         .check = check};
    return cuzk_srs_decode(ctx, out, bytes, &run, err);
}

/* ---- the source ---- */

static void lend(groth16_chunk *chunk, groth16_section section, const void *points, void *hold) {
    *chunk = (groth16_chunk){.hold = hold};
    if (section_is_g2(section)) {
        chunk->g2 = points;
    } else {
        chunk->g1 = points;
    }
}

static cuzk_status resident_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                                    groth16_section section, uint64_t first, size_t count,
                                    cuzk_error *err) {
    (void)ctx;
    (void)err;
    const srs_params *params = self;
    const uint64_t n_points = params->layout.sections[section].n_points;
    CUZK_ASSERT(first <= n_points && count <= n_points - first);
    const size_t skip = (size_t)first * srs_point_bytes(section_is_g2(section));
    lend(chunk, section, (const uint8_t *)params->sections[section] + skip, NULL);
    return CUZK_OK;
}

static void resident_release(void *self, groth16_chunk *chunk) {
    (void)self;
    *chunk = (groth16_chunk){0};
}

static cuzk_status take_buffer(srs_params *params, chunk_buffer **taken, size_t len_bytes,
                               cuzk_error *err) {
    *taken = NULL;
    pthread_mutex_lock(&params->mutex);
    for (unsigned i = 0; i < params->n_buffers && *taken == NULL; i++) {
        if (!params->buffers[i].out) {
            *taken = &params->buffers[i];
            (*taken)->out = true;
        }
    }
    pthread_mutex_unlock(&params->mutex);
    if (*taken != NULL) {
        return CUZK_OK;
    }
    chunk_buffer *extra = calloc(1, sizeof *extra);
    if (extra == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a chunk of parameters");
    }
    cuzk_status status =
        cuzk_block_alloc(&extra->block, params->account, len_bytes, "chunk of parameters", err);
    if (status != CUZK_OK) {
        free(extra);
        return status;
    }
    *taken = extra;
    return CUZK_OK;
}

static void give_buffer(srs_params *params, chunk_buffer *buffer) {
    if (buffer->kept) {
        pthread_mutex_lock(&params->mutex);
        buffer->out = false;
        pthread_mutex_unlock(&params->mutex);
    } else {
        cuzk_block_free(&buffer->block);
        free(buffer);
    }
}

/* The system reads what probably comes next. */
static void read_ahead(const srs_params *params, groth16_section section, uint64_t next,
                       size_t count) {
    const uint64_t left = params->layout.sections[section].n_points - next;
    const uint64_t n = left < count ? left : count;
    if (n > 0) {
        cuzk_srs_bytes_will_need(&params->bytes, point_offset(params, section, next),
                                 n * srs_encoded_bytes(section_is_g2(section)));
    }
}

static cuzk_status decode_from_stream(srs_params *params, const cuzk_ctx *ctx, void *out,
                                      groth16_section section, uint64_t first, size_t count,
                                      cuzk_error *err) {
    const srs_bytes bytes = {.name = params->name,
                             .fd = -1,
                             .stream = params->stream,
                             .len_bytes = params->bytes.len_bytes};
    pthread_mutex_lock(&params->turn);
    cuzk_status status =
        cuzk_srs_stream_wait(params->stream, ctx, point_offset(params, section, first),
                             count * srs_encoded_bytes(section_is_g2(section)), err);
    if (status == CUZK_OK) {
        status =
            decode_section(params, ctx, out, &bytes, section, first, count, params->check, err);
        cuzk_srs_stream_done(params->stream);
    }
    pthread_mutex_unlock(&params->turn);
    return status;
}

static cuzk_status chunk_acquire(void *self, const cuzk_ctx *ctx, groth16_chunk *chunk,
                                 groth16_section section, uint64_t first, size_t count,
                                 cuzk_error *err) {
    srs_params *params = self;
    const uint64_t n_points = params->layout.sections[section].n_points;
    const bool is_g2 = section_is_g2(section);
    CUZK_ASSERT(first <= n_points && count <= n_points - first &&
                count <= params->pk.source.max_chunk);
    chunk_buffer *buffer;
    cuzk_status status = take_buffer(params, &buffer, count * srs_point_bytes(is_g2), err);
    if (status != CUZK_OK) {
        return status;
    }
    if (params->stream != NULL && count > 0) {
        status = decode_from_stream(params, ctx, buffer->block.data, section, first, count, err);
    } else {
        read_ahead(params, section, first + count, count);
        status = decode_section(params, ctx, buffer->block.data, &params->bytes, section, first,
                                count, params->check, err);
    }
    if (status != CUZK_OK) {
        give_buffer(params, buffer);
        return status;
    }
    lend(chunk, section, buffer->block.data, buffer);
    return CUZK_OK;
}

/* Nothing if another pass is using the ring: it would lose what it was lent. */
static void stream_will_need(void *self, groth16_section section) {
    srs_params *params = self;
    if (pthread_mutex_trylock(&params->turn) == 0) {
        cuzk_srs_stream_aim(params->stream, params->layout.sections[section].offset);
        pthread_mutex_unlock(&params->turn);
    }
}

static uint64_t stream_waited_ns(void *self) {
    return cuzk_srs_stream_waited_ns(((const srs_params *)self)->stream);
}

static void chunk_release(void *self, groth16_chunk *chunk) {
    if (chunk->hold != NULL) {
        give_buffer(self, chunk->hold);
    }
    *chunk = (groth16_chunk){0};
}

/* ---- memory ---- */

static size_t longest_chunk(const srs_params_options *options) {
    const size_t most = options->chunk_points != 0 ? options->chunk_points : MSM_CHUNK_POINTS;
    CUZK_ASSERT(most <= SIZE_MAX / sizeof(g2_affine));
    return most;
}

static unsigned buffer_count(const srs_params_options *options) {
    const unsigned n = options->tier == SRS_STREAMED ? 1
                       : options->n_buffers != 0     ? options->n_buffers
                                                     : DEFAULT_BUFFERS;
    CUZK_ASSERT(n <= SRS_MAX_BUFFERS);
    return n;
}

/* Decoded points of the longest chunk of any section. */
static size_t buffer_length(const groth16_dims *dims, const srs_params_options *options) {
    const size_t most = longest_chunk(options);
    size_t longest = 0;
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        const uint64_t n_points = groth16_section_points(dims, (groth16_section)i);
        const size_t n = n_points < most ? (size_t)n_points : most;
        const size_t len_bytes = n * srs_point_bytes(section_is_g2((groth16_section)i));
        longest = len_bytes > longest ? len_bytes : longest;
    }
    return longest;
}

/* Reads of a ring: no longer than the file; enough of them for the longest chunk, and no more than
 * the file has. */
typedef struct ring_shape {
    size_t read_bytes, n_reads;
} ring_shape;

static ring_shape ring_shape_of(const groth16_dims *dims, uint64_t file_bytes,
                                const srs_params_options *options) {
    const size_t wanted = options->ring_bytes != 0 ? options->ring_bytes : SRS_RING_BYTES;
    const uint64_t whole = size_round_up(file_bytes, SRS_READ_ALIGN);
    size_t read_bytes = options->read_bytes != 0 ? options->read_bytes : SRS_READ_BYTES;
    read_bytes = whole < read_bytes ? (size_t)whole : read_bytes;
    const size_t n_most = (size_t)(file_bytes / read_bytes) + 3,
                 n_least = buffer_length(dims, options) / read_bytes + 3;
    size_t n_reads = wanted / read_bytes;
    n_reads = n_reads < n_least ? n_least : n_reads;
    return (ring_shape){read_bytes, n_reads < n_most ? n_reads : n_most};
}

/* All points. No overflow: counts have 32 bits. */
static size_t resident_bytes(const groth16_dims *dims) {
    size_t total = 0;
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        total += scratch_need((size_t)groth16_section_points(dims, (groth16_section)i),
                              srs_point_bytes(section_is_g2((groth16_section)i)));
    }
    return total;
}

size_t cuzk_srs_params_bytes(const groth16_dims *dims, const srs_params_options *options) {
    static const srs_params_options defaults;
    uint64_t file_bytes;
    options = options != NULL ? options : &defaults;
    if (cuzk_srs_params_file_bytes(&file_bytes, dims, NULL) != CUZK_OK) {
        return SIZE_MAX; /* no such file: counts beyond 32 bits */
    }
    const size_t key_bytes = (size_t)dims->n_inputs * sizeof(g1_affine);
    const size_t buffers_bytes = buffer_count(options) * buffer_length(dims, options);
    switch (options->tier) {
    case SRS_MAPPED:
        return key_bytes + buffers_bytes;
    case SRS_STREAMED: {
        const ring_shape ring = ring_shape_of(dims, file_bytes, options);
        return key_bytes + buffers_bytes + ring.read_bytes * ring.n_reads;
    }
    case SRS_RESIDENT:
        break;
    }
    return key_bytes + resident_bytes(dims);
}

/* ---- opening ---- */

static cuzk_status prepare_chunks(srs_params *params, const srs_params_options *options,
                                  cuzk_error *err) {
    const size_t buffer_bytes = buffer_length(&params->pk.dims, options);
    for (unsigned i = 0; i < buffer_count(options); i++) {
        cuzk_status status = cuzk_block_alloc(&params->buffers[i].block, params->account,
                                              buffer_bytes, "chunk buffer of parameters", err);
        if (status != CUZK_OK) {
            return status;
        }
        params->buffers[i].kept = true;
        params->n_buffers++;
    }
    return CUZK_OK;
}

static cuzk_status prepare_stream(srs_params *params, const srs_params_options *options,
                                  cuzk_error *err) {
    const srs_layout *layout = &params->layout;
    const ring_shape ring = ring_shape_of(&params->pk.dims, params->bytes.len_bytes, options);
    const uint64_t n_h = layout->sections[GROTH16_H].n_points;
    const srs_stream_options wanted = {
        .path = params->name,
        .fd = params->bytes.fd,
        .ranges = {{layout->sections[GROTH16_L].offset, params->bytes.len_bytes},
                   {layout->sections[GROTH16_H].offset, point_offset(params, GROTH16_H, n_h)}},
        .read_bytes = ring.read_bytes,
        .n_reads = ring.n_reads,
        .buffered = options->buffered};
    return cuzk_srs_stream_open(&params->stream, params->account, &wanted, err);
}

static groth16_source source_of(const groth16_dims *dims, const srs_params_options *options) {
    if (options->tier == SRS_RESIDENT) {
        return (groth16_source){
            .acquire = resident_acquire, .release = resident_release, .max_chunk = SIZE_MAX};
    }
    groth16_source source = {.acquire = chunk_acquire,
                             .release = chunk_release,
                             .max_chunk = longest_chunk(options),
                             .chunk_bytes = buffer_length(dims, options)};
    if (options->tier == SRS_STREAMED) {
        source.will_need = stream_will_need;
        source.waited_ns = stream_waited_ns;
    }
    return source;
}

groth16_pk cuzk_srs_planned_pk(const groth16_dims *dims, const srs_params_options *options) {
    return (groth16_pk){.dims = *dims, .source = source_of(dims, options)};
}

static uint64_t count_points(const srs_layout *layout) {
    uint64_t n = 0;
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        n += layout->sections[i].n_points;
    }
    return n;
}

/* Decodes all sections in order, in steps. out[i]: room for section i; NULL: only check. */
static cuzk_status walk_sections(const srs_params *params, const cuzk_ctx *ctx,
                                 uint8_t *const out[GROTH16_SECTIONS], size_t step_points,
                                 point_check check, const char *phase, cuzk_error *err) {
    const uint64_t total = count_points(&params->layout);
    uint64_t done = 0;
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        const groth16_section section = (groth16_section)i;
        const uint64_t n_points = params->layout.sections[i].n_points;
        const size_t size = srs_point_bytes(section_is_g2(section));
        for (uint64_t first = 0; first < n_points;) {
            const size_t n =
                n_points - first < step_points ? (size_t)(n_points - first) : step_points;
            void *to = out == NULL ? NULL : out[i] + (size_t)first * size;
            cuzk_status status =
                decode_section(params, ctx, to, &params->bytes, section, first, n, check, err);
            if (status != CUZK_OK) {
                return status;
            }
            first += n;
            done += n;
            cuzk_ctx_progress(ctx, phase, done, total);
        }
    }
    return CUZK_OK;
}

static cuzk_status load_resident(srs_params *params, const cuzk_ctx *ctx, cuzk_error *err) {
    cuzk_status status = cuzk_block_alloc(&params->points, params->account,
                                          resident_bytes(&params->pk.dims), "parameters", err);
    if (status != CUZK_OK) {
        return status;
    }
    uint8_t *out[GROTH16_SECTIONS];
    cuzk_scratch scratch = cuzk_block_scratch(&params->points);
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        out[i] = scratch_take(&scratch, (size_t)params->layout.sections[i].n_points,
                              srs_point_bytes(section_is_g2((groth16_section)i)));
        params->sections[i] = out[i];
    }
    return walk_sections(params, ctx, out, STEP_POINTS, params->check, "parameters", err);
}

static void set_dims(srs_params *params) {
    const srs_layout *layout = &params->layout;
    const uint64_t n_h = layout->sections[GROTH16_H].n_points;
    params->pk.dims = (groth16_dims){.log2_domain = (unsigned)__builtin_ctzll(n_h + 1),
                                     .n_inputs = layout->n_ic,
                                     .n_aux = layout->sections[GROTH16_L].n_points,
                                     .n_h = n_h,
                                     .n_l = layout->sections[GROTH16_L].n_points,
                                     .n_a = layout->sections[GROTH16_A].n_points,
                                     .n_b = layout->sections[GROTH16_B_G1].n_points};
}

/* Takes over bytes, also when it fails. */
static cuzk_status open_bytes(srs_params **opened, const cuzk_ctx *ctx, srs_bytes bytes,
                              const srs_params_options *options, cuzk_error *err) {
    static const srs_params_options defaults;
    srs_params_options chosen = options != NULL ? *options : defaults;
    if (bytes.fd < 0 && chosen.tier == SRS_STREAMED) {
        chosen.tier = SRS_MAPPED;
    }
    *opened = NULL;
    srs_params *params = calloc(1, sizeof *params);
    char *name = strdup(bytes.name);
    if (params == NULL || name == NULL) {
        free(params);
        free(name);
        cuzk_srs_bytes_close(&bytes);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for parameters");
    }
    pthread_mutex_init(&params->mutex, NULL);
    pthread_mutex_init(&params->turn, NULL);
    params->bytes = bytes;
    params->bytes.name = params->name = name;
    params->check = chosen.check;
    params->account = ctx->account;
    cuzk_status status = cuzk_srs_layout_read(&params->layout, &params->bytes, err);
    if (status == CUZK_OK) {
        set_dims(params);
        params->pk.source = source_of(&params->pk.dims, &chosen);
        params->pk.source.self = params;
        status = cuzk_srs_vk_read(&params->key, ctx, &params->bytes, params->layout.n_ic, err);
        params->pk.vk = &params->key.vk;
    }
    if (status == CUZK_OK && chosen.tier == SRS_RESIDENT) {
        status = load_resident(params, ctx, err);
    } else if (status == CUZK_OK) {
        status = prepare_chunks(params, &chosen, err);
        if (status == CUZK_OK && chosen.tier == SRS_STREAMED) {
            status = prepare_stream(params, &chosen, err);
        }
    }
    if (status != CUZK_OK) {
        cuzk_srs_params_close(params);
        return status;
    }
    *opened = params;
    return CUZK_OK;
}

cuzk_status cuzk_srs_params_open(srs_params **params, const cuzk_ctx *ctx, const char *path,
                                 const srs_params_options *options, cuzk_error *err) {
    srs_bytes bytes;
    *params = NULL;
    cuzk_status status = cuzk_srs_bytes_open(&bytes, path, err);
    return status != CUZK_OK ? status : open_bytes(params, ctx, bytes, options, err);
}

cuzk_status cuzk_srs_params_of_bytes(srs_params **params, const cuzk_ctx *ctx, const char *name,
                                     const uint8_t *bytes, size_t len_bytes,
                                     const srs_params_options *options, cuzk_error *err) {
    return open_bytes(params, ctx, srs_bytes_of_memory(name, bytes, len_bytes), options, err);
}

void cuzk_srs_params_close(srs_params *params) {
    if (params == NULL) {
        return;
    }
    for (unsigned i = 0; i < params->n_buffers; i++) {
        CUZK_ASSERT(!params->buffers[i].out);
        cuzk_block_free(&params->buffers[i].block);
    }
    cuzk_srs_stream_close(params->stream);
    cuzk_block_free(&params->points);
    cuzk_srs_vk_clear(&params->key);
    cuzk_srs_bytes_close(&params->bytes);
    pthread_mutex_destroy(&params->mutex);
    pthread_mutex_destroy(&params->turn);
    free(params->name);
    free(params);
}

const groth16_pk *cuzk_srs_params_pk(const srs_params *params) { return &params->pk; }

/* ---- comparing and checking ---- */

static cuzk_status compare(const srs_bytes *params, const srs_bytes *vk, uint64_t len_bytes,
                           cuzk_error *err) {
    uint8_t a[4096], b[4096];
    for (uint64_t at = 0; at < len_bytes;) {
        const size_t n = len_bytes - at < sizeof a ? (size_t)(len_bytes - at) : sizeof a;
        const uint8_t *ours = cuzk_srs_bytes_at(params, at, n, a),
                      *theirs = cuzk_srs_bytes_at(vk, at, n, b);
        if (ours == NULL || theirs == NULL) {
            return cuzk_srs_bytes_failed(ours == NULL ? params : vk, at, err);
        }
        size_t i = 0;
        while (i < n && ours[i] == theirs[i]) {
            i++;
        }
        if (i < n) {
            cuzk_fail(err, CUZK_E_BAD_PARAMS, "differs from the key in %s", params->name);
            cuzk_error_at_file(err, vk->name, (int64_t)(at + i));
            return CUZK_E_BAD_PARAMS;
        }
        at += n;
    }
    return CUZK_OK;
}

cuzk_status cuzk_srs_params_same_vk(const srs_params *params, const char *vk_path,
                                    cuzk_error *err) {
    srs_bytes vk;
    cuzk_status status = cuzk_srs_bytes_open(&vk, vk_path, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (vk.len_bytes != params->layout.vk_bytes) {
        status = cuzk_fail(err, CUZK_E_BAD_PARAMS, "%llu bytes long, the key in %s has %llu",
                           (unsigned long long)vk.len_bytes, params->name,
                           (unsigned long long)params->layout.vk_bytes);
        cuzk_error_at_file(err, vk_path, CUZK_NOWHERE);
    } else {
        status = compare(&params->bytes, &vk, vk.len_bytes, err);
    }
    cuzk_srs_bytes_close(&vk);
    return status;
}

cuzk_status cuzk_srs_params_check_points(const cuzk_ctx *ctx, const char *path, cuzk_error *err) {
    const srs_params_options options = {.chunk_points = 1, .n_buffers = 1};
    srs_params *params;
    cuzk_status status = cuzk_srs_params_open(&params, ctx, path, &options, err);
    if (status == CUZK_OK) {
        status = walk_sections(params, ctx, NULL, CHECK_STEP_POINTS, POINT_CHECK_SUBGROUP, "points",
                               err);
    }
    cuzk_srs_params_close(params);
    return status;
}

cuzk_status cuzk_srs_params_file_bytes(uint64_t *len_bytes, const groth16_dims *dims,
                                       cuzk_error *err) {
    if (dims->n_inputs > UINT32_MAX) {
        return cuzk_fail(err, CUZK_E_RANGE, "section ic: %llu points do not fit a parameter file",
                         (unsigned long long)dims->n_inputs);
    }
    *len_bytes = srs_vk_bytes(dims->n_inputs);
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        const uint64_t n_points = groth16_section_points(dims, (groth16_section)i);
        if (n_points > UINT32_MAX) {
            return cuzk_fail(err, CUZK_E_RANGE,
                             "section %s: %llu points do not fit a parameter file",
                             cuzk_srs_section_names[i], (unsigned long long)n_points);
        }
        *len_bytes += 4 + n_points * srs_encoded_bytes(section_is_g2((groth16_section)i));
    }
    return CUZK_OK;
}

/* Runs of scalars, gathered in parts of PART points by the workers. A part writes its own words of
 * the bit vector and the list at its own offset; the lists are then pushed together, which moves
 * nothing in dense stretches and little in stretches of bits. */
#include "groth16/gather.h"

enum { PART = 8192 };

static size_t n_parts(size_t n) { return (n + PART - 1) / PART; }

void cuzk_point_space_init(point_space *space, const bit_vector *inputs, size_t n_inputs,
                           const bit_vector *aux, uint64_t n_aux, uint64_t *ranks) {
    *space = (point_space){.inputs = inputs,
                           .n_inputs = inputs == NULL ? n_inputs : (size_t)inputs->n_set,
                           .aux = aux,
                           .n_aux = n_aux,
                           .ranks = ranks};
    space->n_points = space->n_inputs + (aux == NULL ? n_aux : aux->n_set);
    if (aux == NULL) {
        return;
    }
    CUZK_ASSERT(aux->n == n_aux);
    const uint64_t step = POINT_SPACE_STEP / 64, n_words = (aux->n + 63) / 64;
    uint64_t rank = 0;
    for (uint64_t word = 0; word < n_words; word++) {
        if (word % step == 0) {
            ranks[word / step] = rank;
        }
        rank += (uint64_t)__builtin_popcountll(aux->words[word]);
    }
    if (n_words % step == 0) {
        ranks[n_words / step] = rank;
    }
    CUZK_ASSERT(rank == aux->n_set);
}

/* Index of the k-th set bit (k from 0); k is below aux->n_set. */
static uint64_t space_select(const point_space *space, uint64_t k) {
    if (space->aux == NULL) {
        return k;
    }
    size_t low = 0, high = point_space_ranks(space->aux); /* ranks[low] <= k < ranks[high] */
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (space->ranks[mid] <= k) {
            low = mid;
        } else {
            high = mid;
        }
    }
    k -= space->ranks[low];
    const uint64_t *word = space->aux->words + low * (POINT_SPACE_STEP / 64);
    for (;; word++) {
        unsigned in_word = (unsigned)__builtin_popcountll(*word);
        if (k < in_word) {
            break;
        }
        k -= in_word;
    }
    uint64_t rest = *word;
    for (; k > 0; k--) {
        rest &= rest - 1;
    }
    return (uint64_t)(word - space->aux->words) * 64 + (unsigned)__builtin_ctzll(rest);
}

/* The lowest n bits, n in 1..64. */
static uint64_t low_mask(unsigned n) { return UINT64_MAX >> (64 - n); }

/* Bits at .. at + n - 1, n in 1..64; reads no word beyond the last bit. */
static uint64_t bits_at(const uint64_t *words, uint64_t at, unsigned n) {
    unsigned shift = at % 64;
    uint64_t v = words[at / 64] >> shift;
    if (shift + n > 64) {
        v |= words[at / 64 + 1] << (64 - shift);
    }
    return v & low_mask(n);
}

/* The bits of v under mask, pushed together. */
static uint64_t compress(uint64_t v, uint64_t mask) {
    if (mask == UINT64_MAX) {
        return v;
    }
    uint64_t r = 0;
    for (unsigned k = 0; mask != 0; k++, mask &= mask - 1) {
        r |= (uint64_t)((v & mask & -mask) != 0) << k;
    }
    return r;
}

/* Where one part writes: its bits start at a word border and are zero before. */
typedef struct part_writer {
    uint64_t *bits;
    size_t n; /* points so far */
    fr_plain *wide;
    uint32_t *wide_at;
    size_t n_wide;
    uint32_t base; /* the part's first point within the run */
} part_writer;

static void part_put_bits(part_writer *out, uint64_t v, unsigned n) {
    if (n == 0) {
        return;
    }
    unsigned shift = out->n % 64;
    out->bits[out->n / 64] |= v << shift;
    if (shift + n > 64) {
        out->bits[out->n / 64 + 1] |= v >> (64 - shift);
    }
    out->n += n;
}

/* The value of point `at` of the part. */
static void part_put_wide(part_writer *out, size_t at, const fr_plain *v) {
    out->wide[out->n_wide] = *v;
    out->wide_at[out->n_wide++] = out->base + (uint32_t)at;
}

/* Reads the aux variables in order. */
typedef struct aux_reader {
    const r1cs_aux_segment *segment;
    uint64_t at;   /* within the segment */
    size_t i_wide; /* first wide variable not before `at` */
} aux_reader;

static void aux_reader_enter(aux_reader *in, uint64_t at) {
    const r1cs_aux_segment *s = in->segment;
    in->at = at;
    in->i_wide = 0;
    if (s->kind == R1CS_BITS) {
        in->i_wide = cuzk_r1cs_first_wide(s->wide_at, s->n_wide, at);
    }
}

static void aux_reader_seek(aux_reader *in, const r1cs_assignment *w, uint64_t variable) {
    CUZK_ASSERT(variable < w->n_aux);
    in->segment = cuzk_r1cs_aux_segment_of(w, variable);
    aux_reader_enter(in, variable - in->segment->first);
}

/* The next n <= 64 variables of a segment of bits, those under mask. */
static void gather_bits(part_writer *out, aux_reader *in, uint64_t mask, unsigned n) {
    const r1cs_aux_segment *s = in->segment;
    for (; in->i_wide < s->n_wide && s->wide_at[in->i_wide] < in->at + n; in->i_wide++) {
        unsigned bit = (unsigned)(s->wide_at[in->i_wide] - in->at);
        if (mask >> bit & 1) {
            uint64_t before = mask & (((uint64_t)1 << bit) - 1);
            part_put_wide(out, out->n + (unsigned)__builtin_popcountll(before),
                          &s->wide[in->i_wide]);
        }
    }
    part_put_bits(out, compress(bits_at(s->bits, in->at, n), mask),
                  (unsigned)__builtin_popcountll(mask));
}

/* The same of a dense segment. */
static void gather_dense(part_writer *out, aux_reader *in, uint64_t mask) {
    const fr_plain *values = in->segment->dense + in->at;
    for (; mask != 0; mask &= mask - 1) {
        part_put_wide(out, out->n, &values[__builtin_ctzll(mask)]);
        out->n++;
    }
}

/* The lowest n set bits of mask. */
static uint64_t lowest_set(uint64_t mask, size_t n) {
    uint64_t rest = mask;
    for (; n > 0; n--) {
        rest &= rest - 1;
    }
    return mask ^ rest;
}

/* n points of aux variables, the first of which belongs to `variable`. */
static void gather_aux(part_writer *out, const point_space *space, const r1cs_assignment *w,
                       uint64_t variable, size_t n) {
    aux_reader in;
    aux_reader_seek(&in, w, variable);
    while (n > 0) {
        while (in.at == in.segment->count) {
            in.segment++;
            CUZK_ASSERT(in.segment < w->aux + w->n_aux_segments);
            aux_reader_enter(&in, 0);
        }
        uint64_t left = in.segment->count - in.at;
        unsigned step = left < 64 ? (unsigned)left : 64;
        uint64_t mask =
            space->aux == NULL ? low_mask(step) : bits_at(space->aux->words, variable, step);
        size_t chosen = (size_t)__builtin_popcountll(mask);
        if (chosen > n) {
            mask = lowest_set(mask, n);
            chosen = n;
        }
        if (in.segment->kind == R1CS_BITS) {
            gather_bits(out, &in, mask, step);
        } else {
            gather_dense(out, &in, mask);
        }
        n -= chosen;
        in.at += step;
        variable += step;
    }
}

size_t cuzk_scalar_run_bytes(size_t capacity) {
    return scratch_need(n_parts(capacity) * (PART / 64), sizeof(uint64_t)) +
           scratch_need(capacity, sizeof(fr_plain)) + scratch_need(capacity, sizeof(uint32_t)) +
           scratch_need(n_parts(capacity), sizeof(size_t));
}

void cuzk_scalar_run_init(scalar_run *run, cuzk_scratch *scratch, size_t capacity) {
    CUZK_ASSERT(capacity <= UINT32_MAX);
    *run = (scalar_run){.capacity = capacity};
    run->bits = scratch_take(scratch, n_parts(capacity) * (PART / 64), sizeof *run->bits);
    run->wide = scratch_take(scratch, capacity, sizeof *run->wide);
    run->wide_at = scratch_take(scratch, capacity, sizeof *run->wide_at);
    run->part_wide = scratch_take(scratch, n_parts(capacity), sizeof *run->part_wide);
}

typedef struct gather_job {
    scalar_run *run;
    const point_space *space;
    const fr_plain *inputs;
    const r1cs_assignment *w;
    uint64_t first;
} gather_job;

static void gather_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const gather_job *job = arg;
    size_t from = index * PART;
    size_t n = job->run->n - from < PART ? job->run->n - from : PART;
    part_writer out = {.bits = job->run->bits + from / 64,
                       .wide = job->run->wide + from,
                       .wide_at = job->run->wide_at + from,
                       .base = (uint32_t)from};
    memset(out.bits, 0, PART / 8);
    uint64_t point = job->first + from;
    for (; n > 0 && point < job->space->n_inputs; point++, n--) {
        part_put_wide(&out, out.n++, &job->inputs[point]);
    }
    if (n > 0) {
        gather_aux(&out, job->space, job->w, space_select(job->space, point - job->space->n_inputs),
                   n);
    }
    job->run->part_wide[index] = out.n_wide;
}

cuzk_status cuzk_scalar_run_gather(scalar_run *run, const cuzk_ctx *ctx, const point_space *space,
                                   const fr_plain *inputs, const r1cs_assignment *w, uint64_t first,
                                   size_t n, cuzk_error *err) {
    CUZK_ASSERT(n <= run->capacity && first <= space->n_points && n <= space->n_points - first);
    run->n = n;
    run->n_wide = 0;
    gather_job job = {run, space, inputs, w, first};
    cuzk_status status = cuzk_pool_run(ctx, n_parts(n), gather_part, &job, err);
    if (status != CUZK_OK) {
        return status;
    }
    for (size_t i = 0; i < n_parts(n); i++) {
        size_t from = i * PART, count = run->part_wide[i];
        if (from != run->n_wide) {
            memmove(run->wide + run->n_wide, run->wide + from, count * sizeof *run->wide);
            memmove(run->wide_at + run->n_wide, run->wide_at + from, count * sizeof *run->wide_at);
        }
        run->n_wide += count;
    }
    return CUZK_OK;
}

/* Runs of rows: which segment they are in, and which of them are wide. */
#include "groth16/row_source.h"

static const int8_t zeros[NTT_RUN];

static bool inside(const r1cs_row_segment *s, uint64_t row) {
    return row >= s->first && row - s->first < s->count;
}

/* Index of the first exception from row `from` of a segment on. It is not below `at`, and likely
 * near, unless at is 0. */
static size_t first_wide(const r1cs_row_segment *s, size_t at, uint64_t from) {
    if (at == 0) {
        return cuzk_r1cs_first_wide(s->wide_at, s->n_wide, from);
    }
    while (at < s->n_wide && s->wide_at[at] < from) {
        at++;
    }
    return at;
}

static void find_small(ntt_run *run, const r1cs_row_segment *s, r1cs_side side, uint64_t from,
                       size_t n) {
    run->a = (side == R1CS_B ? s->b : s->a) + from;
    run->b = side == R1CS_C ? s->b + from : NULL;
    run->note_at = first_wide(s, run->note_at, from);
    for (size_t k = run->note_at; k < s->n_wide && s->wide_at[k] < from + n; k++) {
        run->wide |= (uint64_t)1 << (s->wide_at[k] - from);
    }
}

/* note: the segment of the run, NULL for none; note_at: its first exception not before the run. */
static void find_run(const void *arg, ntt_run *run, uint64_t first, size_t n) {
    const row_source *rows = arg;
    const r1cs_assignment *w = rows->w;
    const r1cs_row_segment *s = run->note;
    size_t wide_at = run->note_at;
    *run = (ntt_run){.first = first};
    if (first >= w->n_rows) {
        run->a = zeros;
        return;
    }
    if (s == NULL || !inside(s, first)) {
        s = cuzk_r1cs_row_segment_of(w, first);
        wide_at = 0;
    }
    run->note = s;
    run->note_at = wide_at;
    uint64_t from = first - s->first;
    if (n > s->count - from) { /* asked for one by one */
        return;
    }
    if (s->kind == R1CS_BITS) {
        find_small(run, s, rows->side, from, n);
    } else if (s->kind == R1CS_DENSE && rows->side != R1CS_C) {
        run->values = (rows->side == R1CS_A ? s->dense_a : s->dense_b) + from;
    }
}

/* out = a b of n rows, at most NTT_RUN */
static void read_products(const row_source *rows, uint64_t first, size_t n, fr_plain *out) {
    fr_plain a[NTT_RUN], b[NTT_RUN];
    cuzk_r1cs_rows_expand(rows->w, R1CS_A, first, n, a);
    cuzk_r1cs_rows_expand(rows->w, R1CS_B, first, n, b);
    rows->kernels->fr_from_plain((fr *)a, a, n);
    rows->kernels->fr_mul((fr *)out, (const fr *)a, (const fr *)b, n);
}

static void read_run(const void *arg, const ntt_run *run, size_t from, size_t n, fr_plain *out) {
    const row_source *rows = arg;
    if (run->values != NULL) {
        memcpy(out, run->values + from, n * sizeof *out);
        return;
    }
    if (run->a == NULL) {
        if (rows->side == R1CS_C) {
            read_products(rows, run->first + from, n, out);
        } else {
            cuzk_r1cs_rows_expand(rows->w, rows->side, run->first + from, n, out);
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int a = run->a[from + i];
        out[i] = fr_plain_of_int(run->b == NULL ? a : a * run->b[from + i]);
    }
    const r1cs_row_segment *s = run->note;
    if (s == NULL) {
        return;
    }
    uint64_t row = run->first - s->first + from;
    for (size_t k = run->note_at; k < s->n_wide && s->wide_at[k] < row + n; k++) {
        if (s->wide_at[k] < row) {
            continue;
        }
        fr_plain *to = &out[s->wide_at[k] - row];
        if (rows->side == R1CS_C) {
            fr_plain_mul(to, &s->wide_a[k], &s->wide_b[k]);
        } else {
            *to = rows->side == R1CS_A ? s->wide_a[k] : s->wide_b[k];
        }
    }
}

void cuzk_row_source_init(row_source *s, const r1cs_assignment *w, r1cs_side side) {
    *s = (row_source){.w = w,
                      .side = side,
                      .kernels = cuzk_field_kernels(),
                      .source = {.arg = s, .find = find_run, .read = read_run}};
}

/* Reading segments: ranges of variables and of rows as field elements. */
#include "r1cs/assignment.h"

#include "base/status.h"

size_t cuzk_r1cs_first_wide(const uint32_t *wide_at, size_t n, uint64_t from) {
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (wide_at[low + half] < from) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void aux_segment_expand(const r1cs_aux_segment *s, uint64_t from, size_t count,
                               fr_plain *out) {
    if (s->kind == R1CS_DENSE) {
        memcpy(out, s->dense + from, count * sizeof *out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t at = from + i;
        out[i] = (fr_plain){{s->bits[at / 64] >> (at % 64) & 1, 0, 0, 0}};
    }
    for (size_t k = cuzk_r1cs_first_wide(s->wide_at, s->n_wide, from);
         k < s->n_wide && s->wide_at[k] < from + count; k++) {
        out[s->wide_at[k] - from] = s->wide[k];
    }
}

/* The sum of a side of a row. */
static fr_plain derive(const r1cs_row_segment *s, uint64_t row, r1cs_side side) {
    const r1cs_row_rules *rules = s->rules;
    const uint32_t *ends = rules->ends + 2 * row + (side == R1CS_B);
    fr_plain sum = {{0}};
    for (uint32_t k = ends[0]; k < ends[1]; k++) {
        const r1cs_rule_term *t = &rules->terms[k];
        fr_plain value = {{1, 0, 0, 0}};
        if (t->var != RULE_ONE) {
            value = t->var & RULE_INPUT ? s->part_inputs[t->var ^ RULE_INPUT] : s->part_aux[t->var];
        }
        if (t->coeff == 1) {
            fr_plain_sub(&sum, &sum, &value);
            continue;
        }
        if (t->coeff != 0) {
            fr_mul_plain(&value, &rules->coeffs[t->coeff], &value);
        }
        fr_plain_add(&sum, &sum, &value);
    }
    return sum;
}

static void row_value(fr_plain *out, r1cs_side side, const fr_plain *a, const fr_plain *b) {
    switch (side) {
    case R1CS_A:
        *out = *a;
        break;
    case R1CS_B:
        *out = *b;
        break;
    case R1CS_C:
        fr_plain_mul(out, a, b);
        break;
    }
}

static void row_segment_expand(const r1cs_row_segment *s, r1cs_side side, uint64_t from,
                               size_t count, fr_plain *out) {
    if (s->kind == R1CS_DENSE) {
        for (size_t i = 0; i < count; i++) {
            row_value(&out[i], side, &s->dense_a[from + i], &s->dense_b[from + i]);
        }
        return;
    }
    if (s->kind == R1CS_DERIVED) {
        for (size_t i = 0; i < count; i++) {
            fr_plain a = {{0}}, b = {{0}};
            if (side != R1CS_B) {
                a = derive(s, from + i, R1CS_A);
            }
            if (side != R1CS_A) {
                b = derive(s, from + i, R1CS_B);
            }
            row_value(&out[i], side, &a, &b);
        }
        return;
    }
    const int8_t *a = s->a + from, *b = s->b + from;
    for (size_t i = 0; i < count; i++) {
        out[i] = fr_plain_of_int(side == R1CS_A ? a[i] : side == R1CS_B ? b[i] : a[i] * b[i]);
    }
    for (size_t k = cuzk_r1cs_first_wide(s->wide_at, s->n_wide, from);
         k < s->n_wide && s->wide_at[k] < from + count; k++) {
        row_value(&out[s->wide_at[k] - from], side, &s->wide_a[k], &s->wide_b[k]);
    }
}

const r1cs_aux_segment *cuzk_r1cs_aux_segment_of(const r1cs_assignment *w, uint64_t variable) {
    size_t low = 0, high = w->n_aux_segments;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (w->aux[mid].first <= variable) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return &w->aux[low];
}

const r1cs_row_segment *cuzk_r1cs_row_segment_of(const r1cs_assignment *w, uint64_t row) {
    size_t low = 0, high = w->n_row_segments;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (w->rows[mid].first <= row) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return &w->rows[low];
}

void cuzk_r1cs_aux_expand(const r1cs_assignment *w, uint64_t first, size_t count, fr_plain *out) {
    CUZK_ASSERT(first <= w->n_aux && count <= w->n_aux - first);
    if (count == 0) {
        return;
    }
    const r1cs_aux_segment *s = cuzk_r1cs_aux_segment_of(w, first);
    while (count > 0) {
        CUZK_ASSERT(s < w->aux + w->n_aux_segments);
        if (first - s->first < s->count) {
            uint64_t from = first - s->first;
            size_t n = s->count - from < count ? (size_t)(s->count - from) : count;
            aux_segment_expand(s, from, n, out);
            first += n;
            out += n;
            count -= n;
        }
        s++;
    }
}

void cuzk_r1cs_rows_expand(const r1cs_assignment *w, r1cs_side side, uint64_t first, size_t count,
                           fr_plain *out) {
    const r1cs_row_segment *s = first < w->n_rows ? cuzk_r1cs_row_segment_of(w, first) : NULL;
    while (count > 0 && first < w->n_rows) {
        CUZK_ASSERT(s < w->rows + w->n_row_segments);
        if (first - s->first < s->count) {
            uint64_t from = first - s->first;
            size_t n = s->count - from < count ? (size_t)(s->count - from) : count;
            row_segment_expand(s, side, from, n, out);
            first += n;
            out += n;
            count -= n;
        }
        s++;
    }
    memset(out, 0, count * sizeof *out);
}

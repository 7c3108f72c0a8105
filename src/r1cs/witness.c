/* The witness back end: a counting run says how long every segment is, one block holds them all,
 * and the circuit writes its values there, its parts at once. Rows of dense parts are not written
 * where rules give them from the variables. */
#include "r1cs/witness.h"

#include <string.h>

#include "r1cs/row_rules_internal.h"

/* Store past the end that word operations may do, and distance between what different threads
 * write. */
#define SLACK_BYTES CUZK_CACHE_LINE

/* Places a segment; as many bytes as segment_bytes says. */
static void segment_take(cuzk_scratch *s, cs_writer *w, const plan_section *section) {
    const cs_counts *n = &section->part;
    w->kind = section->kind;
    if (section->kind == R1CS_DENSE) {
        w->dense = scratch_take(s, n->aux, sizeof *w->dense);
        if (section->rules != NULL) {
            return;
        }
        w->dense_a = scratch_take(s, n->rows, sizeof *w->dense_a);
        w->dense_b = scratch_take(s, n->rows, sizeof *w->dense_b);
        return;
    }
    w->bits = scratch_take(s, n->aux / 64 + 1, sizeof *w->bits);
    w->aux_wide_at = scratch_take(s, n->wide_aux, sizeof *w->aux_wide_at);
    w->aux_wide = scratch_take(s, n->wide_aux, sizeof *w->aux_wide);
    w->a = scratch_take(s, n->rows + SLACK_BYTES, 1);
    w->b = scratch_take(s, n->rows + SLACK_BYTES, 1);
    w->row_wide_at = scratch_take(s, n->wide_rows, sizeof *w->row_wide_at);
    w->wide_a = scratch_take(s, n->wide_rows, sizeof *w->wide_a);
    w->wide_b = scratch_take(s, n->wide_rows, sizeof *w->wide_b);
}

static size_t segment_bytes(const plan_section *section) {
    const cs_counts *n = &section->part;
    if (section->kind == R1CS_DENSE) {
        size_t rows = section->rules != NULL ? 0 : 2 * scratch_need(n->rows, sizeof(fr_plain));
        return scratch_need(n->aux, sizeof(fr_plain)) + rows;
    }
    return scratch_need(n->aux / 64 + 1, sizeof(uint64_t)) +
           scratch_need(n->wide_aux, sizeof(uint32_t)) +
           scratch_need(n->wide_aux, sizeof(fr_plain)) +
           2 * scratch_need(n->rows + SLACK_BYTES, 1) +
           scratch_need(n->wide_rows, sizeof(uint32_t)) +
           2 * scratch_need(n->wide_rows, sizeof(fr_plain));
}

/* Rules move into the witness's block. */
static size_t rules_bytes(const rule_list *list) {
    return scratch_need(1, sizeof(r1cs_row_rules)) + scratch_need(list->n_ends, sizeof(uint32_t)) +
           scratch_need(list->n_terms, sizeof(r1cs_rule_term)) +
           scratch_need(list->n_coeffs, sizeof(fr));
}

static void *copy_of(cuzk_scratch *s, const void *array, size_t n, size_t size) {
    void *copy = scratch_take(s, n, size);
    memcpy(copy, array, n * size);
    return copy;
}

static const r1cs_row_rules *rules_take(cuzk_scratch *s, const rule_list *list) {
    r1cs_row_rules *rules = scratch_take(s, 1, sizeof *rules);
    rules->ends = copy_of(s, list->ends, list->n_ends, sizeof *list->ends);
    rules->terms = copy_of(s, list->terms, list->n_terms, sizeof *list->terms);
    rules->coeffs = copy_of(s, list->coeffs, list->n_coeffs, sizeof *list->coeffs);
    return rules;
}

static size_t count_segments(const cs_plan *plan) {
    size_t n = 0;
    for (size_t i = 0; i < plan->n_sections; i++) {
        n += plan->section[i].n_parts;
    }
    return n;
}

/* The rows a = input i, b = 0 are one more segment. */
static size_t block_bytes(const cs_plan *plan, const rule_list *lists, const r1cs_dims *dims,
                          size_t n_segments) {
    size_t total = scratch_need(n_segments, sizeof(cs_writer)) +
                   scratch_need(n_segments, sizeof(r1cs_aux_segment)) +
                   scratch_need(n_segments + 1, sizeof(r1cs_row_segment)) +
                   2 * scratch_need(dims->n_inputs, sizeof(fr_plain));
    for (size_t i = 0; i < plan->n_sections; i++) {
        size_t part;
        CUZK_ASSERT(size_mul(&part, segment_bytes(&plan->section[i]), plan->section[i].n_parts));
        CUZK_ASSERT(size_add(&total, total, part));
        if (plan->section[i].rules != NULL) {
            CUZK_ASSERT(size_add(&total, total, rules_bytes(&lists[i])));
        }
    }
    return total;
}

static void place_segments(cs_plan *plan, cs_writer *writers, fr_plain *inputs,
                           cuzk_scratch *memory) {
    cs_counts at = {.inputs = 1};
    for (size_t i = 0; i < plan->n_sections; i++) {
        plan_section *section = &plan->section[i];
        section->writers = writers;
        for (size_t k = 0; k < section->n_parts; k++, writers++) {
            *writers = (cs_writer){.first = at, .inputs = inputs};
            segment_take(memory, writers, section);
            at.inputs += section->part.inputs;
            at.aux += section->part.aux;
            at.rows += section->part.rows;
        }
    }
}

static void describe_segments(r1cs_aux_segment *aux, r1cs_row_segment *rows, const cs_plan *plan) {
    for (size_t i = 0; i < plan->n_sections; i++) {
        const plan_section *section = &plan->section[i];
        const cs_counts *n = &section->part;
        for (size_t k = 0; k < section->n_parts; k++) {
            const cs_writer *w = &section->writers[k];
            *aux++ = (r1cs_aux_segment){.first = w->first.aux,
                                        .count = n->aux,
                                        .kind = w->kind,
                                        .bits = w->bits,
                                        .n_wide = w->kind == R1CS_BITS ? n->wide_aux : 0,
                                        .wide_at = w->aux_wide_at,
                                        .wide = w->aux_wide,
                                        .dense = w->dense};
            *rows++ = (r1cs_row_segment){.first = w->first.rows,
                                         .count = n->rows,
                                         .kind = section->rules != NULL ? R1CS_DERIVED : w->kind,
                                         .a = w->a,
                                         .b = w->b,
                                         .n_wide = w->kind == R1CS_BITS ? n->wide_rows : 0,
                                         .wide_at = w->row_wide_at,
                                         .wide_a = w->wide_a,
                                         .wide_b = w->wide_b,
                                         .dense_a = w->dense_a,
                                         .dense_b = w->dense_b,
                                         .rules = section->rules,
                                         .part_aux = w->dense,
                                         .part_inputs = w->inputs + w->first.inputs};
        }
    }
}

static cuzk_status write_values(cs_plan *plan, const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                cuzk_error *err) {
    r1cs_cs cs;
    cuzk_cs_init(&cs, ctx);
    cs.want_values = true;
    cs.plan = plan;
    cs.out = plan->section[0].writers[0];
    cs.out.inputs[0] = (fr_plain){{1, 0, 0, 0}};
    cuzk_status status = cuzk_cs_synthesize(&cs, circuit, err);
    CUZK_ASSERT(status != CUZK_OK || cuzk_plan_complete(&cs));
    return status;
}

static cuzk_status create(r1cs_witness *w, cs_plan *plan, const rule_list *lists,
                          const r1cs_dims *dims, const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                          cuzk_error *err) {
    size_t n_segments = count_segments(plan);
    cuzk_status status = cuzk_block_alloc(
        &w->block, ctx->account, block_bytes(plan, lists, dims, n_segments), "a witness", err);
    if (status != CUZK_OK) {
        return status;
    }
    cuzk_scratch memory = cuzk_block_scratch(&w->block);
    for (size_t i = 0; i < plan->n_sections; i++) {
        if (plan->section[i].rules != NULL) {
            plan->section[i].rules = rules_take(&memory, &lists[i]);
        }
    }
    cs_writer *writers = scratch_take(&memory, n_segments, sizeof *writers);
    r1cs_aux_segment *aux = scratch_take(&memory, n_segments, sizeof *aux);
    r1cs_row_segment *rows = scratch_take(&memory, n_segments + 1, sizeof *rows);
    fr_plain *inputs = scratch_take(&memory, dims->n_inputs, sizeof *inputs);
    fr_plain *zeros = scratch_take(&memory, dims->n_inputs, sizeof *zeros);
    place_segments(plan, writers, inputs, &memory);
    status = write_values(plan, ctx, circuit, err);
    if (status != CUZK_OK) {
        cuzk_block_free(&w->block);
        return status;
    }
    describe_segments(aux, rows, plan);
    rows[n_segments] = (r1cs_row_segment){.first = dims->n_constraints,
                                          .count = dims->n_inputs,
                                          .kind = R1CS_DENSE,
                                          .dense_a = inputs,
                                          .dense_b = zeros};
    w->assignment = (r1cs_assignment){.n_inputs = dims->n_inputs,
                                      .inputs = inputs,
                                      .n_aux = dims->n_aux,
                                      .n_aux_segments = n_segments,
                                      .aux = aux,
                                      .n_rows = dims->n_constraints + dims->n_inputs,
                                      .n_row_segments = n_segments + 1,
                                      .rows = rows};
    return CUZK_OK;
}

/* What the shape of a witness follows from. lists: PLAN_MAX_SECTIONS, to be cleared in any case. */
static cuzk_status find_shape(cs_plan *plan, r1cs_dims *dims, rule_list *lists, const cuzk_ctx *ctx,
                              const r1cs_circuit *circuit, cuzk_error *err) {
    memset(lists, 0, PLAN_MAX_SECTIONS * sizeof *lists);
    cuzk_status status = cuzk_plan_count(plan, dims, ctx, circuit, err);
    if (status == CUZK_OK) {
        status = cuzk_row_rules_find(lists, plan, ctx, circuit, err);
    }
    for (size_t i = 0; status == CUZK_OK && i < plan->n_sections; i++) {
        plan->section[i].rules = lists[i].usable ? &lists[i].rules : NULL;
    }
    return status;
}

static void clear_lists(rule_list *lists) {
    for (size_t i = 0; i < PLAN_MAX_SECTIONS; i++) {
        cuzk_row_rules_clear(&lists[i]);
    }
}

cuzk_status cuzk_r1cs_witness_create(r1cs_witness *w, const cuzk_ctx *ctx,
                                     const r1cs_circuit *circuit, cuzk_error *err) {
    *w = (r1cs_witness){0};
    cs_plan plan;
    r1cs_dims dims;
    rule_list lists[PLAN_MAX_SECTIONS];
    cuzk_status status = find_shape(&plan, &dims, lists, ctx, circuit, err);
    if (status == CUZK_OK) {
        status = create(w, &plan, lists, &dims, ctx, circuit, err);
    }
    clear_lists(lists);
    return status;
}

cuzk_status cuzk_r1cs_witness_bytes(size_t *kept_bytes, size_t *peak_bytes, const cuzk_ctx *ctx,
                                    const r1cs_circuit *circuit, cuzk_error *err) {
    cs_plan plan;
    r1cs_dims dims;
    rule_list lists[PLAN_MAX_SECTIONS];
    cuzk_ctx measured = *ctx;
    cuzk_status status = cuzk_account_create(&measured.account, SIZE_MAX, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = find_shape(&plan, &dims, lists, &measured, circuit, err);
    if (status == CUZK_OK) {
        size_t block = block_bytes(&plan, lists, &dims, count_segments(&plan));
        size_t shaping = cuzk_account_peak(measured.account);
        *kept_bytes = block;
        *peak_bytes = block > shaping ? block : shaping;
    }
    clear_lists(lists);
    cuzk_account_destroy(measured.account);
    return status;
}

void cuzk_r1cs_witness_clear(r1cs_witness *w) {
    cuzk_block_free(&w->block);
    *w = (r1cs_witness){0};
}

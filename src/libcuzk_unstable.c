/* The functions of cuzk_unstable.h: they check their arguments and call a module. */
#include <cuzk_unstable.h>

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/escape.h"
#include "base/file.h"
#include "codec/hex.h"
#include "codec/number_list.h"
#include "engine/any_circuit.h"
#include "engine/fabricate_job.h"
#include "engine/forecast.h"
#include "engine/inspection.h"
#include "engine/param_files.h"
#include "engine/proof_job.h"
#include "engine/prove_memory.h"
#include "engine/seal_job.h"
#include "engine/selftest.h"
#include "engine/setup_job.h"
#include "engine/synthesis_job.h"
#include "engine/test_key_job.h"
#include "filecoin/commitment.h"
#include "filecoin/vanilla_list.h"
#include "srs/params_file.h"

cuzk_status cuzk_synthesize(cuzk_prover *prover, cuzk_synthesis *synthesis,
                            const cuzk_request *request, const cuzk_synthesis_options *options,
                            cuzk_error *err) {
    if (prover == NULL || synthesis == NULL || request == NULL || options == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_synthesize: NULL argument");
    }
    *synthesis = (cuzk_synthesis){0};
    if (options->lc_index < CUZK_LC_NONE || options->lc_index > CUZK_LC_SMALLVEC4) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_synthesize: no such lists of terms: %d",
                         (int)options->lc_index);
    }
    cuzk_status status = cuzk_request_check(request, err);
    return status == CUZK_OK ? cuzk_synthesis_run(prover, synthesis, request, options, err)
                             : status;
}

cuzk_status cuzk_prove_with_test_key(cuzk_prover *prover, cuzk_result *result,
                                     const cuzk_request *request, cuzk_error *err) {
    if (prover == NULL || result == NULL || request == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_prove_with_test_key: NULL argument");
    }
    *result = (cuzk_result){0};
    cuzk_status status = cuzk_request_check(request, err);
    return status == CUZK_OK ? cuzk_test_key_run(prover, result, request, err) : status;
}

size_t cuzk_circuit_count(void) { return cuzk_n_param_sets; }

cuzk_status cuzk_prove_memory_bytes(cuzk_prover *prover, size_t *bytes, size_t circuit,
                                    unsigned n_partitions, unsigned n_quotients, cuzk_tier tier,
                                    cuzk_error *err) {
    if (prover == NULL || bytes == NULL || circuit >= cuzk_n_param_sets || n_partitions == 0 ||
        n_quotients > n_partitions || tier <= CUZK_TIER_AUTO || tier > CUZK_TIER_STREAMED) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_prove_memory_bytes: a wrong argument");
    }
    const cuzk_ctx ctx = cuzk_prover_ctx(prover);
    prove_plan plan = {.tier = cuzk_srs_tier_of(tier),
                       .n_at_once = n_partitions,
                       .n_quotients = n_quotients == 0 ? n_partitions : n_quotients};
    param_set set;
    cuzk_param_set_at(&set, circuit);
    cuzk_status status = cuzk_prove_memory(&plan, &ctx, &set, err);
    *bytes = plan.bytes;
    return status;
}

cuzk_status cuzk_circuit_get(cuzk_circuit_info *info, size_t i, cuzk_error *err) {
    if (info == NULL || i >= cuzk_n_param_sets) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_circuit_get: no circuit %zu", i);
    }
    param_set set;
    cuzk_param_set_at(&set, i);
    const circuit_sizes *sizes = cuzk_circuit_sizes_of(set.id);
    *info = (cuzk_circuit_info){.sector_bytes = set.sector_bytes, .published = set.published};
    snprintf(info->id, sizeof info->id, "%s", set.id);
    cuzk_param_set_stem(info->file_stem, &set);
    if (sizes == NULL) {
        return CUZK_OK;
    }
    info->n_constraints = sizes->n_constraints;
    info->n_inputs = sizes->n_inputs;
    info->n_aux = sizes->n_aux;
    info->log2_domain = sizes->log2_domain;
    groth16_dims dims = cuzk_circuit_dims(sizes);
    return cuzk_srs_params_file_bytes(&info->params_bytes, &dims, err);
}

cuzk_status cuzk_circuit_find(size_t *i, const char *name, cuzk_error *err) {
    if (i == NULL || name == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_circuit_find: NULL argument");
    }
    param_set wanted;
    cuzk_status status = cuzk_param_set_by_id(&wanted, name, err);
    if (status != CUZK_OK) {
        return status;
    }
    for (size_t k = 0; k < cuzk_n_param_sets; k++) {
        param_set set;
        cuzk_param_set_at(&set, k);
        if (strcmp(set.id, wanted.id) == 0) {
            *i = k;
            return CUZK_OK;
        }
    }
    return cuzk_fail(err, CUZK_E_INTERNAL, "%s is not in the list of circuits", wanted.id);
}

cuzk_status cuzk_r1cs(cuzk_prover *prover, cuzk_r1cs_report *report, size_t circuit,
                      cuzk_error *err) {
    if (prover == NULL || report == NULL || circuit >= cuzk_n_param_sets) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_r1cs: bad argument");
    }
    param_set set;
    any_circuit blank;
    cuzk_param_set_at(&set, circuit);
    cuzk_status status = cuzk_any_circuit_blank(&blank, &set, err);
    if (status != CUZK_OK) {
        return status;
    }
    r1cs_densities d = {0};
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    status = cuzk_r1cs_digest(&ctx, report->digest, &blank.circuit, &d, err);
    if (status == CUZK_OK) {
        report->n_constraints = d.dims.n_constraints;
        report->n_inputs = d.dims.n_inputs;
        report->n_aux = d.dims.n_aux;
        report->log2_domain = d.dims.log2_domain;
        report->a_aux_density = d.a_aux.n_set;
        report->b_aux_density = d.b_aux.n_set;
        report->b_input_density = d.b_input.n_set;
        report->n_terms_a = d.n_terms[0];
        report->n_terms_b = d.n_terms[1];
        report->n_terms_c = d.n_terms[2];
    }
    cuzk_r1cs_densities_clear(&d);
    const circuit_sizes *known = cuzk_circuit_sizes_of(set.id);
    uint8_t wanted[32];
    report->has_reference = known != NULL && known->digest != NULL &&
                            cuzk_hex_decode(wanted, sizeof wanted, known->digest);
    report->equals_reference =
        report->has_reference && memcmp(wanted, report->digest, sizeof wanted) == 0 &&
        known->n_constraints == report->n_constraints && known->n_aux == report->n_aux &&
        known->n_inputs == report->n_inputs && known->log2_domain == report->log2_domain &&
        known->a_aux_density == report->a_aux_density &&
        known->b_aux_density == report->b_aux_density;
    return status;
}

cuzk_status cuzk_setup(cuzk_prover *prover, size_t circuit, const uint8_t *seed,
                       const char *directory, cuzk_error *err) {
    if (prover == NULL || circuit >= cuzk_n_param_sets) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_setup: bad argument");
    }
    param_set set;
    cuzk_param_set_at(&set, circuit);
    return cuzk_setup_run(prover, &set, seed, directory, err);
}

cuzk_status cuzk_setup_srs(cuzk_prover *prover, const char *path, size_t n_proofs,
                           const uint64_t *seed, cuzk_error *err) {
    if (prover == NULL || path == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_setup_srs: NULL argument");
    }
    return cuzk_setup_srs_run(prover, path, n_proofs, seed, err);
}

cuzk_status cuzk_params_check(cuzk_prover *prover, cuzk_param_state state[2], size_t circuit,
                              const char *directory, bool every_point, cuzk_error *err) {
    if (prover == NULL || state == NULL || circuit >= cuzk_n_param_sets) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_params_check: bad argument");
    }
    param_set set;
    cuzk_param_set_at(&set, circuit);
    return cuzk_param_files_judge(prover, state, &set, directory, every_point, err);
}

void cuzk_fabrication_init(cuzk_fabrication *fabrication) {
    *fabrication = (cuzk_fabrication){
        .kind = CUZK_WINNING_POST, .miner_id = 1000, .sector_number = 1, .n_sectors = 1};
}

cuzk_status cuzk_plan_circuits(cuzk_prover *prover, cuzk_plan *plans, const size_t *circuits,
                               size_t n, cuzk_error *err) {
    if (prover == NULL || plans == NULL || circuits == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_plan_circuits: NULL argument");
    }
    for (size_t i = 0; i < n; i++) {
        if (circuits[i] >= cuzk_n_param_sets) {
            return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_plan_circuits: no circuit %zu",
                             circuits[i]);
        }
    }
    return cuzk_plan_run(prover, plans, circuits, n, err);
}

cuzk_status cuzk_fabricate(cuzk_prover *prover, cuzk_fabricated *made,
                           const cuzk_fabrication *fabrication, cuzk_error *err) {
    if (prover == NULL || made == NULL || fabrication == NULL || fabrication->directory == NULL ||
        fabrication->kind < CUZK_POREP || fabrication->kind > CUZK_WINNING_POST) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_fabricate: bad argument");
    }
    return cuzk_fabricate_run(prover, made, fabrication, err);
}

cuzk_status cuzk_inspect(cuzk_prover *prover, cuzk_inspection *inspection, const char *path,
                         cuzk_error *err) {
    if (prover == NULL || inspection == NULL || path == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_inspect: NULL argument");
    }
    return cuzk_inspect_file(prover, inspection, path, err);
}

cuzk_status cuzk_vanilla_read(cuzk_vanilla_list *list, const cuzk_input *file, cuzk_error *err) {
    if (list == NULL || file == NULL || file->data == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_vanilla_read: NULL argument");
    }
    return cuzk_vanilla_list_read(list, file, err);
}

cuzk_status cuzk_seal_statement_from_json(cuzk_seal_statement *statement, const cuzk_input *json,
                                          cuzk_error *err) {
    if (statement == NULL || json == NULL || json->data == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_seal_statement_from_json: NULL argument");
    }
    return cuzk_seal_statement_read_json(statement, json, err);
}

cuzk_status cuzk_commitment_parse(uint8_t commitment[32], bool sealed, const char *text,
                                  cuzk_error *err) {
    if (commitment == NULL || text == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_commitment_parse: NULL argument");
    }
    return cuzk_commitment_read(commitment, sealed ? COMMITMENT_SEALED : COMMITMENT_UNSEALED, text,
                                err);
}

size_t cuzk_number_list(char *text, size_t room, const uint64_t *numbers, size_t n) {
    return cuzk_number_list_write(text, room, numbers, n);
}

bool cuzk_hex_parse(uint8_t *data, size_t len_bytes, const char *text) {
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
    }
    return cuzk_hex_decode(data, len_bytes, text);
}

size_t cuzk_json_string(char *out, size_t room, const char *text) {
    size_t len = strlen(text);
    size_t most = len * JSON_ESCAPE_MAX + 3;
    if (room >= most) {
        out[0] = '"';
        size_t n = 1 + cuzk_json_escape(out + 1, room - 3, text, len);
        memcpy(out + n, "\"", 2);
    }
    return most;
}

cuzk_status cuzk_output_write(const char *path, const void *data, size_t len_bytes,
                              cuzk_error *err) {
    if (path == NULL || (data == NULL && len_bytes > 0)) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_output_write: NULL argument");
    }
    return cuzk_file_write(path, data, len_bytes, true, err);
}

cuzk_status cuzk_output_probe(const char *path, cuzk_error *err) {
    if (path == NULL) {
        return cuzk_fail(err, CUZK_E_ARGUMENT, "cuzk_output_probe: NULL argument");
    }
    return cuzk_file_probe(path, err);
}

const char *cuzk_cpu_level_in_force(void) { return cuzk_cpu_level_name(cuzk_cpu_level_now()); }

cuzk_status cuzk_selftest(void (*say)(void *arg, const char *line), void *arg, cuzk_error *err) {
    return cuzk_engine_selftest(say, arg, err);
}

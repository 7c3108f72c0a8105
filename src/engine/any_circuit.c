/* Circuits of parameter sets. */
#include "engine/any_circuit.h"

static cuzk_status init_porep(any_circuit *blank, const param_set *set, cuzk_error *err) {
    const porep_shape shape = {.log2_nodes = set->log2_nodes,
                               .tree = set->shape,
                               .n_layers = set->n_layers,
                               .n_challenges = set->n_challenges};
    porep_circuit *self = &blank->self.porep;
    cuzk_status status = cuzk_porep_circuit_init(self, &shape, NULL, 0, err);
    blank->circuit = cuzk_porep_circuit(self);
    return status;
}

static cuzk_status init_post(any_circuit *blank, const param_set *set, cuzk_error *err) {
    const post_shape shape = cuzk_post_shape_of(set);
    fallback_post *self = &blank->self.post;
    cuzk_status status = cuzk_fallback_post_init(self, &shape, NULL, 0, 0, err);
    blank->circuit = cuzk_fallback_post_circuit(self);
    return status;
}

static cuzk_status init_update(any_circuit *blank, const param_set *set, cuzk_error *err) {
    update_circuit *self = &blank->self.update;
    cuzk_status status = cuzk_update_circuit_init(self, set, NULL, NULL, 0, err);
    blank->circuit = cuzk_update_circuit(self);
    return status;
}

cuzk_status cuzk_any_circuit_blank(any_circuit *blank, const param_set *set, cuzk_error *err) {
    switch (set->kind) {
    case CIRCUIT_POREP:
        return init_porep(blank, set, err);
    case CIRCUIT_WINNING:
    case CIRCUIT_WINDOW:
        return init_post(blank, set, err);
    default:
        return init_update(blank, set, err);
    }
}

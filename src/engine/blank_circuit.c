/* The circuit of a parameter set, without values. */
#include "engine/blank_circuit.h"

cuzk_status cuzk_blank_circuit_init(blank_circuit *blank, const param_set *set, cuzk_error *err) {
    if (set->kind != CIRCUIT_POREP) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "%s: this version holds the PoRep circuits only",
                         set->id);
    }
    porep_shape shape = {.log2_nodes = set->log2_nodes,
                         .tree = set->shape,
                         .n_layers = set->n_layers,
                         .n_challenges = set->n_challenges};
    cuzk_status status = cuzk_porep_circuit_init(&blank->porep, &shape, NULL, 0, err);
    if (status == CUZK_OK) {
        blank->circuit = cuzk_porep_circuit(&blank->porep);
    }
    return status;
}

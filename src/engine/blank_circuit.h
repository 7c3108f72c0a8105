/* The circuit of a parameter set, without values: for digests, densities and setups. */
#ifndef CUZK_ENGINE_BLANK_CIRCUIT_H
#define CUZK_ENGINE_BLANK_CIRCUIT_H

#include "circuits/fallback_post.h"
#include "circuits/porep_circuit.h"
#include "circuits/update_circuit.h"
#include "filecoin/param_set.h"

/* Must stay where it is as long as `circuit` is used. */
typedef struct blank_circuit {
    union {
        porep_circuit porep;
        fallback_post post;
        update_circuit update;
    } self;
    r1cs_circuit circuit;
} blank_circuit;

cuzk_status cuzk_blank_circuit_init(blank_circuit *blank, const param_set *set, cuzk_error *err);

#endif

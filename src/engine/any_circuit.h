/* A circuit of any kind: of a partition with its values, or of a parameter set without. */
#ifndef CUZK_ENGINE_ANY_CIRCUIT_H
#define CUZK_ENGINE_ANY_CIRCUIT_H

#include "circuits/fallback_post.h"
#include "circuits/porep_circuit.h"
#include "circuits/update_circuit.h"
#include "filecoin/param_set.h"

/* Must stay where it is as long as `circuit` is used. */
typedef struct any_circuit {
    union {
        porep_circuit porep;
        fallback_post post;
        update_circuit update;
    } self;
    r1cs_circuit circuit;
} any_circuit;

/* The circuit of a set without values: for digests, densities and setups. */
cuzk_status cuzk_any_circuit_blank(any_circuit *blank, const param_set *set, cuzk_error *err);

#endif

/* The tower above Fp2: Fp6 = Fp2[v] / (v^3 - (1 + u)), Fp12 = Fp6[w] / (w^2 - v). Used by the pairing only. */
#ifndef CUZK_FIELD_FP12_H
#define CUZK_FIELD_FP12_H

#include "field/fp2.h"

typedef struct fp6 {
    fp2 c0, c1, c2;
} fp6;

typedef struct fp12 {
    fp6 c0, c1;
} fp12;

#endif

/* Circuits small enough to look at: those of groth16.md section 8. Values are read when the circuit
 * is synthesised with values. */
#ifndef CUZK_TESTS_TOY_CIRCUITS_H
#define CUZK_TESTS_TOY_CIRCUITS_H

#include "r1cs/structure.h"
#include "support/support.h"

/* aux a, b; input c; (a)(b) = (c). */
typedef struct product_demo {
    fr_plain a, b;
} product_demo;
r1cs_circuit product_demo_circuit(const product_demo *demo);

/* aux a, b are bits; input c = a xor b. */
typedef struct xor_demo {
    bool a, b;
} xor_demo;
r1cs_circuit xor_demo_circuit(const xor_demo *demo);

/* The density circuit of 8.3 for a small x: inputs x^2, x^3; aux x, x^4, 2x. */
typedef struct density_demo {
    uint64_t x;
} density_demo;
r1cs_circuit density_demo_circuit(const density_demo *demo);

/* MiMC with the given round constants; input: the image. */
enum { MIMC_ROUNDS = 322 };
typedef struct mimc_demo {
    const fr *constants; /* MIMC_ROUNDS */
    fr xl, xr;
} mimc_demo;
r1cs_circuit mimc_demo_circuit(const mimc_demo *demo);
void mimc_image(fr_plain *image, const mimc_demo *demo);

#endif

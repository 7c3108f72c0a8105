/* G1, one point at a time. */
#include "curve/g1.h"

#include "curve/curve_kernels.h"
#include "curve_constants.h"

const g1_affine cuzk_g1_generator = {G1_GENERATOR_X, G1_GENERATOR_Y};

#define G(name) g1_##name
#define GT(name) g1_##name
#define CG(name) cuzk_g1_##name
#define KERNEL(name) cuzk_curve_kernels()->g1_##name
#define F fp
#define FN(name) fp_##name
#define FB G1_B
#include "curve/group_functions.h"

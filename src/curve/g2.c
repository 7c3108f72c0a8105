/* G2, one point at a time. */
#include "curve/g2.h"

#include "curve/curve_kernels.h"
#include "curve_constants.h"

const g2_affine cuzk_g2_generator = {G2_GENERATOR_X, G2_GENERATOR_Y};

#define G(name) g2_##name
#define GT(name) g2_##name
#define CG(name) cuzk_g2_##name
#define KERNEL(name) cuzk_curve_kernels()->g2_##name
#define F fp2
#define FN(name) fp2_##name
#define FB G2_B
#include "curve/group_functions.h"

/* field_kernels for x86-64 with BMI2 and ADX. */
#include "field/field_kernel.h"

const field_kernels cuzk_field_kernels_adx = FIELD_KERNELS;

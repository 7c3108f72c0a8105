/* field_kernels in portable C. */
#include "field/field_kernel.h"

const field_kernels cuzk_field_kernels_portable = FIELD_KERNELS;

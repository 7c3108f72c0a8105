/* Includes the cases of sum_cases.h for both groups. */
#include "patterns.h"

#define G(name) g1_##name
#define GT(name) g1_##name
#define CG(name) cuzk_g1_##name
#define SUM(name) cuzk_msm_g1_##name
#define SUM_ONCE cuzk_msm_g1
#define SUM_TYPE msm_g1
#include "sum_cases.h"
#undef G
#undef GT
#undef CG
#undef SUM
#undef SUM_ONCE
#undef SUM_TYPE

#define G(name) g2_##name
#define GT(name) g2_##name
#define CG(name) cuzk_g2_##name
#define SUM(name) cuzk_msm_g2_##name
#define SUM_ONCE cuzk_msm_g2
#define SUM_TYPE msm_g2
#include "sum_cases.h"
#undef G
#undef GT
#undef CG
#undef SUM
#undef SUM_ONCE
#undef SUM_TYPE

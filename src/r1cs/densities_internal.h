/* Densities gathered beside something else that follows the rows. */
#ifndef CUZK_R1CS_DENSITIES_INTERNAL_H
#define CUZK_R1CS_DENSITIES_INTERNAL_H

#include "r1cs/assignment.h"
#include "r1cs/structure.h"

cuzk_status cuzk_densities_init(r1cs_densities *d, cuzk_account *account, const r1cs_dims *dims,
                                cuzk_error *err);
/* Adds a constraint; not for input rows. */
void cuzk_densities_row(r1cs_densities *d, const r1cs_row *row);

#endif

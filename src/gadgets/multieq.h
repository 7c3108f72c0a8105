/* Additions of words: equalities of small integers collected into one constraint. circuits.md 2.7.
 */
#ifndef CUZK_GADGETS_MULTIEQ_H
#define CUZK_GADGETS_MULTIEQ_H

#include "gadgets/uint32.h"

/* Pending equalities: left = right, used bits. About 36 KB, of which only systems that want
 * combinations touch more than a few bytes. */
typedef struct multieq {
    unsigned used;
    fr_plain value; /* of left */
    power_sum left, right;
} multieq;

void cuzk_multieq_begin(multieq *m);
/* Writes what is pending. */
void cuzk_multieq_end(r1cs_cs *cs, multieq *m);

#define ADDMANY_MAX_OPERANDS 10
/* r = sum of n (2..10) words mod 2^32. r must not be an operand. */
void cuzk_word32_addmany(r1cs_cs *cs, multieq *m, word32 *r, const word32 *const *operands,
                         unsigned n);

#endif

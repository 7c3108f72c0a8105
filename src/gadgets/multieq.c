/* Additions of words. */
#include "gadgets/multieq.h"

#define CAPACITY_BITS 254 /* of a field element: NUM_BITS - 1 */

static void clear(multieq *m) {
    m->used = 0;
    memset(&m->value, 0, sizeof m->value);
    power_sum_clear(&m->left);
    power_sum_clear(&m->right);
}

static void flush(r1cs_cs *cs, multieq *m) {
    cuzk_cs_sum_row(cs, &m->value, &m->left, &m->right);
    clear(m);
}

void cuzk_multieq_begin(multieq *m) { clear(m); }

void cuzk_multieq_end(r1cs_cs *cs, multieq *m) {
    if (m->used > 0) {
        flush(cs, m);
    }
}

/* v += add * 2^shift; no carry leaves 256 bits. */
static void add_shifted(fr_plain *v, uint64_t add, unsigned shift) {
    unsigned __int128 carry = (unsigned __int128)add << (shift % 64);
    for (unsigned i = shift / 64; i < 4; i++) {
        carry += v->l[i];
        v->l[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static unsigned bit_length(uint64_t v) { return 64 - (unsigned)__builtin_clzll(v); }

void cuzk_word32_addmany(r1cs_cs *cs, multieq *m, word32 *r, const word32 *const *operands,
                         unsigned n) {
    CUZK_ASSERT(n >= 2 && n <= ADDMANY_MAX_OPERANDS);
    uint64_t sum = 0;
    uint32_t all_const = UINT32_MAX;
    for (unsigned i = 0; i < n; i++) {
        sum += operands[i]->value;
        all_const &= operands[i]->is_const;
    }
    if (all_const == UINT32_MAX) {
        word32_set_const(r, (uint32_t)sum);
        return;
    }
    unsigned n_bits = bit_length(n * (uint64_t)UINT32_MAX);
    r1cs_var first = cuzk_cs_booleans(cs, n_bits, sum);
    if (m->used + n_bits >= CAPACITY_BITS) {
        flush(cs, m);
    }
    if (cs->want_values) {
        add_shifted(&m->value, sum, m->used);
    }
    if (cs->want_lc) {
        for (unsigned i = 0; i < n; i++) {
            cuzk_word32_add_to(cs, &m->left, operands[i], 32, m->used);
        }
        for (unsigned i = 0; i < n_bits; i++) {
            power_sum_add(&m->right, first + i, m->used + i, false);
        }
    }
    m->used += n_bits;
    cuzk_word32_of_bits(cs, r, 32, first, (uint32_t)sum);
}

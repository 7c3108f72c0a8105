/* Fr beyond the inline operations: powers, inverse, roots of unity, bytes. */
#include "field/fr.h"

#include "base/bytes.h"
#include "base/status.h"

static const uint64_t modulus[4] = FR_MODULUS;

void cuzk_fr_pow(fr *r, const fr *a, const uint64_t *e, size_t n_limbs) {
    fr base = *a;
    fr acc = FR_ONE;
    for (size_t i = n_limbs; i-- > 0;) {
        for (int bit = 63; bit >= 0; bit--) {
            fr_sqr(&acc, &acc);
            if (e[i] >> bit & 1) {
                fr_mul(&acc, &acc, &base);
            }
        }
    }
    *r = acc;
}

void cuzk_fr_inv(fr *r, const fr *a) {
    uint64_t e[4] = FR_MODULUS;
    e[0] -= 2; /* r ends in 1: a borrow */
    e[1] -= modulus[0] < 2;
    cuzk_fr_pow(r, a, e, 4);
}

void cuzk_fr_root_of_unity(fr *r, unsigned log2_n) {
    CUZK_ASSERT(log2_n <= FR_TWO_ADICITY);
    fr w = {FR_OMEGA_MONT};
    for (unsigned i = FR_TWO_ADICITY; i > log2_n; i--) {
        fr_sqr(&w, &w);
    }
    *r = w;
}

bool cuzk_fr_plain_read_le(fr_plain *r, const uint8_t bytes[FR_BYTES]) {
    for (int i = 0; i < 4; i++) {
        r->l[i] = load_le64(bytes + 8 * i);
    }
    for (int i = 3; i >= 0; i--) {
        if (r->l[i] != modulus[i]) {
            return r->l[i] < modulus[i];
        }
    }
    return false;
}

void cuzk_fr_plain_write_le(uint8_t bytes[FR_BYTES], const fr_plain *a) {
    for (int i = 0; i < 4; i++) {
        store_le64(bytes + 8 * i, a->l[i]);
    }
}

bool cuzk_fr_read_le(fr *r, const uint8_t bytes[FR_BYTES]) {
    fr_plain p;
    if (!cuzk_fr_plain_read_le(&p, bytes)) {
        return false;
    }
    fr_from_plain(r, &p);
    return true;
}

void cuzk_fr_write_le(uint8_t bytes[FR_BYTES], const fr *a) {
    fr_plain p;
    fr_to_plain(&p, a);
    cuzk_fr_plain_write_le(bytes, &p);
}

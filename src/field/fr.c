/* Fr: what is too long for fr.h: powers, inverses, roots of unity, encodings. */
#include "field/fr.h"

#include "base/bytes.h"
#include "base/status.h"
#include "field/field_kernels.h"
#include "field/inverse.h"

void cuzk_fr_pow(fr *r, const fr *a, const uint64_t *e, size_t n_limbs) {
    cuzk_field_kernels()->fr_pow(r, a, e, n_limbs);
}

void cuzk_fr_inv(fr *r, const fr *a) {
    static const uint64_t m[4] = FR_MODULUS;
    const fr r3 = {FR_R3};
    fr t;
    inverse_mod(t.l, a->l, m, FR_INV62, 4, 5);
    fr_mul(r, &t, &r3); /* (a 2^256)^-1 2^768 / 2^256 = a^-1 2^256 */
}

void cuzk_fr_root_of_unity(fr *r, unsigned log2_n) {
    CUZK_ASSERT(log2_n <= FR_TWO_ADICITY);
    fr w = {FR_OMEGA_MONT};
    for (unsigned i = log2_n; i < FR_TWO_ADICITY; i++) {
        fr_sqr(&w, &w);
    }
    *r = w;
}

static bool is_reduced(const uint64_t a[4]) {
    static const uint64_t m[4] = FR_MODULUS;
    for (int i = 3; i >= 0; i--) {
        if (a[i] != m[i]) {
            return a[i] < m[i];
        }
    }
    return false;
}

bool cuzk_fr_plain_read_le(fr_plain *r, const uint8_t bytes[FR_BYTES]) {
    for (int i = 0; i < 4; i++) {
        r->l[i] = load_le64(bytes + 8 * i);
    }
    return is_reduced(r->l);
}

void cuzk_fr_plain_write_le(uint8_t bytes[FR_BYTES], const fr_plain *a) {
    for (int i = 0; i < 4; i++) {
        store_le64(bytes + 8 * i, a->l[i]);
    }
}

bool cuzk_fr_read_le(fr *r, const uint8_t bytes[FR_BYTES]) {
    fr_plain t;
    if (!cuzk_fr_plain_read_le(&t, bytes)) {
        return false;
    }
    fr_from_plain(r, &t);
    return true;
}

void cuzk_fr_write_le(uint8_t bytes[FR_BYTES], const fr *a) {
    fr_plain t;
    fr_to_plain(&t, a);
    cuzk_fr_plain_write_le(bytes, &t);
}

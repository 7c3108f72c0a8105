/* Batches on one group at the level of the including file. curve_kernel.h includes this once for
 * each group and defines, besides the names of group_template.h, FINV(r, a)  inverse in F F_BYTES
 * bytes of an encoded coordinate FB          b of the curve      X_ZERO   what a decoded x = 0 is:
 * groth16.md 1.4 */

#define AFFINE GT(affine)
#define JAC GT(jac)

static inline bool G(satisfies_equation)(const AFFINE *p) {
    static const F b = FB;
    F left, right;
    FN(sqr)(&left, &p->y);
    FN(sqr)(&right, &p->x);
    FN(mul)(&right, &right, &p->x);
    FN(add)(&right, &right, &b);
    return FN(eq)(&left, &right);
}

static void G(kernel_to_affine)(AFFINE *r, const JAC *p, size_t n) {
    F product = FONE; /* of the z of the points so far; r[i].x keeps what it was before point i */
    for (size_t i = 0; i < n; i++) {
        r[i].x = product;
        if (!G(jac_is_infinity)(&p[i])) {
            FN(mul)(&product, &product, &p[i].z);
        }
    }
    F inverse, inv_z, inv_z2;
    FINV(&inverse, &product);
    for (size_t i = n; i-- > 0;) {
        if (G(jac_is_infinity)(&p[i])) {
            G(affine_set_infinity)(&r[i]);
            continue;
        }
        FN(mul)(&inv_z, &inverse, &r[i].x);
        FN(mul)(&inverse, &inverse, &p[i].z);
        FN(sqr)(&inv_z2, &inv_z);
        FN(mul)(&r[i].x, &p[i].x, &inv_z2);
        FN(mul)(&inv_z2, &inv_z2, &inv_z);
        FN(mul)(&r[i].y, &p[i].y, &inv_z2);
    }
}

/* [|z|] p */
static inline void G(mul_by_z_abs)(JAC *r, const JAC *p) {
    JAC base = *p;
    *r = base;
    for (int bit = 62; bit >= 0; bit--) {
        G(jac_dbl)(r, r);
        if (CURVE_Z_ABS >> bit & 1) {
            G(jac_add)(r, r, &base);
        }
    }
}

/* p == q as group elements, q affine */
static inline bool G(jac_eq_affine)(const JAC *p, const AFFINE *q) {
    if (G(jac_is_infinity)(p) || G(affine_is_infinity)(q)) {
        return G(jac_is_infinity)(p) && G(affine_is_infinity)(q);
    }
    F z2, t;
    FN(sqr)(&z2, &p->z);
    FN(mul)(&t, &q->x, &z2);
    if (!FN(eq)(&t, &p->x)) {
        return false;
    }
    FN(mul)(&z2, &z2, &p->z);
    FN(mul)(&t, &q->y, &z2);
    return FN(eq)(&t, &p->y);
}

static size_t G(kernel_subgroup)(const AFFINE *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!G(is_in_subgroup)(&p[i])) {
            return i;
        }
    }
    return n;
}

/* [k] p, k an integer of 256 bits, in signed windows of five bits. */
static inline void G(mul_scalar)(JAC *r, const JAC *p, const fr_plain *k) {
    int8_t digits[257];
    int top = scalar_signed_windows(digits, k);
    JAC odd[8]; /* p, 3p .. 15p */
    JAC twice;
    odd[0] = *p;
    G(jac_dbl)(&twice, p);
    for (int i = 1; i < 8; i++) {
        G(jac_add)(&odd[i], &odd[i - 1], &twice);
    }
    JAC sum;
    G(jac_set_infinity)(&sum);
    for (int i = top; i >= 0; i--) {
        G(jac_dbl)(&sum, &sum);
        if (digits[i] > 0) {
            G(jac_add)(&sum, &sum, &odd[digits[i] / 2]);
        } else if (digits[i] < 0) {
            JAC t;
            G(jac_neg)(&t, &odd[-digits[i] / 2]);
            G(jac_add)(&sum, &sum, &t);
        }
    }
    *r = sum;
}
static void G(kernel_mul)(JAC *r, const JAC *p, const fr_plain *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        G(mul_scalar)(&r[i], &p[i], &k[i]);
    }
}

static void G(kernel_add)(JAC *r, const JAC *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        G(jac_add)(&r[i], &r[i], &p[i]);
    }
}
static void G(kernel_add_affine)(JAC *r, const AFFINE *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        G(jac_add_affine)(&r[i], &r[i], &p[i]);
    }
}

static inline bool G(encodes_infinity)(const uint8_t *bytes, size_t len_bytes, uint8_t first) {
    uint8_t other = bytes[0] ^ first;
    for (size_t i = 1; i < len_bytes; i++) {
        other |= bytes[i];
    }
    return other == 0;
}

static inline point_status G(read_x_only)(AFFINE *r, const uint8_t *bytes) {
    static const F b = FB;
    if ((bytes[0] & 0x80) == 0) {
        return POINT_BAD_ENCODING;
    }
    if ((bytes[0] & 0x40) != 0) {
        G(affine_set_infinity)(r);
        return G(encodes_infinity)(bytes, F_BYTES, 0xc0) ? POINT_OK : POINT_BAD_ENCODING;
    }
    if (!FN(from_be)(&r->x, bytes, 0xe0)) {
        return POINT_BAD_ENCODING;
    }
    F y2;
    FN(sqr)(&y2, &r->x);
    FN(mul)(&y2, &y2, &r->x);
    FN(add)(&y2, &y2, &b);
    if (!FN(root)(&r->y, &y2)) {
        return POINT_NOT_ON_CURVE;
    }
    if (FN(sign)(&r->y) != ((bytes[0] & 0x20) != 0)) {
        FN(neg)(&r->y, &r->y);
    }
    return FN(is_zero)(&r->x) ? X_ZERO : POINT_OK;
}

static inline point_status G(read_x_and_y)(AFFINE *r, const uint8_t *bytes, point_check check) {
    if ((bytes[0] & 0xe0) == 0) {
        if (!FN(from_be)(&r->x, bytes, 0) || !FN(from_be)(&r->y, bytes + F_BYTES, 0)) {
            return POINT_BAD_ENCODING;
        }
        if (check == POINT_CHECK_COORDINATES) {
            return POINT_OK;
        }
        if (!G(satisfies_equation)(r)) {
            return POINT_NOT_ON_CURVE;
        }
        return FN(is_zero)(&r->x) ? X_ZERO : POINT_OK;
    }
    G(affine_set_infinity)(r);
    return G(encodes_infinity)(bytes, 2 * F_BYTES, 0x40) ? POINT_OK : POINT_BAD_ENCODING;
}

static point_status G(kernel_read)(AFFINE *r, const uint8_t *bytes, point_form form,
                                   point_check check) {
    bool x_only =
        form == POINT_COMPRESSED || (form == POINT_UNCOMPRESSED && (bytes[0] & 0x80) != 0);
    point_status status = x_only ? G(read_x_only)(r, bytes) : G(read_x_and_y)(r, bytes, check);
    if (status == POINT_OK && check == POINT_CHECK_SUBGROUP && !G(is_in_subgroup)(r)) {
        return POINT_NOT_IN_GROUP;
    }
    return status;
}

static size_t G(kernel_decode)(AFFINE *r, const uint8_t *bytes, size_t n, point_check check,
                               bool refuse_infinity, point_status *status) {
    for (size_t i = 0; i < n; i++) {
        *status = G(kernel_read)(&r[i], bytes + i * 2 * F_BYTES, POINT_STRICT, check);
        if (*status == POINT_OK && refuse_infinity && G(affine_is_infinity)(&r[i])) {
            *status = POINT_BAD_ENCODING;
        }
        if (*status != POINT_OK) {
            return i;
        }
    }
    *status = POINT_OK;
    return n;
}

static void G(kernel_encode)(uint8_t *bytes, const AFFINE *p, size_t n) {
    for (size_t i = 0; i < n; i++, bytes += 2 * F_BYTES) {
        if (G(affine_is_infinity)(&p[i])) {
            memset(bytes, 0, 2 * F_BYTES);
            bytes[0] = 0x40;
            continue;
        }
        FN(to_be)(bytes, &p[i].x);
        FN(to_be)(bytes + F_BYTES, &p[i].y);
    }
}

static void G(kernel_compress)(uint8_t *bytes, const AFFINE *p, size_t n) {
    for (size_t i = 0; i < n; i++, bytes += F_BYTES) {
        if (G(affine_is_infinity)(&p[i])) {
            memset(bytes, 0, F_BYTES);
            bytes[0] = 0xc0;
            continue;
        }
        FN(to_be)(bytes, &p[i].x);
        bytes[0] |= FN(sign)(&p[i].y) ? 0xa0 : 0x80;
    }
}

#undef AFFINE
#undef JAC

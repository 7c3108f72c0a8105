/* Proofs as bytes: compressed A, B, C, 192 bytes (groth16.md 4.4). */
#include "curve/point_encoding.h"
#include "groth16/groth16.h"

enum { A_AT = 0, B_AT = A_AT + G1_COMPRESSED_BYTES, C_AT = B_AT + G2_COMPRESSED_BYTES };
_Static_assert(C_AT + G1_COMPRESSED_BYTES == GROTH16_PROOF_BYTES, "proof layout");

void cuzk_groth16_proof_write(uint8_t bytes[GROTH16_PROOF_BYTES], const groth16_proof *proof) {
    cuzk_g1_write_compressed(bytes + A_AT, &proof->a);
    cuzk_g2_write_compressed(bytes + B_AT, &proof->b);
    cuzk_g1_write_compressed(bytes + C_AT, &proof->c);
}

static cuzk_status refuse(cuzk_error *err, const char *element, int offset, const char *reason) {
    cuzk_fail(err, CUZK_E_INPUT, "proof element %s at offset %d: %s", element, offset, reason);
    if (err != NULL) {
        err->offset = offset;
    }
    return CUZK_E_INPUT;
}

static cuzk_status read_g1(g1_affine *p, const uint8_t *bytes, const char *element, int offset,
                           cuzk_error *err) {
    point_status s = cuzk_g1_read_compressed(p, bytes + offset, POINT_CHECK_SUBGROUP);
    if (s != POINT_OK) {
        return refuse(err, element, offset, cuzk_point_status_text(s));
    }
    return g1_affine_is_infinity(p) ? refuse(err, element, offset, "infinity") : CUZK_OK;
}

static cuzk_status read_g2(g2_affine *p, const uint8_t *bytes, const char *element, int offset,
                           cuzk_error *err) {
    point_status s = cuzk_g2_read_compressed(p, bytes + offset, POINT_CHECK_SUBGROUP);
    if (s != POINT_OK) {
        return refuse(err, element, offset, cuzk_point_status_text(s));
    }
    return g2_affine_is_infinity(p) ? refuse(err, element, offset, "infinity") : CUZK_OK;
}

cuzk_status cuzk_groth16_proof_read(groth16_proof *proof, const uint8_t bytes[GROTH16_PROOF_BYTES],
                                    cuzk_error *err) {
    cuzk_status status = read_g1(&proof->a, bytes, "A", A_AT, err);
    if (status == CUZK_OK) {
        status = read_g2(&proof->b, bytes, "B", B_AT, err);
    }
    if (status == CUZK_OK) {
        status = read_g1(&proof->c, bytes, "C", C_AT, err);
    }
    return status;
}

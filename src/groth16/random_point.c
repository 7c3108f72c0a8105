/* Random group elements: encode_to_curve with a domain separation tag of 16 zero bytes and 16 zero
 * bytes before the message. */
#include "groth16/random_point.h"

#include "curve/map_to_curve.h"
#include "hash/expand_message.h"

#define DRAWN_BYTES 64
#define FIELD_BYTES 64 /* expanded bytes a field element */

/* out_len_bytes of the expansion of 64 drawn bytes */
static void expand_drawn(uint8_t *out, size_t out_len_bytes, const rng_source *rng) {
    static const uint8_t dst[16];
    uint8_t msg[16 + DRAWN_BYTES] = {0};
    rng->fill(rng->self, msg + 16, DRAWN_BYTES);
    cuzk_expand_message_xmd(out, out_len_bytes, msg, sizeof msg, dst, sizeof dst);
}

void cuzk_g1_random(g1_affine *r, const rng_source *rng) {
    uint8_t bytes[FIELD_BYTES];
    fp u;
    expand_drawn(bytes, sizeof bytes, rng);
    cuzk_fp_from_be64(&u, bytes);
    cuzk_g1_map_to_curve(r, &u);
}

void cuzk_g2_random(g2_affine *r, const rng_source *rng) {
    uint8_t bytes[2 * FIELD_BYTES];
    fp2 u;
    expand_drawn(bytes, sizeof bytes, rng);
    cuzk_fp_from_be64(&u.c0, bytes);
    cuzk_fp_from_be64(&u.c1, bytes + FIELD_BYTES);
    cuzk_g2_map_to_curve(r, &u);
}

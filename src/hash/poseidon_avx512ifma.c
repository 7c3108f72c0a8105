/* Poseidon with AVX-512 IFMA: many hashes of one kind eight at a time in lanes, a single one and
 * what is left as at the level below.
 *
 * A value in lanes has the Montgomery factor 2^260. Bounds in multiples of r, with 2^260 = 35.3 r:
 * what enters a full round or leaves a mix is below 17, an S-box makes 3.7 of it; a mix of those is
 * below 2.5. In the partial rounds values 1 to width - 1 grow by less than 1.4 a round and are
 * reduced every PARTIAL_RUN rounds, below 27; their mix is below 12. */
#include "field/fr8.h"
#include "hash/hash_internal.h"
#include "hash/poseidon_kernel.h"

#define PARTIAL_RUN 16
#define MIN_IN_LANES 2 /* of the last eight; fewer go one by one */

typedef const uint64_t (*lane_constants)[FR8_LIMBS];

/* r += k, normal. */
static inline void add_constant(fr8 *r, const uint64_t k[FR8_LIMBS]) {
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
        r->l[i] = lanes_add(r->l[i], lanes_set(k[i]));
    }
    fr8_carry(r);
}

/* r = sum over k < n of a[k] b[k stride] / 2^260, normal, below (1 + 2^-19) r + the sum / 2^260.
 * One reduction for all: a limb's column holds at most 10 halves of 52 bits a term. */
static void lanes_dot(fr8 *r, const fr8 *a, lane_constants b, size_t stride, unsigned n) {
    lanes t[2 * FR8_LIMBS];
    LANES_UNROLL for (int i = 0; i < 2 * FR8_LIMBS; i++) { t[i] = lanes_zero(); }
    for (unsigned k = 0; k < n; k++) {
        const uint64_t *factor = b[k * stride];
        CUZK_DEBUG_ASSERT(fr8_is_normal(&a[k]));
        LANES_UNROLL for (int j = 0; j < FR8_LIMBS; j++) {
            lanes limb = lanes_set(factor[j]);
            LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
                t[i + j] = lanes_mul_low(t[i + j], a[k].l[i], limb);
            }
            LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) {
                t[i + j + 1] = lanes_mul_high(t[i + j + 1], a[k].l[i], limb);
            }
        }
    }
    LANES_UNROLL for (int i = 0; i + 1 < FR8_LIMBS; i++) { fr8_fold(t + i); }
    fr8_fold_last(t + FR8_LIMBS - 1);
    LANES_UNROLL for (int i = 0; i < FR8_LIMBS; i++) { r->l[i] = t[FR8_LIMBS + i]; }
    fr8_carry(r);
    CUZK_DEBUG_ASSERT(fr8_is_below(r, 17));
}

/* s = s^5 */
static inline void lanes_fifth(fr8 *s) {
    fr8 s2, s4;
    CUZK_DEBUG_ASSERT(fr8_is_below(s, 17));
    fr8_sqr(&s2, s);
    fr8_sqr(&s4, &s2);
    fr8_mul(s, &s4, s);
}

/* state[j] = sum over i of m[i][j] state[i] */
static void lanes_mix(fr8 *state, lane_constants m, unsigned width) {
    fr8 out[POSEIDON_MAX_WIDTH];
    for (unsigned j = 0; j < width; j++) {
        lanes_dot(&out[j], state, m + j, width, width);
    }
    memcpy(state, out, width * sizeof *state);
}

static void lanes_full_round(fr8 *state, lane_constants post, lane_constants m, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
        lanes_fifth(&state[i]);
        add_constant(&state[i], post[i]);
    }
    lanes_mix(state, m, width);
}

/* S-box of state[0], which gets post[0], and the sparse matrix, n times. */
static void lanes_partial_rounds(fr8 *state, lane_constants post, lane_constants sparse,
                                 unsigned width, unsigned n) {
    for (unsigned round = 0; round < n; round++) {
        fr8 first;
        lanes_fifth(&state[0]);
        add_constant(&state[0], post[round]);
        lanes_dot(&first, state, sparse, 1, width);
        for (unsigned j = 1; j < width; j++) {
            fr8 v_rest, product;
            fr8_set(&v_rest, sparse[width + j - 1]);
            fr8_mul_raw(&product, &state[0], &v_rest);
            fr8_add(&state[j], &state[j], &product);
            fr8_carry(&state[j]);
        }
        state[0] = first;
        sparse += 2 * width - 1;
        if (round % PARTIAL_RUN == PARTIAL_RUN - 1) {
            for (unsigned j = 1; j < width; j++) {
                fr8_reduce(&state[j], &state[j]);
            }
        }
    }
}

/* state: width values, which the hash of its inputs leaves anywhere. */
static void lanes_permute(fr8 *r, fr8 *state, const poseidon_constants *c) {
    const unsigned width = c->width;
    lane_constants k = c->in_lanes;
    lane_constants mds = k + POSEIDON_FULL_ROUNDS * width + c->partial_rounds;
    lane_constants pre_sparse = mds + width * width, sparse = pre_sparse + width * width;
    for (unsigned i = 0; i < width; i++, k++) {
        add_constant(&state[i], *k);
    }
    for (unsigned round = 0; round < POSEIDON_FULL_ROUNDS / 2; round++, k += width) {
        lanes_full_round(state, k, round == POSEIDON_FULL_ROUNDS / 2 - 1 ? pre_sparse : mds, width);
    }
    lanes_partial_rounds(state, k, sparse, width, c->partial_rounds);
    k += c->partial_rounds;
    for (unsigned round = 1; round < POSEIDON_FULL_ROUNDS / 2; round++, k += width) {
        lanes_full_round(state, k, mds, width);
    }
    for (unsigned i = 0; i < width; i++) {
        lanes_fifth(&state[i]);
    }
    lanes_dot(r, state, mds + 1, width, width);
}

/* n of eight, 1 to 8; lanes without a hash repeat the last one. */
static void lanes_hash(fr *r, const poseidon_constants *c, const fr *in, size_t n) {
    static const uint64_t to_256[FR8_LIMBS] = FR8_TO_256;
    fr8 state[POSEIDON_MAX_WIDTH], hash, scale;
    fr eight[LANES];
    for (unsigned i = 0; i < c->width; i++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t from = lane < n ? lane : n - 1;
            eight[lane] = i == 0 ? c->tag : in[from * c->arity + i - 1];
        }
        fr8_load_times_16(&state[i], eight);
    }
    lanes_permute(&hash, state, c);
    fr8_set(&scale, to_256);
    fr8_mul(&hash, &hash, &scale);
    fr8_canonical(&hash, &hash);
    fr8_store(eight, &hash);
    memcpy(r, eight, n * sizeof *r);
}

static void poseidon_in_lanes(fr *r, const poseidon_constants *c, const fr *in, size_t n) {
    size_t k = 0;
    for (; n - k >= MIN_IN_LANES; k += n - k < LANES ? n - k : LANES) {
        lanes_hash(r + k, c, in + k * c->arity, n - k < LANES ? n - k : LANES);
    }
    poseidon_one_by_one(r + k, c, in + k * c->arity, n - k);
}

const hash_kernels cuzk_hash_kernels_avx512ifma = {poseidon_hash, poseidon_in_lanes,
                                                   poseidon_trace};

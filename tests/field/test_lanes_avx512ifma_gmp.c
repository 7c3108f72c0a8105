/* The lane arithmetic of fp8.h, fp2x8.h and fr8.h against GMP, at the ends of the lazy ranges and
 * on random values. */
#include <gmp.h>

#include "base/cpu.h"
#include "field/fp2x8.h"
#include "field/fr8.h"
#include "support/support.h"

enum { MAX_LIMBS = 8, N_EDGES = 14 };

typedef struct lane_field {
    int n_limbs;
    mpz_t modulus, radix; /* radix: 2^(52 n_limbs) */
} lane_field;

static lane_field fp_field, fr_field;

static void field_init(lane_field *f, const uint64_t *words, int n_words, int n_limbs) {
    f->n_limbs = n_limbs;
    mpz_inits(f->modulus, f->radix, NULL);
    mpz_import(f->modulus, (size_t)n_words, -1, 8, 0, 0, words);
    mpz_setbit(f->radix, (mp_bitcnt_t)(LIMB52_BITS * n_limbs));
}

static int set_up(void **state) {
    static const uint64_t p[6] = FP_MODULUS, r[4] = FR_MODULUS;
    (void)state;
    field_init(&fp_field, p, 6, FP8_LIMBS);
    field_init(&fr_field, r, 4, FR8_LIMBS);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    mpz_clears(fp_field.modulus, fp_field.radix, fr_field.modulus, fr_field.radix, NULL);
    return 0;
}

/* ---- lanes and integers ---- */

static void put(lanes *l, int n_limbs, int lane, const mpz_t v) {
    mpz_t t, limb;
    mpz_inits(t, limb, NULL);
    mpz_set(t, v);
    for (int i = 0; i < n_limbs; i++) {
        uint64_t words[LANES];
        _mm512_storeu_si512(words, l[i]);
        mpz_fdiv_r_2exp(limb, t, LIMB52_BITS);
        words[lane] = mpz_get_ui(limb);
        mpz_fdiv_q_2exp(t, t, LIMB52_BITS);
        l[i] = _mm512_loadu_si512(words);
    }
    assert_int_equal(mpz_sgn(t), 0);
    mpz_clears(t, limb, NULL);
}

/* The value of raw limbs. */
static void get(mpz_t v, const lanes *l, int n_limbs, int lane) {
    mpz_t limb;
    mpz_init(limb);
    mpz_set_ui(v, 0);
    for (int i = n_limbs; i-- > 0;) {
        int64_t words[LANES];
        _mm512_storeu_si512(words, l[i]);
        mpz_mul_2exp(v, v, LIMB52_BITS);
        mpz_set_si(limb, words[lane]);
        mpz_add(v, v, limb);
    }
    mpz_clear(limb);
}

/* Case i of values below bound: 0, 1, the ends, multiples of the modulus and their neighbours, low
 * limbs all ones, random. */
static void value_case(mpz_t v, const lane_field *f, const mpz_t bound, int i, test_rng *rng) {
    mpz_t t;
    mpz_init(t);
    mpz_sub_ui(v, bound, 1);
    switch (i) {
    case 0:
        mpz_set_ui(v, 0);
        break;
    case 1:
        mpz_set_ui(v, 1);
        break;
    case 2:
        break; /* bound - 1 */
    case 3:
    case 4: /* the last multiple of the modulus, one less */
        mpz_fdiv_q(v, v, f->modulus);
        mpz_mul(v, v, f->modulus);
        if (mpz_sgn(v) > 0) {
            mpz_sub_ui(v, v, (unsigned long)(i - 3));
        }
        break;
    case 5:
    case 6:
    case 7: /* modulus - 1, itself, + 1, where the bound allows */
        mpz_set(t, f->modulus);
        mpz_add_ui(t, t, (unsigned long)(i - 5));
        mpz_sub_ui(t, t, 1);
        if (mpz_cmp(t, bound) < 0) {
            mpz_set(v, t);
        }
        break;
    case 8:
    case 9: /* limbs all ones */
        mpz_fdiv_q_2exp(v, v, (mp_bitcnt_t)(LIMB52_BITS * (f->n_limbs - 1)));
        mpz_mul_2exp(v, v, (mp_bitcnt_t)(LIMB52_BITS * (f->n_limbs - 1)));
        mpz_sub_ui(v, v, 1);
        if (i == 9) {
            mpz_fdiv_q_2exp(v, v, LIMB52_BITS);
        }
        break;
    case 10:
    case 11: /* one limb of all ones; only the top limb */
        mpz_set_ui(v, 1);
        mpz_mul_2exp(v, v, LIMB52_BITS);
        mpz_sub_ui(v, v, 1);
        if (i == 11) {
            mpz_sub_ui(v, bound, 1);
            mpz_fdiv_q_2exp(v, v, (mp_bitcnt_t)(LIMB52_BITS * (f->n_limbs - 1)));
            mpz_mul_2exp(v, v, (mp_bitcnt_t)(LIMB52_BITS * (f->n_limbs - 1)));
        }
        break;
    default: {
        uint64_t words[8];
        for (int k = 0; k < 8; k++) {
            words[k] = test_rng_u64(rng);
        }
        mpz_import(v, 8, -1, 8, 0, 0, words);
        mpz_mod(v, v, bound);
    }
    }
    mpz_clear(t);
}

/* All lanes from cases; kept in integers too. */
typedef struct operand {
    mpz_t v[LANES];
} operand;

static void operand_init(operand *o) {
    for (int i = 0; i < LANES; i++) {
        mpz_init(o->v[i]);
    }
}
static void operand_clear(operand *o) {
    for (int i = 0; i < LANES; i++) {
        mpz_clear(o->v[i]);
    }
}
static void operand_make(lanes *l, operand *o, const lane_field *f, const mpz_t bound,
                         int first_case, int case_step, test_rng *rng) {
    for (int i = 0; i < LANES; i++) {
        value_case(o->v[i], f, bound, (first_case + i * case_step) % (N_EDGES + 2), rng);
        put(l, f->n_limbs, i, o->v[i]);
    }
}

/* got = want mod the modulus, 0 <= got < limit; got and want may be raw */
static void same(const lanes *l, const lane_field *f, int lane, const mpz_t want,
                 const mpz_t limit) {
    mpz_t got, t;
    mpz_inits(got, t, NULL);
    get(got, l, f->n_limbs, lane);
    assert_true(mpz_sgn(got) >= 0 && mpz_cmp(got, limit) < 0);
    mpz_sub(t, got, want);
    assert_true(mpz_divisible_p(t, f->modulus));
    mpz_clears(got, t, NULL);
}

static void multiple(mpz_t r, const lane_field *f, unsigned log2_k) {
    mpz_mul_2exp(r, f->modulus, log2_k);
}

static void inverse_radix(mpz_t r, const lane_field *f) { mpz_invert(r, f->radix, f->modulus); }

/* ---- Fp ---- */

static void fp_products(void **state) {
    (void)state;
    test_rng rng = {41};
    mpz_t bound_a, bound_b, limit, want, shrink;
    operand a, b;
    mpz_inits(bound_a, bound_b, limit, want, shrink, NULL);
    operand_init(&a);
    operand_init(&b);
    multiple(limit, &fp_field, 1);
    inverse_radix(shrink, &fp_field);
    const unsigned bounds[][2] = {{0, 0}, {1, 1}, {17, 17}, {33, 1}, {1, 33}};
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        multiple(bound_a, &fp_field, bounds[k][0]);
        multiple(bound_b, &fp_field, bounds[k][1]);
        for (int round = 0; round < 200; round++) {
            fp8 x, y, r;
            operand_make(x.l, &a, &fp_field, bound_a, round, 1, &rng);
            operand_make(y.l, &b, &fp_field, bound_b, round / 16, 3, &rng);
            fp8_mul(&r, &x, &y);
            assert_true(fp8_is_normal(&r));
            for (int i = 0; i < LANES; i++) {
                mpz_mul(want, a.v[i], b.v[i]);
                mpz_mul(want, want, shrink);
                same(r.l, &fp_field, i, want, limit);
            }
            if (bounds[k][0] > 17) {
                continue;
            }
            /* the same value with raw limbs */
            LANES_UNROLL for (int i = 0; i + 1 < FP8_LIMBS; i++) {
                x.l[i] = lanes_sub(x.l[i], lanes_set(3ull << LIMB52_BITS));
                x.l[i + 1] = lanes_add(x.l[i + 1], lanes_set(3));
            }
            fp8_carry_factor(&x);
            fp8_sqr(&x, &x);
            assert_true(fp8_is_normal(&x));
            for (int i = 0; i < LANES; i++) {
                mpz_mul(want, a.v[i], a.v[i]);
                mpz_mul(want, want, shrink);
                same(x.l, &fp_field, i, want, limit);
            }
        }
    }
    operand_clear(&a);
    operand_clear(&b);
    mpz_clears(bound_a, bound_b, limit, want, shrink, NULL);
}

static void fp_sums_and_ranges(void **state) {
    (void)state;
    test_rng rng = {42};
    mpz_t bound, limit, want;
    operand a, b;
    mpz_inits(bound, limit, want, NULL);
    operand_init(&a);
    operand_init(&b);
    for (int log2_k = 0; log2_k <= 33; log2_k += 3) {
        multiple(bound, &fp_field, (unsigned)log2_k);
        for (int round = 0; round < 64; round++) {
            fp8 x, y, r, s;
            operand_make(x.l, &a, &fp_field, bound, round, 1, &rng);
            operand_make(y.l, &b, &fp_field, bound, round / 8, 5, &rng);
            fp8_add(&r, &x, &y);
            fp8_carry(&r);
            assert_true(fp8_is_normal(&r));
            multiple(limit, &fp_field, (unsigned)log2_k + 1);
            for (int i = 0; i < LANES; i++) {
                mpz_add(want, a.v[i], b.v[i]);
                same(r.l, &fp_field, i, want, limit);
            }
            fp8_sub(&s, &x, &y, log2_k);
            for (int i = 0; i < LANES; i++) {
                mpz_sub(want, a.v[i], b.v[i]);
                same(s.l, &fp_field, i, want, limit);
            }
            fp8_reduce(&r, &s);
            multiple(limit, &fp_field, 1);
            assert_true(fp8_is_normal(&r));
            for (int i = 0; i < LANES; i++) {
                mpz_sub(want, a.v[i], b.v[i]);
                same(r.l, &fp_field, i, want, limit);
            }
            fp8_canonical(&r, &r);
            for (int i = 0; i < LANES; i++) {
                mpz_sub(want, a.v[i], b.v[i]);
                same(r.l, &fp_field, i, want, fp_field.modulus);
            }
        }
    }
    operand_clear(&a);
    operand_clear(&b);
    mpz_clears(bound, limit, want, NULL);
}

static void fp_signs_and_zeros(void **state) {
    (void)state;
    test_rng rng = {43};
    mpz_t bound, want;
    operand a;
    mpz_inits(bound, want, NULL);
    operand_init(&a);
    multiple(bound, &fp_field, 5);
    for (int round = 0; round < 64; round++) {
        fp8 x, r, one, chosen;
        operand_make(x.l, &a, &fp_field, bound, round, 1, &rng);
        lane_mask mask = (lane_mask)test_rng_u64(&rng);
        fp8_negate_lanes(&r, mask, &x, 5);
        fp8_set(&one, fp8_one);
        fp8_select(&chosen, mask, &x, &one);
        for (int i = 0; i < LANES; i++) {
            bool is_in = (mask >> i & 1) != 0;
            get(want, r.l, FP8_LIMBS, i);
            if (is_in) {
                mpz_sub(want, bound, want);
            }
            assert_int_equal(mpz_cmp(want, a.v[i]), 0);
            get(want, chosen.l, FP8_LIMBS, i);
            if (is_in) {
                mpz_sub(want, fp_field.radix, want);
                assert_true(mpz_divisible_p(want, fp_field.modulus));
            } else {
                assert_int_equal(mpz_cmp(want, a.v[i]), 0);
            }
        }
        lane_mask zeros = fp8_maybe_zero(&x, 32);
        for (int i = 0; i < LANES; i++) {
            if (mpz_divisible_p(a.v[i], fp_field.modulus)) {
                assert_true((zeros >> i & 1) != 0);
            } else { /* a false alarm where the low limb is 0 */
                assert_int_equal(zeros >> i & 1, (mpz_get_ui(a.v[i]) & LIMB52_MASK) == 0);
            }
        }
    }
    operand_clear(&a);
    mpz_clears(bound, want, NULL);
}

/* Packed and wide memory, and single elements. */
static void fp_memory(void **state) {
    (void)state;
    test_rng rng = {44};
    mpz_t bound, want, t;
    operand a;
    mpz_inits(bound, want, t, NULL);
    operand_init(&a);
    mpz_setbit(bound, 384);
    for (int round = 0; round < 64; round++) {
        fp8 x, y;
        uint64_t packed[LANES][7];
        operand_make(x.l, &a, &fp_field, bound, round, 1, &rng);
        memset(packed, 0xa5, sizeof packed);
        fp8_store(packed, &x, sizeof packed[0]);
        for (int i = 0; i < LANES; i++) {
            mpz_import(want, 6, -1, 8, 0, 0, packed[i]);
            assert_int_equal(mpz_cmp(want, a.v[i]), 0);
            assert_true(packed[i][6] == 0xa5a5a5a5a5a5a5a5ull);
        }
        fp8_load(&y, packed, sizeof packed[0]);
        assert_memory_equal(&x, &y, sizeof x);
        lanes rows[LANES];
        lanes_transpose(rows, x.l);
        for (int i = 0; i < LANES; i++) {
            get(want, &rows[i], 1, 0);
            assert_true(mpz_get_ui(want) == (mpz_get_ui(a.v[i]) & LIMB52_MASK));
        }
        lanes_transpose(rows, rows);
        assert_memory_equal(rows, x.l, sizeof rows);
        fp8_load_times_2_32(&y, packed, sizeof packed[0]);
        for (int i = 0; i < LANES; i++) { /* 2^32 times a value below 2^384 fits 416 bits */
            get(want, y.l, FP8_LIMBS, i);
            mpz_mul_2exp(t, a.v[i], 32);
            assert_int_equal(mpz_cmp(want, t), 0);
        }
        fp in[LANES], out[LANES];
        for (int i = 0; i < LANES; i++) {
            test_rng_fp(&in[i], &rng);
        }
        fp8_load_times_2_32(&x, in, sizeof in[0]); /* Montgomery factor 2^416 */
        fp8_reduce(&x, &x);
        fp8_to_fp(out, &x);
        assert_memory_equal(in, out, sizeof in);
        cuzk_fp8_inv_avx512ifma(&y, &x);
        fp8_to_fp(out, &y);
        for (int i = 0; i < LANES; i++) {
            cuzk_fp_inv(&in[i], &in[i]);
        }
        assert_memory_equal(in, out, sizeof in);
    }
    operand_clear(&a);
    mpz_clears(bound, want, t, NULL);
}

/* ---- Fp2 ---- */

/* Big-endian bytes of values below p to 2^384 times them mod p. */
static void fp_of_bytes(void **state) {
    (void)state;
    test_rng rng = {46};
    mpz_t want;
    operand a;
    mpz_init(want);
    operand_init(&a);
    for (int round = 0; round < 512; round++) {
        fp8 x;
        uint8_t bytes[LANES][50];
        operand_make(x.l, &a, &fp_field, fp_field.modulus, round, 1, &rng);
        for (int i = 0; i < LANES; i++) {
            for (size_t k = 0; k < 48; k++) {
                mpz_fdiv_q_2exp(want, a.v[i], (mp_bitcnt_t)(8 * (47 - k)));
                bytes[i][k] = (uint8_t)(mpz_get_ui(want) & 0xff);
            }
        }
        fp8_load_reversed_times_16(&x, bytes, sizeof bytes[0]);
        assert_true(fp8_is_normal(&x));
        for (int i = 0; i < LANES; i++) {
            get(want, x.l, FP8_LIMBS, i);
            mpz_fdiv_q_2exp(want, want, 4);
            assert_int_equal(mpz_cmp(want, a.v[i]), 0);
        }
        fp8_plain_to_384(&x, &x);
        assert_true(fp8_is_normal(&x));
        for (int i = 0; i < LANES; i++) {
            mpz_mul_2exp(want, a.v[i], 384);
            same(x.l, &fp_field, i, want, fp_field.modulus);
        }
    }
    operand_clear(&a);
    mpz_clear(want);
}

static void fp2_products(void **state) {
    (void)state;
    test_rng rng = {45};
    mpz_t bound, limit, want, t, shrink;
    operand a0, a1, b0, b1;
    mpz_inits(bound, limit, want, t, shrink, NULL);
    operand_init(&a0);
    operand_init(&a1);
    operand_init(&b0);
    operand_init(&b1);
    inverse_radix(shrink, &fp_field);
    for (unsigned log2_k = 0; log2_k <= 15; log2_k += 5) {
        multiple(bound, &fp_field, log2_k);
        for (int round = 0; round < 200; round++) {
            fp2x8 x, y, r, s;
            operand_make(x.c0.l, &a0, &fp_field, bound, round, 1, &rng);
            operand_make(x.c1.l, &a1, &fp_field, bound, round / 4, 3, &rng);
            operand_make(y.c0.l, &b0, &fp_field, bound, round / 8, 5, &rng);
            operand_make(y.c1.l, &b1, &fp_field, bound, round / 16, 7, &rng);
            fp2x8_mul(&r, &x, &y);
            fp2x8_sqr(&s, &x, (int)log2_k);
            for (int i = 0; i < LANES; i++) {
                mpz_mul(want, a0.v[i], b0.v[i]);
                mpz_submul(want, a1.v[i], b1.v[i]);
                mpz_mul(want, want, shrink);
                mpz_mul_ui(limit, fp_field.modulus, 3);
                same(r.c0.l, &fp_field, i, want, limit);
                mpz_mul(want, a0.v[i], b1.v[i]);
                mpz_addmul(want, a1.v[i], b0.v[i]);
                mpz_mul(want, want, shrink);
                multiple(limit, &fp_field, 1);
                same(r.c1.l, &fp_field, i, want, limit);
                mpz_mul(want, a0.v[i], a0.v[i]);
                mpz_submul(want, a1.v[i], a1.v[i]);
                mpz_mul(want, want, shrink);
                same(s.c0.l, &fp_field, i, want, limit);
                mpz_mul(want, a0.v[i], a1.v[i]);
                mpz_mul_ui(want, want, 2);
                mpz_mul(want, want, shrink);
                same(s.c1.l, &fp_field, i, want, limit);
            }
        }
    }
    operand_clear(&a0);
    operand_clear(&a1);
    operand_clear(&b0);
    operand_clear(&b1);
    mpz_clears(bound, limit, want, t, shrink, NULL);
}

/* ---- Fr ---- */

static void fr_products(void **state) {
    (void)state;
    test_rng rng = {46};
    mpz_t bound_a, bound_b, limit, want, shrink;
    operand a, b;
    mpz_inits(bound_a, bound_b, limit, want, shrink, NULL);
    operand_init(&a);
    operand_init(&b);
    inverse_radix(shrink, &fr_field);
    /* bounds in multiples of r; 0 for all that fits the limbs */
    const unsigned bounds[][2] = {{1, 1}, {2, 2}, {16, 2}, {0, 1}, {1, 0}, {16, 16}, {0, 33}};
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        mpz_mul_ui(bound_a, fr_field.modulus, bounds[k][0]);
        mpz_mul_ui(bound_b, fr_field.modulus, bounds[k][1]);
        mpz_set(bound_a, bounds[k][0] == 0 ? fr_field.radix : bound_a);
        mpz_set(bound_b, bounds[k][1] == 0 ? fr_field.radix : bound_b);
        for (int round = 0; round < 200; round++) {
            fr8 x, y, r;
            operand_make(x.l, &a, &fr_field, bound_a, round, 1, &rng);
            operand_make(y.l, &b, &fr_field, bound_b, round / 16, 3, &rng);
            fr8_mul(&r, &x, &y);
            assert_true(fr8_is_normal(&r));
            for (int i = 0; i < LANES; i++) {
                /* a b / 2^260 + r (1 + 2^-19), rounded up */
                mpz_mul(limit, a.v[i], b.v[i]);
                mpz_fdiv_q(limit, limit, fr_field.radix);
                mpz_add(limit, limit, fr_field.modulus);
                mpz_fdiv_q_2exp(want, fr_field.modulus, 19);
                mpz_add(limit, limit, want);
                mpz_add_ui(limit, limit, 1);
                mpz_mul(want, a.v[i], b.v[i]);
                mpz_mul(want, want, shrink);
                same(r.l, &fr_field, i, want, limit);
            }
        }
    }
    operand_clear(&a);
    operand_clear(&b);
    mpz_clears(bound_a, bound_b, limit, want, shrink, NULL);
}

static void fr_constants(void **state) {
    (void)state;
    test_rng rng = {49};
    mpz_t limit, want, q;
    operand a, b;
    mpz_inits(limit, want, q, NULL);
    operand_init(&a);
    operand_init(&b);
    for (int round = 0; round < 400; round++) {
        fr8 x, y, r;
        fr8_constant c;
        operand_make(x.l, &a, &fr_field, fr_field.radix, round, 1, &rng);
        operand_make(y.l, &b, &fr_field, fr_field.modulus, round / 16, 3, &rng);
        for (int i = 0; i < LANES; i++) { /* 2^260 w */
            mpz_mul(want, b.v[i], fr_field.radix);
            mpz_mod(want, want, fr_field.modulus);
            put(y.l, FR8_LIMBS, i, want);
        }
        fr8_constant_of(&c, &y);
        fr8_mul_constant(&r, &x, &c);
        fr8 reduced;
        fr8_reduce(&reduced, &r);
        fr8_carry(&r);
        for (int i = 0; i < LANES; i++) {
            get(want, c.w.l, FR8_LIMBS, i);
            assert_int_equal(mpz_cmp(want, b.v[i]), 0);
            get(want, c.quotient.l, FR8_LIMBS, i);
            mpz_mul(q, b.v[i], fr_field.radix);
            mpz_fdiv_q(q, q, fr_field.modulus);
            assert_int_equal(mpz_cmp(want, q), 0);
            /* (1.01 + a / 2^260) r */
            mpz_mul(limit, a.v[i], fr_field.modulus);
            mpz_fdiv_q(limit, limit, fr_field.radix);
            mpz_fdiv_q_ui(q, fr_field.modulus, 100);
            mpz_add(limit, limit, q);
            mpz_add(limit, limit, fr_field.modulus);
            mpz_mul(want, a.v[i], b.v[i]);
            same(r.l, &fr_field, i, want, limit);
            mpz_mul_ui(limit, fr_field.modulus, 2);
            same(reduced.l, &fr_field, i, want, limit);
        }
    }
    operand_clear(&a);
    operand_clear(&b);
    mpz_clears(limit, want, q, NULL);
}

static void fr_sums_and_ranges(void **state) {
    (void)state;
    test_rng rng = {47};
    mpz_t bound, limit, want;
    operand a, b;
    mpz_inits(bound, limit, want, NULL);
    operand_init(&a);
    operand_init(&b);
    for (int k = 1; k <= 17; k += 4) {
        mpz_mul_ui(bound, fr_field.modulus, (unsigned long)k);
        for (int round = 0; round < 64; round++) {
            fr8 x, y, r;
            operand_make(x.l, &a, &fr_field, bound, round, 1, &rng);
            operand_make(y.l, &b, &fr_field, bound, round / 8, 5, &rng);
            mpz_mul_ui(limit, bound, 2);
            fr8_add(&r, &x, &y);
            for (int i = 0; i < LANES; i++) {
                mpz_add(want, a.v[i], b.v[i]);
                same(r.l, &fr_field, i, want, limit);
            }
            fr8_sub(&r, &x, &y, k);
            fr8_reduce(&r, &r);
            mpz_mul_ui(limit, fr_field.modulus, 2);
            for (int i = 0; i < LANES; i++) {
                mpz_sub(want, a.v[i], b.v[i]);
                same(r.l, &fr_field, i, want, limit);
            }
            fr8_canonical(&r, &r);
            for (int i = 0; i < LANES; i++) {
                mpz_sub(want, a.v[i], b.v[i]);
                same(r.l, &fr_field, i, want, fr_field.modulus);
            }
        }
    }
    mpz_mul_ui(bound, fr_field.modulus, FR8_MAX_MULTIPLE);
    mpz_mul_ui(limit, fr_field.modulus, 134);
    mpz_fdiv_q_ui(limit, limit, 100);
    for (int round = 0; round < 640; round++) { /* up to 35 r */
        fr8 x;
        operand_make(x.l, &a, &fr_field, bound, round, 1, &rng);
        fr8_reduce(&x, &x);
        for (int i = 0; i < LANES; i++) {
            same(x.l, &fr_field, i, a.v[i], limit);
        }
    }
    operand_clear(&a);
    operand_clear(&b);
    mpz_clears(bound, limit, want, NULL);
}

/* Raw values of which the top limbs alone look negative. */
static void fr_reduces_tiny_raw_values(void **state) {
    (void)state;
    for (uint64_t value = 0; value < 3; value++) {
        fr8 x, zero = {{{0}}};
        fr8_add(&x, &zero, &zero);
        x.l[0] = lanes_set(value);
        x.l[2] = lanes_set(LIMB52_MASK + 1);
        x.l[3] = lanes_set(5 * (LIMB52_MASK + 1) - 1);
        x.l[4] = lanes_set(0 - (uint64_t)5);
        fr8_reduce(&x, &x);
        fr8_canonical(&x, &x);
        fr out[LANES];
        fr8_store(out, &x);
        for (int i = 0; i < LANES; i++) {
            const fr want = {{value, 0, 0, 0}};
            assert_true(fr_eq(&out[i], &want));
        }
    }
}

/* 0, 1, r - 1, r, r + 1, 2 r - 1 with carries left in every limb. */
static void fr_canonical_of_raw_values(void **state) {
    (void)state;
    const int multiples[] = {0, 0, 1, 1, 1, 2}, more[] = {0, 1, -1, 0, 1, -1};
    const fr modulus = {FR_MODULUS};
    for (int k = 0; k < 6; k++) {
        for (int carried = 0; carried < FR8_LIMBS; carried++) {
            fr8 x;
            for (int i = 0; i < FR8_LIMBS; i++) {
                uint64_t limb = fr8_multiples[multiples[k]][i];
                limb += i == 0 ? (uint64_t)(int64_t)more[k] : 0;
                limb += i < carried ? (uint64_t)7 << LIMB52_BITS : 0;
                limb -= i > 0 && i <= carried ? 7 : 0;
                x.l[i] = lanes_set(limb);
            }
            fr8_canonical_raw(&x, &x);
            fr out[LANES], want = modulus;
            fr8_store(out, &x);
            if (more[k] >= 0) {
                want = (fr){{(uint64_t)more[k], 0, 0, 0}};
            } else {
                want.l[0]--;
            }
            for (int i = 0; i < LANES; i++) {
                assert_true(fr_eq(&out[i], &want));
            }
        }
    }
}

static void fr_memory(void **state) {
    (void)state;
    test_rng rng = {48};
    mpz_t bound, want, t;
    operand a;
    mpz_inits(bound, want, t, NULL);
    operand_init(&a);
    mpz_setbit(bound, 256);
    for (int round = 0; round < 64; round++) {
        fr8 x, y;
        fr packed[LANES], out[LANES];
        operand_make(x.l, &a, &fr_field, bound, round, 1, &rng);
        fr8_store(packed, &x);
        fr8_load(&y, packed);
        assert_memory_equal(&x, &y, sizeof x);
        fr8_load_times_16(&y, packed);
        for (int i = 0; i < LANES; i++) {
            mpz_import(want, 4, -1, 8, 0, 0, packed[i].l);
            assert_int_equal(mpz_cmp(want, a.v[i]), 0);
            mpz_mul_ui(want, want, 16);
            get(t, y.l, FR8_LIMBS, i);
            assert_int_equal(mpz_cmp(want, t), 0);
        }
        for (int i = 0; i < LANES; i++) {
            test_rng_fr(&packed[i], &rng);
        }
        fr8_load_times_16(&x, packed); /* Montgomery factor 2^260 */
        cuzk_fr8_inv_avx512ifma(&y, &x);
        fr8_mul(&y, &y, &x); /* one */
        static const uint64_t plain_one[FR8_LIMBS] = {1};
        fr8 one;
        fr8_set(&one, plain_one);
        fr8_mul(&y, &y, &one);
        fr8_canonical(&y, &y);
        fr8_store(out, &y);
        for (int i = 0; i < LANES; i++) {
            const fr want_one = {{1, 0, 0, 0}};
            assert_true(fr_eq(&out[i], &want_one));
        }
    }
    operand_clear(&a);
    mpz_clears(bound, want, t, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fp_products),
        cmocka_unit_test(fp_sums_and_ranges),
        cmocka_unit_test(fp_signs_and_zeros),
        cmocka_unit_test(fp_memory),
        cmocka_unit_test(fp_of_bytes),
        cmocka_unit_test(fp2_products),
        cmocka_unit_test(fr_products),
        cmocka_unit_test(fr_constants),
        cmocka_unit_test(fr_sums_and_ranges),
        cmocka_unit_test(fr_reduces_tiny_raw_values),
        cmocka_unit_test(fr_canonical_of_raw_values),
        cmocka_unit_test(fr_memory),
    };
    if (cuzk_cpu_detected() < CUZK_CPU_AVX512IFMA) {
        print_message("skipped: this CPU has no AVX-512 IFMA\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

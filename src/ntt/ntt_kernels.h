/* The inner work of transforms at each CPU level: runs of one pass. For src/ntt only.
 *
 * Method. Let T(j, b) = w_(2^(j+1))^reverse_j(b), b below 2^j, with reverse_j the reversal of j
 * bits. A polynomial modulo X^(2 m) - c^2 is split into its remainders modulo X^m - c and X^m + c
 * by butterflies (u, v) -> (u + c v, u - c v). From X^N - 1 this takes log2 N layers; layer j has
 * 2^j stretches of N / 2^j elements, and in stretch b c = T(j, b). Natural order comes in,
 * bit-reversed order goes out. Modulo X^N - 7^N, which is the transform on the coset 7 <w>, layer j
 * has c = T(j, b) 7^(N / 2^(j+1)) at no cost. The transposed graph, layers from the last to the
 * first with butterflies (u, v) -> (u + v, (u - v) c), merges: bit-reversed in, natural out. With
 * 1/w and 1/7 for w and 7 the merge undoes the split but for a factor N.
 *
 * A pass is a run of layers that works on blocks of 2^rows_log2 rows. Within block b of the pass
 * that starts at layer L, layer L + j has the constants T(L + j, 2^j b + i) = T(j, i)
 * e^(2^(rows_log2 - 1 - j)) with one number e for each block: T is needed only for
 * the layers of a pass, and the constants of a block cost one product each. */
#ifndef CUZK_NTT_NTT_KERNELS_H
#define CUZK_NTT_NTT_KERNELS_H

#include "base/cpu.h"
#include "field/fr.h"
#include "ntt/ntt.h"

#define NTT_MAX_ROWS_LOG2 11
#define NTT_MAX_COLUMNS_LOG2 3
#define NTT_MAX_PASSES 4
#define NTT_POWER_LEVELS 3

/* Tables for one of w, 1/w. Montgomery. */
typedef struct ntt_direction {
    const fr *roots; /* T(j, b) at b, for all j: 2^(NTT_MAX_ROWS_LOG2 - 1) at most */
    const fr *powers[NTT_POWER_LEVELS]; /* w_N^(i 2^(digit_log2 level)), i below 2^digit_log2 */
    const fr *spread;             /* s^(2^(log2_n - m) reverse_m(i)), m the rows of the last pass */
    fr shift[FR_TWO_ADICITY + 1]; /* s^(N / 2^j); s is 7, or 1/7 in the table of 1/w */
} ntt_direction;

/* One pass of a transform. The block of number b holds elements b 2^(rows_log2 + stride_log2) and
 * following, its rows are 2^stride_log2 elements apart. A unit is a block's run of 2^columns_log2
 * adjacent columns; units are numbered by block, then by column. */
typedef struct ntt_pass {
    fr_plain *x;
    const ntt_direction *direction;
    unsigned log2_n, digit_log2;
    unsigned first_layer, rows_log2, stride_log2, columns_log2;
    bool merges;   /* else splits */
    bool coset;    /* constants of the coset */
    bool spreads;  /* element of index j times s^j: before a merge, after a split; where stride_log2
                      = 0 */
    bool finishes; /* results below r; else possibly r more */
    const fr *scale; /* NULL, or a factor of all results; with finishes only */
} ntt_pass;

typedef struct ntt_kernels {
    unsigned max_rows_log2;   /* layers of a pass, at most NTT_MAX_ROWS_LOG2 */
    unsigned two_passes_log2; /* transforms from this size on take two passes at least */
    /* Scratch of run, aligned to a cache line. */
    size_t (*scratch_bytes)(unsigned rows_log2, unsigned columns_log2, unsigned stride_log2);
    /* Units first .. first + count - 1; different ones may run at once. All calls of a pass have
     * the same count, and first is a multiple of it: where units go in groups, first says which
     * group and not which of its members. */
    void (*run)(const ntt_pass *pass, size_t first, size_t count, void *scratch);
    /* The first pass of a merge, with elements of a source in natural order instead of x, which is
     * written only. Groups first .. first + count - 1 of NTT_RUN adjacent elements in every row; at
     * least that many blocks. NULL where the level has none. */
    void (*run_source)(const ntt_pass *pass, const ntt_source *source, size_t first, size_t count,
                       void *scratch);
    size_t (*source_scratch_bytes)(unsigned rows_log2);
} ntt_kernels;

const ntt_kernels *cuzk_ntt_kernels(void);
const ntt_kernels *cuzk_ntt_kernels_at(cuzk_cpu_level level); /* NULL when absent */

extern const ntt_kernels cuzk_ntt_kernels_portable;
#ifdef CUZK_HAVE_X86
extern const ntt_kernels cuzk_ntt_kernels_adx;
extern const ntt_kernels cuzk_ntt_kernels_avx512ifma;
#endif

/* e *= w_N^exponent, exponent below N */
static inline void ntt_times_power(fr *e, const ntt_pass *p, uint64_t exponent) {
    for (int level = 0; level < NTT_POWER_LEVELS; level++) {
        size_t digit = exponent >> (level * p->digit_log2) & (((size_t)1 << p->digit_log2) - 1);
        if (digit != 0) {
            fr_mul(e, e, &p->direction->powers[level][digit]);
        }
    }
}

/* e of a block, in Montgomery form: w_(2^(first_layer + rows_log2))^reverse(block), times the
 * coset's part: the last layer's constant for stretch 0. */
static inline void ntt_block_base(fr *e, const ntt_pass *p, size_t block) {
    unsigned layers = p->first_layer + p->rows_log2;
    *e = p->coset ? p->direction->shift[layers] : FR_ONE;
    ntt_times_power(e, p, ntt_reverse(block, p->first_layer) << (p->log2_n - layers));
}

#endif

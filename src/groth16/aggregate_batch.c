/* Products of pairings and multiples of points, spread over the workers. */
#include <stdlib.h>

#include "curve/curve_kernels.h"
#include "curve/pairing.h"
#include "groth16/aggregate_internal.h"

enum { PAIR_PART = 16, POINT_PART = 32 };

static size_t n_parts(size_t n, size_t part) { return (n + part - 1) / part; }

/* ---- products of pairings ---- */

typedef struct pair_batch {
    const pair_product *products;
    size_t n_products;
    size_t *first_part; /* of each product and one more */
    fp12 *part;         /* product of the Miller loops of each part */
} pair_batch;

/* The product to which a part belongs. */
static size_t product_of(const pair_batch *b, size_t index) {
    size_t low = 0, high = b->n_products; /* first_part[low] <= index < first_part[high] */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (b->first_part[middle] <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void miller_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const pair_batch *b = arg;
    const size_t product = product_of(b, index);
    const pair_run *run = b->products[product].run;
    size_t part = index - b->first_part[product];
    if (part >= n_parts(run->n, PAIR_PART)) {
        part -= n_parts(run->n, PAIR_PART);
        run++;
    }
    const size_t from = part * PAIR_PART;
    const size_t n = run->n - from < PAIR_PART ? run->n - from : PAIR_PART;
    cuzk_miller_loop(&b->part[index], run->p + from, run->q + from, n);
}

static void finish_product(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const pair_batch *b = arg;
    fp12 f = FP12_ONE;
    for (size_t i = b->first_part[index]; i < b->first_part[index + 1]; i++) {
        fp12_mul(&f, &f, &b->part[i]);
    }
    cuzk_final_exponentiation(b->products[index].out, &f);
}

cuzk_status cuzk_pair_products(const cuzk_ctx *ctx, const pair_product *products, size_t n_products,
                               cuzk_error *err) {
    size_t n = 0;
    pair_batch b = {.products = products, .n_products = n_products};
    b.first_part = calloc(n_products + 1, sizeof *b.first_part);
    for (size_t i = 0; b.first_part != NULL && i < n_products; i++) {
        n += n_parts(products[i].run[0].n, PAIR_PART) + n_parts(products[i].run[1].n, PAIR_PART);
        b.first_part[i + 1] = n;
    }
    b.part = calloc(n + 1, sizeof *b.part);
    cuzk_status status = CUZK_OK;
    if (b.first_part == NULL || b.part == NULL) {
        status =
            cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %zu products of pairings", n_products);
    }
    if (status == CUZK_OK) {
        status = cuzk_pool_run(ctx, n, miller_part, &b, err);
    }
    if (status == CUZK_OK) {
        status = cuzk_pool_run(ctx, n_products, finish_product, &b, err);
    }
    free(b.first_part);
    free(b.part);
    return status;
}

/* ---- multiples of points ---- */

static void g1_step(const point_step *s, const fr_plain *k, size_t first, size_t n) {
    const curve_kernels *kernels = cuzk_curve_kernels();
    const g1_affine *from = s->g1 + (s->folds ? s->n : 0) + first;
    g1_jac t[POINT_PART];
    for (size_t i = 0; i < n; i++) {
        g1_jac_from_affine(&t[i], &from[i]);
    }
    kernels->g1_mul(t, t, k, n);
    if (s->folds) {
        kernels->g1_add_affine(t, s->g1 + first, n);
    }
    kernels->g1_to_affine(s->g1 + first, t, n);
}

static void g2_step(const point_step *s, const fr_plain *k, size_t first, size_t n) {
    const curve_kernels *kernels = cuzk_curve_kernels();
    const g2_affine *from = s->g2 + (s->folds ? s->n : 0) + first;
    g2_jac t[POINT_PART];
    for (size_t i = 0; i < n; i++) {
        g2_jac_from_affine(&t[i], &from[i]);
    }
    kernels->g2_mul(t, t, k, n);
    if (s->folds) {
        kernels->g2_add_affine(t, s->g2 + first, n);
    }
    kernels->g2_to_affine(s->g2 + first, t, n);
}

static void step_part(void *arg, size_t index, unsigned worker) {
    (void)worker;
    const point_step *s = arg;
    while (index >= n_parts(s->n, POINT_PART)) {
        index -= n_parts(s->n, POINT_PART);
        s++;
    }
    const size_t first = index * POINT_PART;
    const size_t n = s->n - first < POINT_PART ? s->n - first : POINT_PART;
    fr_plain k[POINT_PART];
    for (size_t i = 0; i < n; i++) {
        k[i] = s->k[s->folds ? 0 : first + i];
    }
    if (s->g1 != NULL) {
        g1_step(s, k, first, n);
    } else {
        g2_step(s, k, first, n);
    }
}

cuzk_status cuzk_point_steps(const cuzk_ctx *ctx, const point_step *steps, size_t n_steps,
                             cuzk_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < n_steps; i++) {
        n += n_parts(steps[i].n, POINT_PART);
    }
    return cuzk_pool_run(ctx, n, step_part, (point_step *)steps, err); /* only read from */
}

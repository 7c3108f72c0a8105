/* Cases of one group for test_fixed_base.c, which includes this twice and defines the names of
 * curve/group_template.h with CG(name) = cuzk_g1_name and TABLE(name) = cuzk_fixed_base_g1_name. */

#define AFFINE GT(affine)
#define JAC GT(jac)
#define N_MULTIPLES 700

static void G(check_multiples)(const cuzk_ctx *ctx, const AFFINE *base, uint64_t n_expected) {
    static AFFINE got[N_MULTIPLES];
    static fr_plain k[N_MULTIPLES];
    TABLE_TYPE *table;
    JAC p, one_by_one;
    AFFINE expected;
    G(jac_from_affine)(&p, base);
    assert_int_equal(TABLE(create)(&table, ctx, base, n_expected, NULL), CUZK_OK);
    for (int pattern = 0; pattern < SCALAR_PATTERNS; pattern++) {
        make_scalars(k, (scalar_pattern)pattern, N_MULTIPLES);
        k[N_MULTIPLES / 2] = (fr_plain){{0}};
        static const size_t lengths[] = {0, 1, N_MULTIPLES};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(TABLE(mul)(table, ctx, got, k, lengths[i], NULL), CUZK_OK);
        }
        for (size_t i = 0; i < N_MULTIPLES; i += i < 3 ? 1 : 69) {
            CG(jac_mul)(&one_by_one, &p, &k[i]);
            CG(jac_to_affine)(&expected, &one_by_one);
            assert_memory_equal(&got[i], &expected, sizeof expected);
        }
        assert_true(G(affine_is_infinity)(&got[N_MULTIPLES / 2]));
    }
    TABLE(destroy)(table);
}

static void G(test_multiples)(void **state) {
    (void)state;
    cuzk_ctx ctx = {0};
    AFFINE infinity;
    G(affine_set_infinity)(&infinity);
    G(check_multiples)(&ctx, &CG(generator), 1);
    G(check_multiples)(&ctx, &CG(generator), 3000);
    G(check_multiples)(&ctx, &infinity, 10);
    assert_int_equal(cuzk_pool_create(&ctx.pool, 3, NULL), CUZK_OK);
    G(check_multiples)(&ctx, &CG(generator), 100000);
    cuzk_pool_destroy(ctx.pool);
}

static void G(test_failures)(void **state) {
    (void)state;
    cuzk_cancel cancel = {false};
    cuzk_ctx ctx = {.cancel = &cancel};
    TABLE_TYPE *table;
    AFFINE got;
    static const fr_plain k = {{5, 6, 7, 8}};
    assert_int_equal(cuzk_account_create(&ctx.account, 1 << 20, NULL), CUZK_OK);
    assert_int_equal(TABLE(create)(&table, &ctx, &CG(generator), 1 << 20, NULL), CUZK_E_NO_MEMORY);
    assert_null(table);
    assert_int_equal(TABLE(create)(&table, &ctx, &CG(generator), 10, NULL), CUZK_OK);
    cuzk_cancel_set(&cancel);
    assert_int_equal(TABLE(mul)(table, &ctx, &got, &k, 1, NULL), CUZK_E_CANCELLED);
    TABLE(destroy)(table);
    assert_int_equal(TABLE(create)(&table, &ctx, &CG(generator), 10, NULL), CUZK_E_CANCELLED);
    assert_null(table);
    TABLE(destroy)(NULL);
    assert_int_equal(cuzk_account_used(ctx.account), 0);
    cuzk_account_destroy(ctx.account);
}

#undef AFFINE
#undef JAC
#undef N_MULTIPLES

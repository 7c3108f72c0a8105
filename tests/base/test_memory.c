/* LABELS: tsan */
/* The memory account, blocks, scratch, and resident memory. */
#include "base/memory.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/rss.h"
#include "support/support.h"

static void account_keeps_its_limit(void **state) {
    (void)state;
    cuzk_account *account;
    cuzk_error err;
    assert_int_equal(cuzk_account_create(&account, 1000, NULL), CUZK_OK);
    assert_int_equal(cuzk_account_reserve(account, 600, "first", &err), CUZK_OK);
    assert_int_equal(cuzk_account_reserve(account, 401, "second", &err), CUZK_E_NO_MEMORY);
    assert_non_null(strstr(err.text, "second"));
    assert_non_null(strstr(err.text, "401"));
    assert_non_null(strstr(err.text, "600"));
    assert_non_null(strstr(err.text, "1000"));
    assert_int_equal(cuzk_account_reserve(account, SIZE_MAX, "huge", NULL), CUZK_E_NO_MEMORY);
    assert_int_equal(cuzk_account_reserve(account, 400, "second", NULL), CUZK_OK);
    assert_int_equal(cuzk_account_used(account), 1000);
    cuzk_account_release(account, 700);
    assert_int_equal(cuzk_account_used(account), 300);
    assert_int_equal(cuzk_account_peak(account), 1000);
    cuzk_account_release(account, 300);
    cuzk_account_destroy(account);
    cuzk_account_destroy(NULL);
    assert_int_equal(cuzk_account_reserve(NULL, SIZE_MAX, "nothing", NULL), CUZK_OK);
    cuzk_account_release(NULL, SIZE_MAX);
}

static void *reserve_main(void *arg) {
    for (int i = 0; i < 2000; i++) {
        if (cuzk_account_reserve(arg, 3, "three", NULL) == CUZK_OK) {
            assert_true(cuzk_account_used(arg) <= 10);
            cuzk_account_release(arg, 3);
        }
    }
    return NULL;
}

static void account_from_many_threads(void **state) {
    (void)state;
    cuzk_account *account;
    assert_int_equal(cuzk_account_create(&account, 10, NULL), CUZK_OK);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, reserve_main, account), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(cuzk_account_used(account), 0);
    assert_int_equal(cuzk_account_peak(account) % 3, 0);
    cuzk_account_destroy(account);
}

static void blocks_of_all_sizes(void **state) {
    (void)state;
    static const size_t sizes[] = {1,       64,      4095,    4096,    4097,
                                   2097151, 2097152, 2097153, 5000001, 16 << 20};
    cuzk_account *account;
    assert_int_equal(cuzk_account_create(&account, (size_t)64 << 20, NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cuzk_block block;
        assert_int_equal(cuzk_block_alloc(&block, account, sizes[i], "block", NULL), CUZK_OK);
        assert_int_equal(block.len_bytes, sizes[i]);
        assert_int_equal((uintptr_t)block.data % (2 << 20), 0);
        assert_int_equal(cuzk_account_used(account), sizes[i]);
        uint8_t *bytes = block.data;
        assert_int_equal(bytes[0] | bytes[sizes[i] / 2] | bytes[sizes[i] - 1], 0);
        memset(bytes, 0xa5, sizes[i]);
        cuzk_block_free(&block);
        assert_null(block.data);
        assert_int_equal(cuzk_account_used(account), 0);
        cuzk_block_free(&block);
    }
    cuzk_block empty;
    assert_int_equal(cuzk_block_alloc(&empty, account, 0, "empty", NULL), CUZK_OK);
    assert_null(empty.data);
    cuzk_block_free(&empty);
    cuzk_account_destroy(account);
}

static void blocks_that_do_not_fit(void **state) {
    (void)state;
    cuzk_account *account;
    cuzk_block block;
    cuzk_error err;
    assert_int_equal(cuzk_account_create(&account, SIZE_MAX, NULL), CUZK_OK);
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2, (size_t)1 << 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(cuzk_block_alloc(&block, account, sizes[i], "much", &err),
                         CUZK_E_NO_MEMORY);
        assert_non_null(strstr(err.text, "much"));
        assert_null(block.data);
        assert_int_equal(cuzk_account_used(account), 0);
    }
    cuzk_account_destroy(account);
}

static cuzk_block unset_block(size_t len_bytes) {
    cuzk_block block;
    assert_int_equal(cuzk_block_alloc_unset(&block, NULL, len_bytes, "unset", NULL), CUZK_OK);
    assert_int_equal((uintptr_t)block.data % (2 << 20), 0);
    memset(block.data, 0x5a, len_bytes);
    return block;
}

/* Freed blocks without contents serve the next ones, and never add to what there was at once. */
static void blocks_are_kept(void **state) {
    (void)state;
    const size_t mib = (size_t)1 << 20;
    cuzk_blocks_trim(0);
    cuzk_block most; /* there were once so many */
    assert_int_equal(cuzk_block_alloc(&most, NULL, 200 * mib, "most", NULL), CUZK_OK);
    cuzk_block_free(&most);
    for (int round = 0; round < 3; round++) { /* the same again and again */
        cuzk_block a = unset_block(40 * mib), b = unset_block(24 * mib);
        void *at_a = a.data, *at_b = b.data;
        cuzk_block_free(&a);
        cuzk_block_free(&b);
        assert_int_equal(cuzk_blocks_kept_bytes(), 64 * mib);
        cuzk_block small = unset_block(mib); /* too small to take one, or to be kept */
        cuzk_block_free(&small);
        small = unset_block(11 * mib); /* less than half of any */
        cuzk_block_free(&small);
        assert_true(cuzk_blocks_kept_bytes() <= 75 * mib);
        b = unset_block(23 * mib + 5); /* the smaller one that is large enough */
        assert_ptr_equal(b.data, at_b);
        a = unset_block(25 * mib);
        assert_ptr_equal(a.data, at_a);
        cuzk_block_free(&a);
        cuzk_block_free(&b);
        a = unset_block(40 * mib);
        assert_ptr_equal(a.data, at_a);
        cuzk_block_free(&a);
        cuzk_blocks_trim(0);
    }

    /* Zeroed ones are new, and push out what is kept. */
    cuzk_block a = unset_block(40 * mib), b = unset_block(24 * mib);
    cuzk_block_free(&a);
    cuzk_block_free(&b);
    size_t kept = cuzk_blocks_kept_bytes();
    cuzk_block zeroed[20]; /* more than there ever was at once */
    for (size_t n = 0; n < 20; n++) {
        assert_int_equal(cuzk_block_alloc(&zeroed[n], NULL, 50 * mib, "zeroed", NULL), CUZK_OK);
        assert_true(cuzk_blocks_kept_bytes() <= kept);
        kept = cuzk_blocks_kept_bytes();
    }
    assert_int_equal(kept, 0);
    for (size_t i = 0; i < zeroed[0].len_bytes; i += 4096) {
        assert_int_equal(((uint8_t *)zeroed[0].data)[i], 0);
    }
    for (size_t n = 0; n < 20; n++) {
        cuzk_block_free(&zeroed[n]);
    }
    assert_int_equal(cuzk_blocks_kept_bytes(), 0);

    /* No more than BLOCKS_KEPT_BYTES, however much there was. */
    cuzk_block many[5];
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(
            cuzk_block_alloc_unset(&many[i], NULL, BLOCKS_KEPT_BYTES / 4, "many", NULL), CUZK_OK);
    }
    for (size_t i = 0; i < 5; i++) {
        cuzk_block_free(&many[i]);
        assert_true(cuzk_blocks_kept_bytes() <= BLOCKS_KEPT_BYTES);
    }
    cuzk_blocks_trim(0);
    assert_int_equal(cuzk_blocks_kept_bytes(), 0);
}

/* No two threads have the same memory. */
static void *use_blocks(void *arg) {
    const uint8_t own = *(uint8_t *)arg;
    for (size_t i = 1; i < 200; i++) {
        cuzk_block block = unset_block((i * 37 % 5 + 1) << 20);
        uint8_t *bytes = block.data;
        for (size_t at = 0; at < block.len_bytes; at += 4096) {
            bytes[at] = own;
        }
        for (size_t at = 0; at < block.len_bytes; at += 4096) {
            assert_int_equal(bytes[at], own);
        }
        cuzk_block_free(&block);
    }
    return NULL;
}

static void blocks_are_kept_by_many_threads(void **state) {
    (void)state;
    pthread_t threads[4];
    uint8_t own[4];
    for (int i = 0; i < 4; i++) {
        own[i] = (uint8_t)i;
        assert_int_equal(pthread_create(&threads[i], NULL, use_blocks, &own[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    cuzk_blocks_trim(0);
}

static void scratch_gives_and_takes_back(void **state) {
    (void)state;
    cuzk_block block;
    size_t len = scratch_need(3, 10) + scratch_need(5, 64) + scratch_need(1, 1);
    assert_int_equal(len, 64 + 320 + 64);
    assert_int_equal(cuzk_block_alloc(&block, NULL, len, "scratch", NULL), CUZK_OK);
    cuzk_scratch s = cuzk_block_scratch(&block);
    uint8_t *first = scratch_take(&s, 3, 10);
    size_t mark = scratch_mark(&s);
    uint8_t *second = scratch_take(&s, 5, 64);
    assert_ptr_equal(second, first + 64);
    scratch_reset(&s, mark);
    assert_ptr_equal(scratch_take(&s, 5, 64), second);
    scratch_take(&s, 1, 1);
    assert_int_equal(s.used_bytes, s.len_bytes);
    cuzk_block_free(&block);
}

static void resident_memory(void **state) {
    (void)state;
    const size_t big = (size_t)64 << 20;
    size_t before = cuzk_rss_now();
    assert_true(before > 0);
    cuzk_rss_sampler *sampler;
    assert_int_equal(cuzk_rss_start(&sampler, NULL), CUZK_OK);
    cuzk_block block;
    assert_int_equal(cuzk_block_alloc(&block, NULL, big, "big", NULL), CUZK_OK);
    memset(block.data, 1, big);
    assert_true(cuzk_rss_peak(sampler) >= before + big / 2);
    cuzk_block_free(&block);
    assert_true(cuzk_rss_peak(sampler) >= before + big / 2);
    cuzk_rss_restart(sampler);
    assert_true(cuzk_rss_peak(sampler) < before + big / 2);
    assert_true(cuzk_rss_stop(sampler) < before + big / 2);
    assert_int_equal(cuzk_rss_stop(NULL), 0);
}

/* A peak between two looks is seen by the sampling thread. */
static void resident_peak_is_sampled(void **state) {
    (void)state;
    const size_t big = (size_t)64 << 20;
    cuzk_rss_sampler *sampler;
    assert_int_equal(cuzk_rss_start(&sampler, NULL), CUZK_OK);
    size_t before = cuzk_rss_now();
    cuzk_block block;
    assert_int_equal(cuzk_block_alloc(&block, NULL, big, "big", NULL), CUZK_OK);
    memset(block.data, 1, big);
    struct timespec t = {.tv_sec = 0, .tv_nsec = 200000000};
    nanosleep(&t, NULL);
    cuzk_block_free(&block);
    assert_true(cuzk_rss_stop(sampler) >= before + big / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(account_keeps_its_limit),
        cmocka_unit_test(account_from_many_threads),
        cmocka_unit_test(blocks_of_all_sizes),
        cmocka_unit_test(blocks_that_do_not_fit),
        cmocka_unit_test(blocks_are_kept),
        cmocka_unit_test(blocks_are_kept_by_many_threads),
        cmocka_unit_test(scratch_gives_and_takes_back),
        cmocka_unit_test(resident_memory),
        cmocka_unit_test(resident_peak_is_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

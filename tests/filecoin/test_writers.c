/* LABELS: quick */
/* Writers of vanilla proofs: what is read from the reference's files is written again byte for
 * byte. */
#include <stdlib.h>

#include "filecoin/c1_reader.h"
#include "filecoin/c1_writer.h"
#include "filecoin/vanilla_writer.h"
#include "support/c1_writer.h"

/* Bytes that a sink got; fails with CUZK_E_IO beyond `limit`. */
typedef struct text {
    char *data;
    size_t len_bytes, limit, room;
    unsigned n_calls;
} text;

static cuzk_status take(void *arg, const void *data, size_t len_bytes, cuzk_error *err) {
    text *t = arg;
    t->n_calls++;
    if (len_bytes > t->limit - t->len_bytes) {
        return cuzk_fail(err, CUZK_E_IO, "the sink is full");
    }
    while (t->len_bytes + len_bytes > t->room) {
        t->room = t->room == 0 ? 1 << 18 : 2 * t->room;
        t->data = realloc(t->data, t->room);
        assert_non_null(t->data);
    }
    memcpy(t->data + t->len_bytes, data, len_bytes);
    t->len_bytes += len_bytes;
    return CUZK_OK;
}

static cuzk_status write_c1(text *t, const porep_proof *proof, cuzk_error *err) {
    c1_writer *w;
    assert_int_equal(cuzk_c1_writer_create(&w, proof, take, t, err), CUZK_OK);
    for (size_t i = 0; i < (size_t)proof->n_partitions * proof->n_challenges; i++) {
        cuzk_c1_writer_put(w, &proof->challenges[i]);
    }
    return cuzk_c1_writer_finish(w, err);
}

static void c1_vectors(void **state) {
    (void)state;
    static const char *const names[] = {
        "inputs/porep-2KiB-v1/c1.json", "inputs/porep-2KiB-v1_1/c1.json",
        "inputs/porep-2KiB-synthetic/c1.json", "inputs/porep-2KiB-ni/c1.json",
        "inputs/porep-8MiB-v1_1/c1.json"};
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t len;
        porep_proof proof;
        text t = {.limit = SIZE_MAX};
        uint8_t *data = test_read_vector(names[i], &len);
        assert_int_equal(cuzk_c1_read(&proof, &ctx, data, len, names[i], NULL), CUZK_OK);
        assert_int_equal(write_c1(&t, &proof, NULL), CUZK_OK);
        assert_int_equal(t.len_bytes, len);
        assert_memory_equal(t.data, data, len);
        cuzk_porep_proof_clear(&proof);
        free(data);
        free(t.data);
    }
}

/* Every tree shape, values that are no field elements, and pieces that end anywhere. */
static void c1_random(void **state) {
    (void)state;
    static const char *const types[] = {"StackedDrg2KiBV1_1", "StackedDrg512MiBV1",
                                        "StackedDrg32GiBV1_1", "StackedDrg64GiBV1"};
    const cuzk_ctx ctx = {0};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        porep_proof proof, back;
        cuzk_error err = {.text = ""};
        text t = {.limit = SIZE_MAX};
        test_c1_random(&proof, types[i], 0, 0, i + 1);
        proof.sector_number = UINT64_MAX - i;
        proof.has_sector_number = true;
        assert_int_equal(write_c1(&t, &proof, NULL), CUZK_OK);
        if (cuzk_c1_read(&back, &ctx, (const uint8_t *)t.data, t.len_bytes, "it", &err) !=
            CUZK_OK) {
            fail_msg("%s: %s", types[i], err.text);
        }
        assert_int_equal(back.sector_number, proof.sector_number);
        test_c1_assert_equal(&proof, &back);
        cuzk_porep_proof_clear(&back);
        test_c1_free(&proof);
        free(t.data);
    }
}

/* A failing sink ends the document, is not called again, and its text comes out. */
static void c1_sink_fails(void **state) {
    (void)state;
    porep_proof proof;
    test_c1_random(&proof, "StackedDrg2KiBV1_1", 0, 0, 1);
    for (size_t limit = 0; limit < 200000; limit += 40000) {
        text t = {.limit = limit};
        cuzk_error err;
        cuzk_status status = write_c1(&t, &proof, &err);
        if (status == CUZK_OK) {
            assert_true(t.len_bytes <= limit);
        } else {
            assert_int_equal(status, CUZK_E_IO);
            assert_string_equal(err.text, "the sink is full");
            assert_true(t.n_calls <= 2 + t.len_bytes / 65536);
        }
        free(t.data);
    }
    c1_writer *w;
    text t = {.limit = SIZE_MAX};
    assert_int_equal(cuzk_c1_writer_create(&w, &proof, take, &t, NULL), CUZK_OK);
    cuzk_c1_writer_abandon(w);
    cuzk_c1_writer_abandon(NULL);
    free(t.data);
    test_c1_free(&proof);
}

static void post_vectors(void **state) {
    (void)state;
    const struct {
        const char *name;
        uint64_t sector_bytes;
        unsigned n_challenges;
    } cases[] = {
        {"inputs/window-2KiB-1/sector-101.vproof", 2048, 10},
        {"inputs/window-8MiB-2/sector-108.vproof", 8 << 20, 10},
        {"inputs/window-32GiB-golden/sector-1.vproof", 32ull << 30, 10},
        {"inputs/winning-8MiB/sector-101.vproof", 8 << 20, 66},
        {"inputs/winning-32GiB/sector-101.vproof", 32ull << 30, 66},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len;
        post_sector_proof proof;
        const tree_shape *shape = &cuzk_sector_size_by_bytes(cases[i].sector_bytes)->shape;
        uint8_t *data = test_read_vector(cases[i].name, &len);
        assert_int_equal(cuzk_post_sector_read(&proof, shape, cases[i].n_challenges, data, len,
                                               cases[i].name, NULL),
                         CUZK_OK);
        assert_int_equal(cuzk_post_sector_bytes(shape, cases[i].n_challenges), len);
        uint8_t *again = malloc(len);
        cuzk_post_sector_write(again, &proof, shape);
        assert_memory_equal(again, data, len);
        cuzk_post_sector_clear(&proof);
        free(again);
        free(data);
    }
    const tree_shape *top = &cuzk_sector_size_by_bytes(64ull << 30)->shape;
    assert_int_equal(cuzk_post_sector_bytes(top, 0), 120);
    /* one path more, of one level with one sibling */
    assert_int_equal(cuzk_post_sector_bytes(top, 1), 120 + 2484 + 8 + 48);
}

static void update_vectors(void **state) {
    (void)state;
    static const char *const names[] = {"inputs/update-2KiB/partition-0.vproof",
                                        "inputs/update-8MiB/partition-0.vproof",
                                        "inputs/update-8MiB/partition-3.vproof"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t len;
        update_partition_proof proof;
        const sector_size *size = cuzk_sector_size_by_bytes(i == 0 ? 2048 : 8 << 20);
        uint8_t *data = test_read_vector(names[i], &len);
        assert_int_equal(cuzk_update_partition_read(
                             &proof, &size->shape, size->log2_nodes, size->update_apex_leaves,
                             size->update_challenges, data, len, names[i], NULL),
                         CUZK_OK);
        assert_int_equal(cuzk_update_partition_bytes(&size->shape, size->log2_nodes,
                                                     size->update_apex_leaves,
                                                     size->update_challenges),
                         len);
        uint8_t *again = malloc(len);
        cuzk_update_partition_write(again, &proof, &size->shape, size->log2_nodes);
        assert_memory_equal(again, data, len);
        cuzk_update_partition_clear(&proof);
        free(again);
        free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c1_vectors),     cmocka_unit_test(c1_random),
        cmocka_unit_test(c1_sink_fails),  cmocka_unit_test(post_vectors),
        cmocka_unit_test(update_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

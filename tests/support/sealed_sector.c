#include "support/sealed_sector.h"

#include <stdlib.h>

#include "filecoin/challenges.h"
#include "filecoin/graph.h"
#include "filecoin/identity.h"
#include "support/support.h"
#include "support/whole_tree.h"

static void open_column(porep_column *column, const whole_tree *tree_c, const digest *labels,
                        const sector_size *size, uint64_t node) {
    digest *rows = malloc(size->n_layers * sizeof(digest));
    for (unsigned layer = 0; layer < size->n_layers; layer++) {
        rows[layer] = labels[layer * size->nodes + node];
    }
    column->index = (uint32_t)node;
    column->rows = rows;
    test_tree_open(&column->inclusion, tree_c, node);
}

static void make_labels(digest *labels, const porep_graph *graph, const digest *replica_id,
                        unsigned n_layers, const test_fault *fault) {
    for (unsigned layer = 1; layer <= n_layers; layer++) {
        digest *now = labels + (layer - 1) * graph->nodes;
        const digest *before = layer > 1 ? now - graph->nodes : now;
        for (uint64_t node = 0; node < graph->nodes; node++) {
            uint64_t numbers[POREP_PARENTS];
            const digest *parents[POREP_PARENTS];
            cuzk_graph_parents(graph, numbers, node);
            for (unsigned i = 0; i < POREP_PARENTS; i++) {
                parents[i] = (i < POREP_DRG_PARENTS ? now : before) + numbers[i];
            }
            unsigned n_parents = layer == 1 ? POREP_DRG_PARENTS : POREP_PARENTS;
            cuzk_label(&now[node], replica_id, layer, node, parents, node == 0 ? 0 : n_parents);
            if (layer == fault->label_layer && node == fault->label_node) {
                now[node].bytes[7] ^= 1;
            }
        }
    }
}

sealed_sector *test_seal(const seal_proof_type *type, const test_fault *fault) {
    const sector_size *size = type->size;
    uint64_t n = size->nodes;
    sealed_sector *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->request = (porep_request){.miner_id = 1000, .sector_number = 1};
    porep_proof *proof = &s->proof;
    proof->type = type;
    memset(&proof->ticket, 1, sizeof proof->ticket);
    memset(&proof->seed, 2, sizeof proof->seed);

    test_rng rng = {n + type->number};
    digest *data = malloc(n * sizeof *data);
    for (uint64_t i = 0; i < n; i++) {
        fr leaf;
        test_rng_fr(&leaf, &rng);
        cuzk_fr_write_le(data[i].bytes, &leaf);
    }
    whole_tree tree_d, tree_c, tree_r;
    test_tree_grow(&tree_d, tree_shape_binary(size->log2_nodes), data, n, true);
    proof->comm_d = *test_tree_root(&tree_d);
    porep_statement statement = cuzk_porep_statement_of(proof, &s->request);
    cuzk_porep_statement_replica_id(&proof->replica_id, &statement);

    digest porep_id, *labels = malloc(n * size->n_layers * sizeof *labels);
    porep_graph graph;
    cuzk_porep_id(&porep_id, type->number);
    cuzk_graph_init(&graph, n, type->version, &porep_id);
    make_labels(labels, &graph, &proof->replica_id, size->n_layers, fault);

    digest *columns = malloc(n * sizeof *columns), *replica = malloc(n * sizeof *replica);
    for (uint64_t i = 0; i < n; i++) {
        digest rows[FILECOIN_MAX_LAYERS];
        for (unsigned layer = 0; layer < size->n_layers; layer++) {
            rows[layer] = labels[layer * n + i];
        }
        test_hash_children(&columns[i], rows, size->n_layers, false);
        fr key, leaf;
        assert_true(cuzk_fr_read_le(&key, rows[size->n_layers - 1].bytes));
        assert_true(cuzk_fr_read_le(&leaf, data[i].bytes));
        fr_add(&leaf, &leaf, &key);
        if (i == fault->replica_node) {
            const fr one = FR_ONE;
            fr_add(&leaf, &leaf, &one);
        }
        cuzk_fr_write_le(replica[i].bytes, &leaf);
    }
    test_tree_grow(&tree_c, size->shape, columns, n, false);
    test_tree_grow(&tree_r, size->shape, replica, n, false);
    const digest roots[2] = {*test_tree_root(&tree_c), *test_tree_root(&tree_r)};
    test_hash_children(&proof->comm_r, roots, 2, false);

    const porep_challenge_source source = {.type = type,
                                           .replica_id = proof->replica_id,
                                           .comm_r = proof->comm_r,
                                           .seed = proof->seed};
    proof->n_partitions = type->n_partitions;
    proof->n_challenges = type->n_challenges;
    size_t n_challenges = (size_t)proof->n_partitions * proof->n_challenges;
    proof->challenges = calloc(n_challenges, sizeof *proof->challenges);
    for (unsigned k = 0; k < proof->n_partitions; k++) {
        cuzk_porep_challenges(s->challenges + (size_t)k * proof->n_challenges, &source, k);
    }
    for (size_t i = 0; i < n_challenges; i++) {
        porep_challenge_proof *p = &proof->challenges[i];
        uint64_t parents[POREP_PARENTS];
        p->node = s->challenges[i];
        test_tree_open(&p->comm_d, &tree_d, p->node);
        test_tree_open(&p->comm_r_last, &tree_r, p->node);
        open_column(&p->c_x, &tree_c, labels, size, p->node);
        cuzk_graph_parents(&graph, parents, p->node);
        for (unsigned j = 0; j < POREP_PARENTS; j++) {
            open_column(&p->parents[j], &tree_c, labels, size, parents[j]);
        }
    }
    test_tree_fell(&tree_d);
    test_tree_fell(&tree_c);
    test_tree_fell(&tree_r);
    free(labels);
    return s;
}

static void free_column(porep_column *column) {
    free((void *)column->rows);
    free((void *)column->inclusion.siblings);
}

void test_unseal(sealed_sector *s) {
    for (size_t i = 0; i < (size_t)s->proof.n_partitions * s->proof.n_challenges; i++) {
        porep_challenge_proof *p = &s->proof.challenges[i];
        free((void *)p->comm_d.siblings);
        free((void *)p->comm_r_last.siblings);
        free_column(&p->c_x);
        for (unsigned j = 0; j < POREP_PARENTS; j++) {
            free_column(&p->parents[j]);
        }
    }
    free(s->proof.challenges);
    free(s);
}

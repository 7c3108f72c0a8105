/* The graph of a replica: which 14 nodes a label depends on, and the label itself (circuits.md 7.1,
 * 7.2). */
#ifndef CUZK_FILECOIN_GRAPH_H
#define CUZK_FILECOIN_GRAPH_H

#include "filecoin/digest.h"
#include "filecoin/porep_proof.h"
#include "filecoin/sector.h"

typedef struct porep_graph {
    uint64_t nodes; /* a power of two, 8 .. 2^32 */
    porep_version version;
    uint8_t drg_seed[28];
    uint64_t feistel_keys[3];
    unsigned feistel_half_bits; /* smallest l >= 1 with 4^l >= 8 nodes */
} porep_graph;

void cuzk_graph_init(porep_graph *graph, uint64_t nodes, porep_version version,
                     const digest *porep_id);

/* The 6 DRG parents, then the 8 expander parents of a node below graph->nodes. DRG parents are
 * smaller than the node (nodes 0 and 1: six times 0) and of the same layer; expander parents are
 * any nodes, of the layer before. */
void cuzk_graph_parents(const porep_graph *graph, uint64_t parents[POREP_PARENTS], uint64_t node);

/* How often a label hashes some parent's label. */
#define LABEL_PARENTS 37

/* label = SHA-256(replica_id || layer u32 BE || node u64 BE || 20 zero bytes || parents repeated to
 * 37), two top bits cleared. parents: the labels of the parents in the graph's order; n_parents is
 * 6 for layer 1, 14 for others, 0 for node 0 of any layer. */
void cuzk_label(digest *label, const digest *replica_id, unsigned layer, uint64_t node,
                const digest *const *parents, unsigned n_parents);

#endif

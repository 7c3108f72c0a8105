/* Merkle paths, natively: from a leaf to the root (circuits.md 6.2, 7.3). */
#ifndef CUZK_FILECOIN_MERKLE_H
#define CUZK_FILECOIN_MERKLE_H

#include "field/fr.h"
#include "filecoin/porep_proof.h"

/* Has the path the levels of the shape, and is every position below its level's arity?
 * Fails: CUZK_E_INPUT, "level 3: ..." */
cuzk_status cuzk_merkle_check_shape(const tree_shape *shape, const merkle_proof *path,
                                    cuzk_error *err);

/* The leaf's number: sum of position[i] * product of the arities below level i. The path must have
 * passed cuzk_merkle_check_shape, here and below. */
uint64_t cuzk_merkle_index(const tree_shape *shape, const merkle_proof *path);

/* Is the path well formed, and does it start at the leaf of that number?
 * Fails: as cuzk_merkle_check_shape; CUZK_E_INCONSISTENT with both numbers. */
cuzk_status cuzk_merkle_check_index(const tree_shape *shape, const merkle_proof *path,
                                    uint64_t node, cuzk_error *err);

/* Where paths of a Poseidon tree lead: from the leaf, node = H(siblings with the node before at its
 * position), level by level. Paths together are hashed side by side.
 *   roots   out  n values; may be leaves
 *   paths   in   n <= MERKLE_MAX_TOGETHER that have passed cuzk_merkle_check_shape; their leaf and
 *                root are not looked at
 *   leaves  in   n values: what the caller knows the leaves to be
 *   bad     out  which path the error is of; NULL: not asked for
 * Fails: CUZK_E_INPUT naming level and sibling not below the modulus, of the lowest path that has
 * one. */
#define MERKLE_MAX_TOGETHER 16
cuzk_status cuzk_merkle_poseidon(fr *roots, const tree_shape *shape,
                                 const merkle_proof *const *paths, const fr *leaves, size_t n,
                                 size_t *bad, cuzk_error *err);

/* Every node on a path of TreeD, node = SHA-256(left || right), two top bits cleared: nodes[0] =
 * leaf, nodes[levels] the root. leaf and siblings must
 * be below the modulus all the same, since the circuit holds them as field elements. */
cuzk_status cuzk_merkle_sha256(digest *nodes, const tree_shape *shape, const merkle_proof *path,
                               const digest *leaf, cuzk_error *err);

/* Is the root that the path states the one expected, and is that where it leads (computed)?
 * Fails: CUZK_E_INCONSISTENT; name: what the text calls the root. */
cuzk_status cuzk_merkle_check_root(const merkle_proof *path, const digest *computed,
                                   const digest *expected, const char *name, cuzk_error *err);

/* Is the little-endian value below the field modulus? */
bool cuzk_digest_is_fr(const digest *d);

/* A node of TreeD: SHA-256(left || right), two top bits cleared. parent may be left or right. */
void cuzk_tree_d_node(digest *parent, const digest *left, const digest *right);

/* comm_r = H(comm_c, root of TreeR). Both must be below the field modulus. comm_r may be either. */
void cuzk_comm_r(digest *comm_r, const digest *comm_c, const digest *root);

#endif

/* cuzk inspect: one function for each kind of file. */
#include "engine/inspection.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "codec/hex.h"
#include "codec/json.h"
#include "filecoin/c1_reader.h"
#include "filecoin/param_set.h"
#include "filecoin/porep_check.h"
#include "filecoin/post_proof.h"
#include "filecoin/statement_reader.h"
#include "filecoin/update_proof.h"
#include "filecoin/vanilla_list.h"
#include "groth16/aggregate.h"
#include "groth16/groth16.h"
#include "hash/blake2.h"
#include "srs/params_file.h"
#include "srs/vk_file.h"

__attribute__((format(printf, 2, 3))) static void say(cuzk_inspection *i, const char *format, ...) {
    size_t len = strlen(i->text);
    va_list args;
    va_start(args, format);
    vsnprintf(i->text + len, sizeof i->text - len, format, args);
    va_end(args);
}

static void say_digest(cuzk_inspection *i, const char *name, const digest *d) {
    char text[2 * DIGEST_BYTES + 1];
    cuzk_hex_encode(text, d->bytes, DIGEST_BYTES);
    say(i, "  %-12s %s\n", name, text);
}

static void set_kind(cuzk_inspection *i, const char *kind) {
    snprintf(i->kind, sizeof i->kind, "%s", kind);
}

static void conclude(cuzk_inspection *i, cuzk_status status, const cuzk_error *err) {
    i->sound = status == CUZK_OK;
    if (i->sound) {
        say(i, "sound\n");
    } else {
        say(i, "NOT SOUND: %s\n", err->text);
    }
}

/* ---- the kinds ---- */

static void inspect_c1(const cuzk_ctx *ctx, cuzk_inspection *i, const cuzk_map *map,
                       const char *path) {
    cuzk_error err;
    porep_proof p;
    set_kind(i, "c1");
    say(i, "C1 document (PoRep, seal commit phase 1 output), %zu bytes\n", map->len_bytes);
    cuzk_status status = cuzk_c1_read(&p, ctx, map->data, map->len_bytes, path, &err);
    if (status == CUZK_OK) {
        say(i, "  proof type   %s (%u)\n", p.type->name, p.type->number);
        if (p.has_sector_number) {
            say(i, "  sector       %llu\n", (unsigned long long)p.sector_number);
        }
        say(i, "  partitions   %u of %u challenges\n", p.n_partitions, p.n_challenges);
        say_digest(i, "comm_r", &p.comm_r);
        say_digest(i, "comm_d", &p.comm_d);
        say_digest(i, "replica_id", &p.replica_id);
        say_digest(i, "ticket", &p.ticket);
        say_digest(i, "seed", &p.seed);
        status = cuzk_porep_check(ctx, &p, NULL, &err);
        if (status == CUZK_OK) {
            say(i, "  every hash, path, label and challenge fits the replica_id (whose miner and "
                   "sector it is: cuzk prove)\n");
        } else {
            cuzk_error_at_file(&err, path, CUZK_NOWHERE);
        }
        cuzk_porep_proof_clear(&p);
    }
    conclude(i, status, &err);
}

/* true if the file reads as the public part of a seal. */
static bool inspect_statement(cuzk_inspection *i, const cuzk_map *map, const char *path) {
    porep_statement s;
    cuzk_error err;
    if (map->len_bytes == 0 ||
        cuzk_porep_statement_read(&s, map->data, map->len_bytes, path, NULL) != CUZK_OK) {
        return false;
    }
    set_kind(i, "statement");
    say(i, "seal statement, %zu bytes\n", map->len_bytes);
    say(i, "  proof type   %s (%u)\n", s.type->name, s.type->number);
    say(i, "  miner        %llu\n", (unsigned long long)s.miner_id);
    say(i, "  sector       %llu\n", (unsigned long long)s.sector_number);
    say_digest(i, "comm_r", &s.comm_r);
    say_digest(i, "comm_d", &s.comm_d);
    say_digest(i, "ticket", &s.ticket);
    say_digest(i, "seed", &s.seed);
    conclude(i, cuzk_porep_statement_check(&s, &err), &err);
    return true;
}

static void inspect_vk(const cuzk_ctx *ctx, cuzk_inspection *i, const cuzk_map *map,
                       const char *path) {
    cuzk_error err;
    srs_vk key = {0};
    set_kind(i, "vk");
    say(i, "verifying key, %zu bytes\n", map->len_bytes);
    cuzk_status status = cuzk_srs_vk_decode(&key, ctx, path, map->data, map->len_bytes, &err);
    if (status == CUZK_OK) {
        say(i, "  public inputs %zu (without ONE)\n", key.vk.n_ic - 1);
        cuzk_srs_vk_clear(&key);
    }
    conclude(i, status, &err);
}

/* Every point of every section is decoded and checked for the curve. */
static cuzk_status walk_points(const cuzk_ctx *ctx, const groth16_pk *pk, cuzk_error *err) {
    cuzk_status status = CUZK_OK;
    for (int section = 0; section < GROTH16_SECTIONS; section++) {
        const uint64_t n_points = groth16_section_points(&pk->dims, (groth16_section)section);
        for (uint64_t first = 0; first < n_points && status == CUZK_OK;) {
            uint64_t left = n_points - first;
            size_t n = left < pk->source.max_chunk ? (size_t)left : pk->source.max_chunk;
            groth16_chunk chunk;
            if (cuzk_ctx_cancelled(ctx)) {
                return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
            }
            status = pk->source.acquire(pk->source.self, ctx, &chunk, (groth16_section)section,
                                        first, n, err);
            if (status == CUZK_OK) {
                pk->source.release(pk->source.self, &chunk);
            }
            first += n;
            cuzk_ctx_progress(ctx, "points", first, n_points);
        }
    }
    return status;
}

static void inspect_params(const cuzk_ctx *ctx, cuzk_inspection *i, const cuzk_map *map,
                           const char *path) {
    cuzk_error err;
    srs_params *params = NULL;
    set_kind(i, "params");
    say(i, "proving key, %zu bytes\n", map->len_bytes);
    cuzk_status status = cuzk_srs_params_open(&params, ctx, path, NULL, &err);
    if (status == CUZK_OK) {
        const groth16_dims *d = &cuzk_srs_params_pk(params)->dims;
        say(i, "  domain 2^%u, inputs %llu, aux %llu\n", d->log2_domain,
            (unsigned long long)d->n_inputs, (unsigned long long)d->n_aux);
        say(i, "  points: h %llu, l %llu, a %llu, b_g1 %llu, b_g2 %llu\n",
            (unsigned long long)d->n_h, (unsigned long long)d->n_l, (unsigned long long)d->n_a,
            (unsigned long long)d->n_b, (unsigned long long)d->n_b);
        status = walk_points(ctx, cuzk_srs_params_pk(params), &err);
        if (status == CUZK_OK) {
            say(i, "  every point is canonical and on the curve (subgroup: cuzk params check "
                   "--every-point)\n");
        }
    }
    cuzk_srs_params_close(params);
    conclude(i, status, &err);
}

static void inspect_proof(cuzk_inspection *i, const cuzk_map *map) {
    cuzk_error err;
    cuzk_status status = CUZK_OK;
    size_t n = map->len_bytes / GROTH16_PROOF_BYTES;
    set_kind(i, "proof");
    say(i, "Groth16 proof, %zu partition%s of %d bytes\n", n, n == 1 ? "" : "s",
        GROTH16_PROOF_BYTES);
    for (size_t k = 0; k < n && status == CUZK_OK; k++) {
        groth16_proof proof;
        status = cuzk_groth16_proof_read(&proof, map->data + k * GROTH16_PROOF_BYTES, &err);
        if (status != CUZK_OK) {
            cuzk_error_prefix(&err, "partition %zu: ", k);
        }
    }
    if (status == CUZK_OK) {
        say(i, "  A, B, C are in their groups and not infinity (validity: cuzk verify)\n");
    }
    conclude(i, status, &err);
}

static void inspect_srs(const cuzk_ctx *ctx, cuzk_inspection *i, const cuzk_map *map,
                        const char *path) {
    cuzk_error err;
    aggregate_srs *srs = NULL;
    set_kind(i, "srs");
    say(i, "SRS of SnarkPack, %zu bytes\n", map->len_bytes);
    cuzk_status status =
        cuzk_aggregate_srs_read(&srs, ctx, map->data, map->len_bytes, SIZE_MAX, &err);
    if (status == CUZK_OK) {
        uint8_t hash[BLAKE2B_BYTES];
        char text[PARAM_DIGEST_CHARS];
        size_t least = srs->n_ga;
        least = srs->n_gb < least ? srs->n_gb : least;
        least = srs->n_ha < least ? srs->n_ha : least;
        least = srs->n_hb < least ? srs->n_hb : least;
        cuzk_blake2b(hash, map->data, map->len_bytes);
        cuzk_hex_encode(text, hash, (PARAM_DIGEST_CHARS - 1) / 2);
        say(i, "  powers       %zu, %zu in G1, %zu, %zu in G2\n", srs->n_ga, srs->n_gb, srs->n_ha,
            srs->n_hb);
        say(i, "  aggregates   up to %zu proofs\n", least / 2);
        say(i, "  digest       %s: %s\n", text,
            strcmp(text, SRS_FILE_DIGEST) == 0 ? "the published one" : "NOT the published one");
        say(i, "  every point is in its group\n");
        cuzk_aggregate_srs_destroy(srs);
    } else if (status == CUZK_E_BAD_PARAMS) {
        cuzk_error_at_file(&err, path, CUZK_NOWHERE);
    }
    conclude(i, status, &err);
}

/* true if the file has the length of an aggregate of as many proofs as it says. Lengths of
 * aggregates are no multiples of 192. */
static bool inspect_aggregate(cuzk_inspection *i, const cuzk_map *map, const char *path) {
    const size_t n = cuzk_aggregate_n_proofs(map->data, map->len_bytes);
    if (n == 0 || map->len_bytes != cuzk_aggregate_bytes(n)) {
        return false;
    }
    cuzk_error err;
    cuzk_status status = CUZK_OK;
    aggregate_proof *proof = malloc(sizeof *proof);
    set_kind(i, "aggregate");
    say(i, "SnarkPack aggregate of %zu proofs (padding included), %zu bytes\n", n, map->len_bytes);
    if (proof == NULL) {
        status = cuzk_fail(&err, CUZK_E_NO_MEMORY, "no memory for an aggregate");
    } else {
        status = cuzk_aggregate_read(proof, NULL, map->data, map->len_bytes, &err);
        if (status == CUZK_OK) {
            say(i, "  every element is in its group (validity: cuzk verify-aggregate)\n");
        } else {
            cuzk_error_at_file(&err, path, CUZK_NOWHERE);
        }
    }
    free(proof);
    conclude(i, status, &err);
    return true;
}

/* What a vanilla proof says of itself. */
typedef struct vanilla_look {
    param_set set;
    uint64_t sector; /* PoSt */
    unsigned n_challenges;
    unsigned n_apex_leaves;             /* update */
    digest comm_r, comm_c, comm_r_last; /* comm_c alone of an update */
} vanilla_look;

static bool look_at_post(vanilla_look *v, const cuzk_input *proof) {
    cuzk_error err;
    post_sector_proof p;
    const param_set *set = &v->set;
    unsigned n = set->n_challenges * (set->kind == CIRCUIT_WINNING ? set->n_sectors : 1);
    if (cuzk_post_sector_read(&p, &set->shape, n, proof->data, proof->len_bytes, proof->name,
                              &err) != CUZK_OK) {
        return false;
    }
    v->sector = p.sector_id;
    v->n_challenges = p.n_challenges;
    v->comm_r = p.comm_r;
    v->comm_c = p.comm_c;
    v->comm_r_last = p.comm_r_last;
    cuzk_post_sector_clear(&p);
    return true;
}

static bool look_at_update(vanilla_look *v, const cuzk_input *proof) {
    cuzk_error err;
    update_partition_proof p;
    const param_set *set = &v->set;
    if (cuzk_update_partition_read(&p, &set->shape, set->log2_nodes, set->n_apex_leaves,
                                   set->n_challenges, proof->data, proof->len_bytes, proof->name,
                                   &err) != CUZK_OK) {
        return false;
    }
    v->n_challenges = p.n_challenges;
    v->n_apex_leaves = p.n_apex_leaves;
    v->comm_c = p.comm_c;
    cuzk_update_partition_clear(&p);
    return true;
}

/* true if it reads as a vanilla proof of some kind and size. The one whose length fits decides. */
static bool look_at_vanilla(vanilla_look *v, const cuzk_input *proof) {
    for (size_t k = 0; k < cuzk_n_param_sets; k++) {
        cuzk_param_set_at(&v->set, k);
        const circuit_kind kind = v->set.kind;
        if (v->set.size != NULL &&
            (((kind == CIRCUIT_WINNING || kind == CIRCUIT_WINDOW) && look_at_post(v, proof)) ||
             (kind == CIRCUIT_UPDATE && look_at_update(v, proof)))) {
            return true;
        }
    }
    return false;
}

static const char *vanilla_kind(const vanilla_look *v) {
    return v->set.kind == CIRCUIT_WINNING  ? "of a sector for WinningPoSt"
           : v->set.kind == CIRCUIT_WINDOW ? "of a sector for WindowPoSt"
                                           : "of a partition of an update";
}

/* Without the request, challenges are unknown. */
static const char not_judged[] =
    "  well formed (challenges and hashes: cuzk prove, with the request)\n";

static void say_vanilla(cuzk_inspection *i, const vanilla_look *v) {
    if (v->set.kind == CIRCUIT_UPDATE) {
        say(i, "  challenges   %u\n  apex leaves  %u\n", v->n_challenges, v->n_apex_leaves);
        say_digest(i, "comm_c", &v->comm_c);
        say(i, "%s", not_judged);
        return;
    }
    say(i, "  sector       %llu\n  challenges   %u\n", (unsigned long long)v->sector,
        v->n_challenges);
    say_digest(i, "comm_r", &v->comm_r);
    say_digest(i, "comm_c", &v->comm_c);
    say_digest(i, "comm_r_last", &v->comm_r_last);
    say(i, "%s", not_judged);
}

/* true if the file is a vanilla proof in binary. */
static bool inspect_vanilla(cuzk_inspection *i, const cuzk_map *map, const char *path) {
    vanilla_look v;
    const cuzk_input proof = {.data = map->data, .len_bytes = map->len_bytes, .name = path};
    if (!look_at_vanilla(&v, &proof)) {
        return false;
    }
    set_kind(i, "vanilla");
    say(i, "vanilla proof %s, %s, %zu bytes\n", vanilla_kind(&v), v.set.size->name, map->len_bytes);
    say_vanilla(i, &v);
    conclude(i, CUZK_OK, NULL);
    return true;
}

/* Every proof of a list must be one, all of one circuit. */
static cuzk_status look_at_list(cuzk_inspection *i, const cuzk_vanilla_list *list,
                                const cuzk_ctx *ctx, cuzk_error *err) {
    vanilla_look first, v;
    for (size_t k = 0; k < list->n_proofs; k++) {
        cuzk_ctx_progress(ctx, "vanilla proofs", k, list->n_proofs);
        if (cuzk_ctx_cancelled(ctx)) {
            return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
        }
        if (!look_at_vanilla(&v, &list->proofs[k])) {
            return cuzk_fail(err, CUZK_E_INPUT, "%s: no vanilla proof of any kind and size",
                             list->proofs[k].name);
        }
        if (k == 0) {
            first = v;
            say(i, "  each         vanilla proof %s, %s\n", vanilla_kind(&v), v.set.size->name);
            say(i, "the first:\n");
            say_vanilla(i, &v);
        } else if (strcmp(v.set.id, first.set.id) != 0) {
            return cuzk_fail(err, CUZK_E_INPUT, "%s: vanilla proof %s, %s", list->proofs[k].name,
                             vanilla_kind(&v), v.set.size->name);
        }
    }
    return list->n_proofs > 0 ? CUZK_OK : cuzk_fail(err, CUZK_E_INPUT, "an empty list");
}

static void inspect_vanilla_list(const cuzk_ctx *ctx, cuzk_inspection *i, const cuzk_map *map,
                                 const char *path) {
    cuzk_error err;
    cuzk_vanilla_list list;
    const cuzk_input file = {.data = map->data, .len_bytes = map->len_bytes, .name = path};
    set_kind(i, "vanilla list");
    cuzk_status status = cuzk_vanilla_list_read(&list, &file, &err);
    if (status == CUZK_OK) {
        say(i, "%zu vanilla proofs in base64, %zu bytes\n", list.n_proofs, map->len_bytes);
        status = look_at_list(i, &list, ctx, &err);
        cuzk_vanilla_list_clear(&list);
    }
    conclude(i, status, &err);
}

/* ---- which kind it is ---- */

static bool ends_in(const char *path, const char *suffix) {
    size_t len = strlen(path);
    size_t n = strlen(suffix);
    return len >= n && strcmp(path + len - n, suffix) == 0;
}

cuzk_status cuzk_inspect_file(cuzk_prover *prover, cuzk_inspection *inspection, const char *path,
                              cuzk_error *err) {
    memset(inspection, 0, sizeof *inspection);
    cuzk_ctx ctx = cuzk_prover_ctx(prover);
    cuzk_map map;
    cuzk_status status = cuzk_map_open(&map, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (ends_in(path, ".params")) {
        inspect_params(&ctx, inspection, &map, path);
    } else if (ends_in(path, ".vk")) {
        inspect_vk(&ctx, inspection, &map, path);
    } else if (ends_in(path, ".srs")) {
        inspect_srs(&ctx, inspection, &map, path);
    } else if (map.len_bytes > 0 && cuzk_vanilla_list_is_json(map.data, map.len_bytes)) {
        inspect_vanilla_list(&ctx, inspection, &map, path);
    } else if (inspect_statement(inspection, &map, path)) {
        /* it said all */
    } else if (cuzk_json_looks_like(map.data, map.len_bytes, '{')) {
        inspect_c1(&ctx, inspection, &map, path);
    } else if (inspect_aggregate(inspection, &map, path) ||
               inspect_vanilla(inspection, &map, path)) {
        /* it said all */
    } else if (map.len_bytes > 0 && map.len_bytes % GROTH16_PROOF_BYTES == 0 &&
               (map.data[0] & 0x80) != 0) {
        inspect_proof(inspection, &map);
    } else {
        set_kind(inspection, "unknown");
        say(inspection,
            "%zu bytes that are neither a c1.json, a seal statement, a vanilla proof, a .params, "
            "a .vk, an .srs, a proof nor an aggregate\n",
            map.len_bytes);
    }
    cuzk_map_close(&map);
    return CUZK_OK;
}

/* cuzk inspect: one function for each kind of file. */
#include "engine/inspection.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "codec/hex.h"
#include "filecoin/c1_reader.h"
#include "filecoin/param_set.h"
#include "filecoin/post_proof.h"
#include "filecoin/statement_reader.h"
#include "filecoin/update_proof.h"
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
    const uint64_t counts[GROTH16_SECTIONS] = {[GROTH16_H] = pk->dims.n_h,
                                               [GROTH16_L] = pk->dims.n_l,
                                               [GROTH16_A] = pk->dims.n_a,
                                               [GROTH16_B_G1] = pk->dims.n_b,
                                               [GROTH16_B_G2] = pk->dims.n_b};
    cuzk_status status = CUZK_OK;
    for (int section = 0; section < GROTH16_SECTIONS; section++) {
        for (uint64_t first = 0; first < counts[section] && status == CUZK_OK;) {
            uint64_t left = counts[section] - first;
            size_t n = left < pk->source.max_chunk ? (size_t)left : pk->source.max_chunk;
            groth16_chunk chunk;
            if (cuzk_ctx_cancelled(ctx)) {
                return cuzk_fail(err, CUZK_E_CANCELLED, "cancelled");
            }
            status = pk->source.acquire(pk->source.self, &chunk, (groth16_section)section, first, n,
                                        err);
            if (status == CUZK_OK) {
                pk->source.release(pk->source.self, &chunk);
            }
            first += n;
            cuzk_ctx_progress(ctx, "points", first, counts[section]);
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

/* true if the file reads as a vanilla proof of some kind and size. The one whose length fits
 * decides. */
static bool inspect_vanilla(cuzk_inspection *i, const cuzk_map *map, const char *path) {
    cuzk_error err;
    for (size_t k = 0; k < cuzk_n_param_sets; k++) {
        param_set set;
        cuzk_param_set_at(&set, k);
        if (set.size == NULL) {
            continue;
        }
        if (set.kind == CIRCUIT_WINNING || set.kind == CIRCUIT_WINDOW) {
            post_sector_proof p;
            bool is_winning = set.kind == CIRCUIT_WINNING;
            unsigned n = is_winning ? set.n_sectors * set.n_challenges : set.n_challenges;
            if (cuzk_post_sector_read(&p, &set.shape, n, map->data, map->len_bytes, path, &err) ==
                CUZK_OK) {
                set_kind(i, "vanilla");
                say(i, "vanilla proof of a %s sector for %s, %zu bytes\n", set.size->name,
                    is_winning ? "WinningPoSt" : "WindowPoSt", map->len_bytes);
                say(i, "  sector       %llu\n  challenges   %u\n", (unsigned long long)p.sector_id,
                    p.n_challenges);
                say_digest(i, "comm_r", &p.comm_r);
                say_digest(i, "comm_c", &p.comm_c);
                say_digest(i, "comm_r_last", &p.comm_r_last);
                cuzk_post_sector_clear(&p);
                conclude(i, CUZK_OK, NULL);
                return true;
            }
        } else if (set.kind == CIRCUIT_UPDATE) {
            update_partition_proof p;
            if (cuzk_update_partition_read(&p, &set.shape, set.log2_nodes, set.n_apex_leaves,
                                           set.n_challenges, map->data, map->len_bytes, path,
                                           &err) == CUZK_OK) {
                set_kind(i, "vanilla");
                say(i, "vanilla proof of a partition of an update of a %s sector, %zu bytes\n",
                    set.size->name, map->len_bytes);
                say(i, "  challenges   %u\n  apex leaves  %u\n", p.n_challenges, p.n_apex_leaves);
                say_digest(i, "comm_c", &p.comm_c);
                cuzk_update_partition_clear(&p);
                conclude(i, CUZK_OK, NULL);
                return true;
            }
        }
    }
    return false;
}

/* ---- which kind it is ---- */

static bool ends_in(const char *path, const char *suffix) {
    size_t len = strlen(path);
    size_t n = strlen(suffix);
    return len >= n && strcmp(path + len - n, suffix) == 0;
}

/* First byte but white space. */
static uint8_t first_byte(const cuzk_map *map) {
    size_t k = 0;
    while (k < map->len_bytes && strchr(" \t\r\n", map->data[k]) != NULL) {
        k++;
    }
    return k < map->len_bytes ? map->data[k] : 0;
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
    } else if (inspect_statement(inspection, &map, path)) {
        /* it said all */
    } else if (first_byte(&map) == '{') {
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

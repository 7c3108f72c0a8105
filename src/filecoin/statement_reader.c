/* Reads the public part of a seal. */
#include "filecoin/statement_reader.h"

#include "codec/flat_json.h"
#include "codec/hex.h"
#include "filecoin/commitment.h"

#define CID_CHARS 128 /* more than any CID of a commitment */

enum { PROOF, MINER, SECTOR, TICKET, SEED, COMM_R, COMM_D, N_MEMBERS };

static cuzk_status take_members(porep_statement *s, flat_json_member members[N_MEMBERS],
                                uint64_t proof, cuzk_error *err) {
    for (int i = 0; i < N_MEMBERS; i++) {
        if (!members[i].found) {
            return cuzk_fail(err, CUZK_E_INPUT, "a seal statement without \"%s\"", members[i].name);
        }
    }
    s->type = cuzk_seal_proof_by_number(proof);
    if (s->type == NULL) {
        return cuzk_fail(err, CUZK_E_INPUT, "registered_proof: there is no seal proof %llu",
                         (unsigned long long)proof);
    }
    digest *const plain[] = {[TICKET] = &s->ticket, [SEED] = &s->seed};
    for (int i = TICKET; i <= SEED; i++) {
        if (!cuzk_hex_decode(plain[i]->bytes, DIGEST_BYTES, members[i].text)) {
            return cuzk_fail(err, CUZK_E_INPUT, "%s: not 32 bytes in hex", members[i].name);
        }
    }
    cuzk_status status =
        cuzk_commitment_read(s->comm_r.bytes, COMMITMENT_SEALED, members[COMM_R].text, err);
    int which = COMM_R;
    if (status == CUZK_OK) {
        status =
            cuzk_commitment_read(s->comm_d.bytes, COMMITMENT_UNSEALED, members[COMM_D].text, err);
        which = COMM_D;
    }
    if (status != CUZK_OK && err != NULL) {
        cuzk_error_prefix(err, "%s: ", members[which].name);
    }
    return status;
}

cuzk_status cuzk_porep_statement_read(porep_statement *s, const uint8_t *data, size_t len_bytes,
                                      const char *name, cuzk_error *err) {
    char texts[N_MEMBERS][CID_CHARS] = {{0}};
    uint64_t proof = 0;
    *s = (porep_statement){0};
    flat_json_member members[N_MEMBERS] = {
        [PROOF] = {.name = "registered_proof", .integer = &proof},
        [MINER] = {.name = "miner_id", .integer = &s->miner_id},
        [SECTOR] = {.name = "sector_number", .integer = &s->sector_number},
        [TICKET] = {.name = "ticket", .text = texts[TICKET], .room = CID_CHARS},
        [SEED] = {.name = "seed", .text = texts[SEED], .room = CID_CHARS},
        [COMM_R] = {.name = "comm_r", .text = texts[COMM_R], .room = CID_CHARS},
        [COMM_D] = {.name = "comm_d", .text = texts[COMM_D], .room = CID_CHARS},
    };
    cuzk_status status =
        cuzk_flat_json_read(members, N_MEMBERS, (const char *)data, len_bytes, err);
    if (status == CUZK_OK) {
        status = take_members(s, members, proof, err);
    }
    if (status != CUZK_OK && err != NULL) {
        cuzk_error_at_file(err, name, err->offset);
    }
    return status;
}

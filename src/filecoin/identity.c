/* Ids of a miner, a proof type and a replica. */
#include "filecoin/identity.h"

#include "base/bytes.h"
#include "hash/sha256.h"

void cuzk_porep_id(digest *id, unsigned number) {
    *id = (digest){{0}};
    store_le64(id->bytes, number);
}

void cuzk_prover_id(digest *id, uint64_t miner_id) {
    *id = (digest){{0}};
    size_t i = 0;
    while (miner_id >= 0x80) {
        id->bytes[i++] = (uint8_t)(miner_id | 0x80);
        miner_id >>= 7;
    }
    id->bytes[i] = (uint8_t)miner_id;
}

void cuzk_replica_id(digest *id, const digest *prover_id, uint64_t sector_number,
                     const digest *ticket, const digest *comm_d, const digest *porep_id) {
    uint8_t sector[8];
    sha256_state s;
    store_be64(sector, sector_number);
    cuzk_sha256_init(&s);
    cuzk_sha256_update(&s, prover_id->bytes, DIGEST_BYTES);
    cuzk_sha256_update(&s, sector, sizeof sector);
    cuzk_sha256_update(&s, ticket->bytes, DIGEST_BYTES);
    cuzk_sha256_update(&s, comm_d->bytes, DIGEST_BYTES);
    cuzk_sha256_update(&s, porep_id->bytes, DIGEST_BYTES);
    cuzk_sha256_final(&s, id->bytes);
    id->bytes[DIGEST_BYTES - 1] &= 0x3f;
}

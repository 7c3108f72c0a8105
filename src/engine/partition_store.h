/* Finished partitions on disk: a process that ends amid a job of many partitions loses those under
 * way and no others. A file a partition, in a directory that is its owner's alone. What is read is
 * verified like any proof before it is used: these files need not be trusted. Thread-safe. */
#ifndef CUZK_ENGINE_PARTITION_STORE_H
#define CUZK_ENGINE_PARTITION_STORE_H

#include "engine/job_table.h"
#include "srs/file_digest.h"

/* What a proof is of. */
typedef struct partition_key {
    uint8_t job[JOB_DIGEST_BYTES]; /* job.digest */
    uint32_t partition;
    char vk[SRS_DIGEST_CHARS]; /* of the circuit's .vk file */
} partition_key;

/* ---- a file ---- */

/* Magic, job, partition (little endian), vk, proof, and the first 16 bytes of BLAKE2b-512 of all
 * before. */
#define PARTITION_RECORD_BYTES (8 + JOB_DIGEST_BYTES + 4 + 32 + GROTH16_PROOF_BYTES + 16)

void cuzk_partition_record_write(uint8_t record[PARTITION_RECORD_BYTES], const partition_key *key,
                                 const uint8_t proof[GROTH16_PROOF_BYTES]);
/* Fails: CUZK_E_INPUT for another length, damage, or another key's. */
cuzk_status cuzk_partition_record_read(uint8_t proof[GROTH16_PROOF_BYTES], const partition_key *key,
                                       const uint8_t *data, size_t len_bytes, cuzk_error *err);

/* ---- the directory ---- */

typedef struct partition_store partition_store;

/* Makes the directory (mode 0700) unless it is there. Removes what a killed process left half
 * written; what another process is writing at that moment is lost with it, with a line in its log.
 * At most max_files, above 0, are kept: the oldest go. Fails: CUZK_E_IO (cannot be made or read,
 * not its user's alone), CUZK_E_RANGE (name too long), CUZK_E_NO_MEMORY. */
cuzk_status cuzk_partition_store_open(partition_store **s, const char *directory, size_t max_files,
                                      cuzk_error *err);
void cuzk_partition_store_close(partition_store *s); /* accepts NULL */

/* false if there is none. One that cannot be read is logged and removed. */
bool cuzk_partition_store_load(partition_store *s, uint8_t proof[GROTH16_PROOF_BYTES],
                               const partition_key *key);
/* What cannot be written is logged: it is no reason not to go on. */
void cuzk_partition_store_save(partition_store *s, const partition_key *key,
                               const uint8_t proof[GROTH16_PROOF_BYTES]);
void cuzk_partition_store_remove(partition_store *s, const partition_key *key);

#endif

/* Memory: an account (plain bookkeeping of what is reserved against a limit) and big blocks mapped
 * with 2 MiB pages. */
#ifndef CUZK_BASE_MEMORY_H
#define CUZK_BASE_MEMORY_H

#include "base/scratch.h"
#include "base/status.h"

/* Thread-safe. One account per engine; who may reserve, and what to evict, is the engine's
 * business. */
typedef struct cuzk_account cuzk_account;

/* limit_bytes: SIZE_MAX means no limit. */
cuzk_status cuzk_account_create(cuzk_account **account, size_t limit_bytes, cuzk_error *err);
void cuzk_account_destroy(cuzk_account *account); /* asserts that everything was given back */
/* Fails: CUZK_E_NO_MEMORY with `what`, the amount wanted, in use and the limit. account may be
 * NULL: always OK. */
cuzk_status cuzk_account_reserve(cuzk_account *account, size_t len_bytes, const char *what,
                                 cuzk_error *err);
void cuzk_account_release(cuzk_account *account, size_t len_bytes);
size_t cuzk_account_limit(const cuzk_account *account);
size_t cuzk_account_used(const cuzk_account *account);
size_t cuzk_account_peak(const cuzk_account *account);

/* A block of memory from mmap, charged to an account, 2 MiB pages advised; for everything above a
 * few MiB. */
typedef struct cuzk_block {
    void *data; /* aligned to 2 MiB, NULL when empty */
    size_t len_bytes, mapped_bytes;
    cuzk_account *account;
    bool keepable; /* by cuzk_block_alloc_unset */
} cuzk_block;

/* Zeroed memory. Fails: CUZK_E_NO_MEMORY. On failure *block is empty. */
cuzk_status cuzk_block_alloc(cuzk_block *block, cuzk_account *account, size_t len_bytes,
                             const char *what, cuzk_error *err);
/* The same with any contents, for work that a process does again and again: the first touch of new
 * memory can cost more than the work on it. Freed, a block of 2 MiB and more is kept for the next
 * one that is not much smaller: up to BLOCKS_KEPT_BYTES in the process, and only as long as live
 * blocks and what is kept are together not more than live blocks were at once before. No account is
 * charged for what is kept. */
cuzk_status cuzk_block_alloc_unset(cuzk_block *block, cuzk_account *account, size_t len_bytes,
                                   const char *what, cuzk_error *err);
void cuzk_block_free(cuzk_block *block); /* accepts an empty block; leaves it empty */
#define BLOCKS_KEPT_BYTES ((size_t)512 << 20)
/* Gives back what is kept beyond len_bytes. */
void cuzk_blocks_trim(size_t len_bytes);
size_t cuzk_blocks_kept_bytes(void);
/* A scratch over the whole block. */
static inline cuzk_scratch cuzk_block_scratch(const cuzk_block *block) {
    return (cuzk_scratch){
        .base = (uint8_t *)block->data, .len_bytes = block->len_bytes, .used_bytes = 0};
}

#endif

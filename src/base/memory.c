/* Accounts and big blocks. */
#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct cuzk_account {
    pthread_mutex_t mutex;
    size_t limit_bytes, used_bytes, peak_bytes;
};

cuzk_status cuzk_account_create(cuzk_account **account, size_t limit_bytes, cuzk_error *err) {
    cuzk_account *a = calloc(1, sizeof *a);
    *account = a;
    if (a == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for an account");
    }
    pthread_mutex_init(&a->mutex, NULL);
    a->limit_bytes = limit_bytes;
    return CUZK_OK;
}

void cuzk_account_destroy(cuzk_account *account) {
    if (account == NULL) {
        return;
    }
    CUZK_ASSERT(account->used_bytes == 0);
    pthread_mutex_destroy(&account->mutex);
    free(account);
}

cuzk_status cuzk_account_reserve(cuzk_account *account, size_t len_bytes, const char *what,
                                 cuzk_error *err) {
    if (account == NULL) {
        return CUZK_OK;
    }
    pthread_mutex_lock(&account->mutex);
    size_t used = account->used_bytes;
    bool fits = len_bytes <= account->limit_bytes - used;
    if (fits) {
        account->used_bytes += len_bytes;
        if (account->used_bytes > account->peak_bytes) {
            account->peak_bytes = account->used_bytes;
        }
    }
    pthread_mutex_unlock(&account->mutex);
    if (!fits) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY,
                         "%s: %zu bytes wanted, %zu of the budget of %zu in use", what, len_bytes,
                         used, account->limit_bytes);
    }
    return CUZK_OK;
}

void cuzk_account_release(cuzk_account *account, size_t len_bytes) {
    if (account == NULL) {
        return;
    }
    pthread_mutex_lock(&account->mutex);
    CUZK_ASSERT(len_bytes <= account->used_bytes);
    account->used_bytes -= len_bytes;
    pthread_mutex_unlock(&account->mutex);
}

static size_t read_size(const cuzk_account *account, const size_t *member) {
    cuzk_account *a = (cuzk_account *)account;
    pthread_mutex_lock(&a->mutex);
    size_t value = *member;
    pthread_mutex_unlock(&a->mutex);
    return value;
}

size_t cuzk_account_limit(const cuzk_account *account) { return account->limit_bytes; }
size_t cuzk_account_used(const cuzk_account *account) {
    return read_size(account, &account->used_bytes);
}
size_t cuzk_account_peak(const cuzk_account *account) {
    return read_size(account, &account->peak_bytes);
}

/* ---- blocks ---- */

#define HUGE_PAGE ((size_t)2 << 20)

/* Length of the mapping that holds a block. */
static size_t mapped_bytes(size_t len_bytes) {
    return size_round_up(len_bytes, (size_t)sysconf(_SC_PAGESIZE));
}

typedef struct mapping {
    uint8_t *data;
    size_t len_bytes;
} mapping;

#define MAX_KEPT 64
typedef struct mapping_list {
    size_t n;
    mapping at[MAX_KEPT + 1];
} mapping_list;

/* What freed blocks left, oldest first. Mappings are undone without the lock. */
static struct {
    pthread_mutex_t mutex;
    size_t live_bytes, peak_bytes; /* of blocks */
    size_t kept_bytes;
    mapping_list kept;
} store = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Gigabytes in one call would keep every other thread's mmap waiting for a second. */
#define UNMAP_STEP ((size_t)64 << 20)

static void unmap(mapping m) {
    while (m.len_bytes > UNMAP_STEP) {
        m.len_bytes -= UNMAP_STEP;
        munmap(m.data + m.len_bytes, UNMAP_STEP);
    }
    munmap(m.data, m.len_bytes);
}

static void unmap_all(const mapping_list *list) {
    for (size_t i = 0; i < list->n; i++) {
        unmap(list->at[i]);
    }
}

/* Under the lock, as the next three. */
static mapping take_out(size_t i) {
    mapping_list *kept = &store.kept;
    mapping m = kept->at[i];
    kept->n--;
    memmove(&kept->at[i], &kept->at[i + 1], (kept->n - i) * sizeof *kept->at);
    store.kept_bytes -= m.len_bytes;
    return m;
}

static void trim(mapping_list *out, size_t len_bytes) {
    while (store.kept_bytes > len_bytes) {
        out->at[out->n++] = take_out(0);
    }
}

static void keep(mapping_list *out, mapping m) {
    if (m.len_bytes < HUGE_PAGE || m.len_bytes > BLOCKS_KEPT_BYTES) {
        out->at[out->n++] = m;
        return;
    }
    trim(out, BLOCKS_KEPT_BYTES - m.len_bytes);
    if (store.kept.n == MAX_KEPT) {
        out->at[out->n++] = take_out(0);
    }
    store.kept.at[store.kept.n++] = m;
    store.kept_bytes += m.len_bytes;
}

/* The smallest kept mapping of len to 2 len bytes, whole; data is NULL if there is none. */
static mapping take_kept(size_t len) {
    const mapping_list *kept = &store.kept;
    size_t best = kept->n;
    for (size_t i = 0; i < kept->n && len >= HUGE_PAGE; i++) {
        const size_t bytes = kept->at[i].len_bytes;
        if (bytes >= len && bytes / 2 <= len &&
            (best == kept->n || bytes < kept->at[best].len_bytes)) {
            best = i;
        }
    }
    return best < kept->n ? take_out(best) : (mapping){0};
}

/* MAP_FAILED when there is no memory. */
static uint8_t *map_new(size_t len) {
    /* More address space than needed, so that a 2 MiB border lies in it; what is outside goes back.
     */
    uint8_t *p = mmap(NULL, len + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        return MAP_FAILED;
    }
    size_t head = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
    if (head != 0) {
        munmap(p, head);
    }
    if (head != HUGE_PAGE) {
        munmap(p + head + len, HUGE_PAGE - head);
    }
    p += head;
    if (len >= HUGE_PAGE) {
        madvise(p, len, MADV_HUGEPAGE);
    }
    return p;
}

/* Counts a new mapping, and takes what is kept out as far as it must make room. */
static void make_room(size_t len, size_t keep_bytes) {
    mapping_list out = {0};
    pthread_mutex_lock(&store.mutex);
    store.live_bytes += len;
    const size_t room =
        store.live_bytes < store.peak_bytes ? store.peak_bytes - store.live_bytes : 0;
    trim(&out, room < keep_bytes ? room : keep_bytes);
    pthread_mutex_unlock(&store.mutex);
    unmap_all(&out);
}

/* The mapping has come to be, or not. */
static void settle(size_t len, bool is_there) {
    pthread_mutex_lock(&store.mutex);
    if (!is_there) {
        store.live_bytes -= len;
    } else if (store.live_bytes > store.peak_bytes) {
        store.peak_bytes = store.live_bytes;
    }
    pthread_mutex_unlock(&store.mutex);
}

/* A kept mapping if it may be one, else a new one; data is MAP_FAILED, with errno, if there is no
 * memory even without all that is kept. */
static mapping map_block(size_t len, bool may_be_kept) {
    if (may_be_kept) {
        pthread_mutex_lock(&store.mutex);
        mapping kept = take_kept(len);
        store.live_bytes += kept.len_bytes;
        pthread_mutex_unlock(&store.mutex);
        if (kept.data != NULL) {
            return kept;
        }
    }
    make_room(len, SIZE_MAX);
    uint8_t *p = map_new(len);
    if (p == MAP_FAILED) {
        make_room(0, 0);
        p = map_new(len);
    }
    const int reason = errno;
    settle(len, p != MAP_FAILED);
    errno = reason;
    return (mapping){p, len};
}

static cuzk_status block_alloc(cuzk_block *block, cuzk_account *account, size_t len_bytes,
                               bool keepable, const char *what, cuzk_error *err) {
    memset(block, 0, sizeof *block);
    if (len_bytes == 0) {
        return CUZK_OK;
    }
    if (len_bytes > SIZE_MAX / 2) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: %zu bytes wanted", what, len_bytes);
    }
    cuzk_status status = cuzk_account_reserve(account, len_bytes, what, err);
    if (status != CUZK_OK) {
        return status;
    }
    const mapping m = map_block(mapped_bytes(len_bytes), keepable);
    if (m.data == MAP_FAILED) {
        int reason = errno;
        cuzk_account_release(account, len_bytes);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: %zu bytes: %s", what, len_bytes,
                         strerror(reason));
    }
    *block = (cuzk_block){.data = m.data,
                          .len_bytes = len_bytes,
                          .mapped_bytes = m.len_bytes,
                          .account = account,
                          .keepable = keepable};
    return CUZK_OK;
}

cuzk_status cuzk_block_alloc(cuzk_block *block, cuzk_account *account, size_t len_bytes,
                             const char *what, cuzk_error *err) {
    return block_alloc(block, account, len_bytes, false, what, err);
}

cuzk_status cuzk_block_alloc_unset(cuzk_block *block, cuzk_account *account, size_t len_bytes,
                                   const char *what, cuzk_error *err) {
    cuzk_status status = block_alloc(block, account, len_bytes, true, what, err);
#ifndef NDEBUG
    if (status == CUZK_OK && len_bytes != 0) {
        memset(block->data, 0xa5, len_bytes); /* nobody may rely on zeros */
    }
#endif
    return status;
}

void cuzk_block_free(cuzk_block *block) {
    if (block->data != NULL) {
        const mapping m = {block->data, block->mapped_bytes};
        mapping_list out = {0};
        pthread_mutex_lock(&store.mutex);
        store.live_bytes -= m.len_bytes;
        if (block->keepable) {
            keep(&out, m);
        } else {
            out.at[out.n++] = m;
        }
        pthread_mutex_unlock(&store.mutex);
        unmap_all(&out);
        cuzk_account_release(block->account, block->len_bytes);
    }
    memset(block, 0, sizeof *block);
}

void cuzk_blocks_trim(size_t len_bytes) {
    mapping_list out = {0};
    pthread_mutex_lock(&store.mutex);
    trim(&out, len_bytes);
    pthread_mutex_unlock(&store.mutex);
    unmap_all(&out);
}

size_t cuzk_blocks_kept_bytes(void) {
    pthread_mutex_lock(&store.mutex);
    size_t kept = store.kept_bytes;
    pthread_mutex_unlock(&store.mutex);
    return kept;
}

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

#define HUGE_PAGE ((size_t)2 << 20)

/* Length of the mapping that holds a block. */
static size_t mapped_bytes(size_t len_bytes) {
    return size_round_up(len_bytes, (size_t)sysconf(_SC_PAGESIZE));
}

cuzk_status cuzk_block_alloc(cuzk_block *block, cuzk_account *account, size_t len_bytes,
                             const char *what, cuzk_error *err) {
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
    /* More address space than needed, so that a 2 MiB border lies in it; what is outside goes back.
     */
    size_t len = mapped_bytes(len_bytes);
    uint8_t *p = mmap(NULL, len + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        int reason = errno;
        cuzk_account_release(account, len_bytes);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: %zu bytes: %s", what, len_bytes,
                         strerror(reason));
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
    *block = (cuzk_block){.data = p, .len_bytes = len_bytes, .account = account};
    return CUZK_OK;
}

void cuzk_block_free(cuzk_block *block) {
    if (block->data != NULL) {
        munmap(block->data, mapped_bytes(block->len_bytes));
        cuzk_account_release(block->account, block->len_bytes);
    }
    memset(block, 0, sizeof *block);
}

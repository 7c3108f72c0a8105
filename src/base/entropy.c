/* Random bytes and wiping. */
#include "base/entropy.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

cuzk_status cuzk_entropy(void *out, size_t len_bytes, cuzk_error *err) {
    uint8_t *at = out;
    while (len_bytes > 0) {
        ssize_t n = getrandom(at, len_bytes, 0);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return cuzk_fail(err, CUZK_E_IO, "the system gives no random bytes: %s",
                             strerror(errno));
        }
        at += n;
        len_bytes -= (size_t)n;
    }
    return CUZK_OK;
}

void cuzk_wipe(void *p, size_t len_bytes) { explicit_bzero(p, len_bytes); }

/* Bytes of messages, and texts that may be sent. */
#include "server/rpc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

#define LONG_BYTES ((size_t)1 << 20) /* from here on blocks, which go back to the system */

cuzk_status cuzk_rpc_bytes_alloc(rpc_bytes *bytes, size_t len_bytes, cuzk_error *err) {
    *bytes = (rpc_bytes){0};
    if (len_bytes >= LONG_BYTES) {
        cuzk_status status =
            cuzk_block_alloc(&bytes->block, NULL, len_bytes, "bytes of a request", err);
        if (status != CUZK_OK) {
            return status;
        }
        bytes->data = bytes->block.data;
    } else {
        bytes->data = malloc(len_bytes + 1);
        if (bytes->data == NULL) {
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for %zu bytes of a request",
                             len_bytes);
        }
    }
    bytes->len_bytes = len_bytes;
    return CUZK_OK;
}

void cuzk_rpc_bytes_free(rpc_bytes *bytes) {
    if (bytes->block.data != NULL) {
        cuzk_block_free(&bytes->block);
    } else {
        free(bytes->data);
    }
    *bytes = (rpc_bytes){0};
}

void cuzk_rpc_clean_text(char *out, size_t room, const char *text, size_t len_bytes) {
    static const char replacement[] = "\xef\xbf\xbd";
    size_t used = 0, at = 0;
    while (at < len_bytes) {
        size_t len = cuzk_utf8_sequence(text + at, len_bytes - at);
        const char *from = text + at;
        at += len != 0 ? len : 1;
        if (len == 0) {
            from = replacement;
            len = sizeof replacement - 1;
        } else if (len == 1 && ((unsigned char)*from < ' ' || *from == 127)) {
            from = " ";
        }
        if (len >= room - used) {
            break;
        }
        memcpy(out + used, from, len);
        used += len;
    }
    out[used] = 0;
}

void cuzk_rpc_fail(rpc_call *call, rpc_code code, const char *format, ...) {
    char text[1024], clean[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cuzk_rpc_clean_text(clean, sizeof clean, text, strlen(text));
    call->transport->fail(call, code, clean);
}

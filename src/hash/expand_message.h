/* RFC 9380 expand_message_xmd with SHA-256. */
#ifndef CUZK_HASH_EXPAND_MESSAGE_H
#define CUZK_HASH_EXPAND_MESSAGE_H

#include "base/status.h"

/* out_len_bytes at most 255 * 32, dst_len_bytes at most 255. */
void cuzk_expand_message_xmd(uint8_t *out, size_t out_len_bytes, const uint8_t *msg,
                             size_t msg_len_bytes, const uint8_t *dst, size_t dst_len_bytes);

#endif

/* Escapes text for JSON. */
#include "base/escape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Table 3-7 of the Unicode standard: a first byte decides the range of the second. */
size_t cuzk_utf8_sequence(const char *text, size_t len) {
    const uint8_t *p = (const uint8_t *)text;
    uint8_t first = p[0];
    size_t n = first < 0x80   ? 1
               : first < 0xc2 ? 0
               : first < 0xe0 ? 2
               : first < 0xf0 ? 3
               : first < 0xf5 ? 4
                              : 0;
    if (n == 0 || n > len) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        uint8_t low = 0x80, high = 0xbf;
        if (i == 1) {
            low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : low;
            high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : high;
        }
        if (p[i] < low || p[i] > high) {
            return 0;
        }
    }
    return n;
}

/* The escape of one ASCII character into `escape`, with a zero byte, or "" if it stands for itself.
 */
static void escape_ascii(char escape[JSON_ESCAPE_MAX + 1], char c) {
    static const char names[] =
        "\"\"\\\\\bb\ff\nn\rr\tt"; /* character, then letter after the backslash */
    escape[0] = 0;
    for (const char *name = names; *name != 0; name += 2) {
        if (c == name[0]) {
            snprintf(escape, JSON_ESCAPE_MAX + 1, "\\%c", name[1]);
            return;
        }
    }
    if ((uint8_t)c < 0x20 || c == 0x7f) {
        snprintf(escape, JSON_ESCAPE_MAX + 1, "\\u%04x", (unsigned)(uint8_t)c);
    }
}

size_t cuzk_json_escape(char *out, size_t room, const char *text, size_t len) {
    size_t used = 0;
    for (size_t at = 0; at < len;) {
        size_t n = cuzk_utf8_sequence(text + at, len - at);
        char escape[JSON_ESCAPE_MAX + 1] = "\\ufffd";
        if (n == 1) {
            escape_ascii(escape, text[at]);
        } else if (n > 1) {
            escape[0] = 0;
        }
        const char *piece = escape[0] != 0 ? escape : text + at;
        size_t piece_len = escape[0] != 0 ? strlen(escape) : n;
        if (piece_len > room - used) {
            break;
        }
        memcpy(out + used, piece, piece_len);
        used += piece_len;
        at += n == 0 ? 1 : n;
    }
    return used;
}

/* Ascending numbers as text: "101,115-117". */
#ifndef CUZK_CODEC_NUMBER_LIST_H
#define CUZK_CODEC_NUMBER_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Writes n ascending, different numbers, A-B for all from A to B, with a zero byte. What does not
 * fit into `room` characters (8 or more) is replaced by a final ",...".
 * Returns the characters that the whole list takes, zero byte included; text may be NULL if room is
 * 0. Source: docs/formats/post_errors.md. */
size_t cuzk_number_list_write(char *text, size_t room, const uint64_t *numbers, size_t n);

#endif

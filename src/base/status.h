/* Errors: how a function says what failed and where. Every module returns cuzk_status and fills
 * cuzk_error here. */
#ifndef CUZK_BASE_STATUS_H
#define CUZK_BASE_STATUS_H

#include <cuzk.h>

/* Fills err (may be NULL) with a status, no place and a formatted text of one line; returns status.
 */
__attribute__((format(printf, 3, 4))) cuzk_status cuzk_fail(cuzk_error *err, cuzk_status status,
                                                            const char *format, ...);

/* Sets err to CUZK_OK, no place, no text. */
void cuzk_error_clear(cuzk_error *err);

/* Puts "prefix" in front of the text and records the place; for callers that know more than the one
 * that failed. */
__attribute__((format(printf, 2, 3))) void cuzk_error_prefix(cuzk_error *err, const char *format,
                                                             ...);
/* Records file (and offset, or CUZK_NOWHERE), and puts "FILE: " or "FILE: offset N: " in front of
 * the text. */
void cuzk_error_at_file(cuzk_error *err, const char *file, int64_t offset);

/* Aborts with file, line and condition. For faults of this library; always on. */
#define CUZK_ASSERT(condition)                                                                     \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0)) {                                                   \
            cuzk_assert_failed(#condition, __FILE__, __LINE__);                                    \
        }                                                                                          \
    } while (0)
/* The same for inner loops: debug builds only. */
#ifdef NDEBUG
#define CUZK_DEBUG_ASSERT(condition) ((void)sizeof(condition))
#else
#define CUZK_DEBUG_ASSERT(condition) CUZK_ASSERT(condition)
#endif
_Noreturn void cuzk_assert_failed(const char *condition, const char *file, int line);

#endif

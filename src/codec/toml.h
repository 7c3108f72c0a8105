/* TOML 1.0, read by toml++ behind this header: a document as a flat list of plain values, in the
 * order in which they are written. */
#ifndef CUZK_CODEC_TOML_H
#define CUZK_CODEC_TOML_H

#include <cuzk.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is larger is refused. The dots between names, of a whole document, bound the depth of its
 * tables; a key counts with the names of the tables it is in. */
#define TOML_BYTES_MAX ((size_t)1 << 18)
#define TOML_DOTS_MAX 1024
#define TOML_KEY_BYTES_MAX 512

typedef enum toml_type {
    TOML_TEXT,
    TOML_INTEGER,
    TOML_FLOAT,
    TOML_BOOL,
    TOML_TIME, /* a date, a time, or both; no value is handed over */
    TOML_ARRAY,
    TOML_TABLE
} toml_type;

/* "a string", "an integer", ... for messages */
const char *cuzk_toml_type_name(toml_type type);

typedef struct toml_value toml_value;
struct toml_value {
    toml_type type;
    const char *key;         /* from the document's root: "daemon.listen"; NULL in an array */
    unsigned line, column;   /* where it is written, from 1 */
    const char *text;        /* TOML_TEXT: without zero bytes within */
    int64_t integer;         /* TOML_INTEGER */
    double number;           /* TOML_FLOAT */
    bool truth;              /* TOML_BOOL */
    const toml_value *items; /* TOML_ARRAY; tables in it have no members here */
    size_t n_items;
};

/* Every value with a key, tables included, a table before its members. A name that is not made of
 * letters, digits, "-" and "_" stands in double quotes. */
typedef struct toml_document {
    const toml_value *values;
    size_t n_values;
    void *storage;
} toml_document;

/* file: its name, for errors. Fails: CUZK_E_INPUT, "FILE:LINE:COLUMN: ...", for what is not TOML or
 * beyond the limits, a zero byte in a string, a key that comes twice; CUZK_E_NO_MEMORY. The
 * document is empty then. */
cuzk_status cuzk_toml_read(toml_document *document, const char *text, size_t len_bytes,
                           const char *file, cuzk_error *err);
void cuzk_toml_clear(toml_document *document);

#ifdef __cplusplus
}
#endif

#endif

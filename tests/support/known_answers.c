/* Files of known answers. */
#include "support/known_answers.h"

#include <stdlib.h>
#include <string.h>

#include "curve/point_encoding.h"

typedef struct answer {
    const char *key, *value;
} answer;

struct known_answers {
    char *text;
    answer *list;
    size_t n;
};

known_answers *known_answers_open(const char *name) {
    known_answers *answers = calloc(1, sizeof *answers);
    assert_non_null(answers);
    size_t len_bytes;
    answers->text = (char *)test_read_vector(name, &len_bytes);
    size_t n_lines = 1;
    for (size_t i = 0; i < len_bytes; i++) {
        n_lines += answers->text[i] == '\n';
    }
    answers->list = calloc(n_lines, sizeof *answers->list);
    assert_non_null(answers->list);
    for (char *line = answers->text; *line != 0;) {
        char *end = strchrnul(line, '\n');
        char *next = *end == 0 ? end : end + 1;
        *end = 0;
        char *equals = strchr(line, '=');
        if (line[0] != '#' && equals != NULL) {
            *equals = 0;
            answers->list[answers->n++] = (answer){line, equals + 1};
        }
        line = next;
    }
    return answers;
}

void known_answers_close(known_answers *answers) {
    free(answers->list);
    free(answers->text);
    free(answers);
}

static const char *find(const known_answers *answers, const char *key) {
    for (size_t i = 0; i < answers->n; i++) {
        if (strcmp(answers->list[i].key, key) == 0) {
            return answers->list[i].value;
        }
    }
    return NULL;
}

bool known_answers_has(const known_answers *answers, const char *key) {
    return find(answers, key) != NULL;
}

const char *known_answers_text(const known_answers *answers, const char *key) {
    const char *value = find(answers, key);
    if (value == NULL) {
        fail_msg("no known answer %s", key);
    }
    return value;
}

const char *known_answers_next(const known_answers *answers, const char *prefix, size_t *index,
                               const char **value) {
    while (*index < answers->n) {
        const answer *a = &answers->list[(*index)++];
        if (strncmp(a->key, prefix, strlen(prefix)) == 0) {
            *value = a->value;
            return a->key;
        }
    }
    return NULL;
}

static size_t n_digits(const char *text) { return strcspn(text, " "); }

static unsigned digit(char c) {
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return (unsigned)(c - 'a') + 10;
    }
    fail_msg("not a hex digit: %c", c);
    return 0;
}

void known_answers_hex(uint8_t *out, size_t len_bytes, const char *text) {
    assert_int_equal(n_digits(text), 2 * len_bytes);
    for (size_t i = 0; i < len_bytes; i++) {
        out[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    }
}

uint8_t *known_answers_bytes(const known_answers *answers, const char *key, size_t *len_bytes) {
    const char *text = known_answers_text(answers, key);
    *len_bytes = n_digits(text) / 2;
    uint8_t *out = malloc(*len_bytes + 1);
    assert_non_null(out);
    known_answers_hex(out, *len_bytes, text);
    return out;
}

void known_answers_exact(const known_answers *answers, const char *key, uint8_t *out,
                         size_t len_bytes) {
    known_answers_hex(out, len_bytes, known_answers_text(answers, key));
}

uint64_t known_answers_number(const known_answers *answers, const char *key, const char *name) {
    size_t len = strlen(name);
    for (const char *word = known_answers_text(answers, key); *word != 0;) {
        if (strncmp(word, name, len) == 0 && word[len] == '=') {
            return strtoull(word + len + 1, NULL, 10);
        }
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    fail_msg("no %s in %s", name, key);
    return 0;
}

void known_answers_fr_be(const known_answers *answers, const char *key, fr *r) {
    uint8_t be[FR_BYTES], le[FR_BYTES];
    known_answers_exact(answers, key, be, sizeof be);
    for (size_t i = 0; i < sizeof be; i++) {
        le[i] = be[sizeof be - 1 - i];
    }
    assert_true(cuzk_fr_read_le(r, le));
}

void known_answers_g1(const known_answers *answers, const char *key, g1_affine *p) {
    uint8_t bytes[G1_COMPRESSED_BYTES];
    known_answers_exact(answers, key, bytes, sizeof bytes);
    assert_int_equal(cuzk_g1_read_compressed(p, bytes, POINT_CHECK_SUBGROUP), POINT_OK);
}
void known_answers_g2(const known_answers *answers, const char *key, g2_affine *p) {
    uint8_t bytes[G2_COMPRESSED_BYTES];
    known_answers_exact(answers, key, bytes, sizeof bytes);
    assert_int_equal(cuzk_g2_read_compressed(p, bytes, POINT_CHECK_SUBGROUP), POINT_OK);
}

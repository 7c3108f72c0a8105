/* Options that name sectors, and the files they name. */
#include "cuzk/sector_list.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_SECTOR = 0x3000, OPT_C1, OPT_PROOF, OPT_LIST, OPT_SRS, OPT_VERSION, OPT_MINER_ID };

static const struct argp_option table[] = {
    {"sector", OPT_SECTOR, "FILE", 0,
     "A sector: its c1.json or its statement (docs/formats/seal_statement.md); repeat for more, in "
     "the order of the aggregate",
     0},
    {"c1", OPT_C1, NULL, OPTION_ALIAS, NULL, 0},
    {"proof", OPT_PROOF, "FILE", 0, "The proof of the sector before: 192 bytes a partition", 0},
    {"list", OPT_LIST, "FILE", 0,
     "More sectors: lines 'SECTOR PROOF', names relative to the list's folder, '#' begins a "
     "comment",
     0},
    {"srs", OPT_SRS, "FILE", 0, "The .srs file (the published one in the parameter directory)", 0},
    {"version", OPT_VERSION, "N", 0, "Version of SnarkPack: 1 or 2 (2)", 0},
    {"miner-id", OPT_MINER_ID, "N", 0, "Miner actor id where a file does not name it (1000)", 0},
    {0}};

_Noreturn static void no_memory(void) {
    fprintf(stderr, "cuzk: no memory\n");
    exit(EXIT_RESOURCES);
}

/* folder and name, or name alone if it is absolute or there is no folder; copied. */
static char *copy_name(const char *folder, size_t folder_len, const char *name, size_t len) {
    char *copy = NULL;
    int n = name[0] == '/' || folder_len == 0
                ? asprintf(&copy, "%.*s", (int)len, name)
                : asprintf(&copy, "%.*s%.*s", (int)folder_len, folder, (int)len, name);
    if (n < 0) {
        no_memory();
    }
    return copy;
}

static void add_sector(sector_list *list, char *sector, char *proof) {
    if (list->n == list->room) {
        list->room = list->room == 0 ? 16 : 2 * list->room;
        char **sectors = realloc(list->sectors, list->room * sizeof *sectors);
        char **proofs = realloc(list->proofs, list->room * sizeof *proofs);
        if (sectors == NULL || proofs == NULL) {
            no_memory();
        }
        list->sectors = sectors;
        list->proofs = proofs;
    }
    list->sectors[list->n] = sector;
    list->proofs[list->n++] = proof;
}

static void add_proof(sector_list *list, const char *name) {
    if (list->n == 0 || list->proofs[list->n - 1] != NULL) {
        fprintf(stderr, "cuzk: --proof %.200s: one --proof goes after each --sector\n", name);
        exit(EXIT_BAD_INPUT);
    }
    list->proofs[list->n - 1] = copy_name("", 0, name, strlen(name));
}

/* One line of a list: nothing, or one or two names. */
static bool add_line(sector_list *list, const char *folder, size_t folder_len, const char *line,
                     size_t len) {
    static const char blanks[] = " \t\r";
    const char *names[2];
    size_t lens[2], n = 0;
    if (memchr(line, 0, len) != NULL) {
        return false;
    }
    for (size_t at = 0; at < len && line[at] != '#';) {
        size_t end = at;
        while (end < len && strchr(blanks, line[end]) == NULL) {
            end++;
        }
        if (end > at) {
            if (n == 2) {
                return false;
            }
            names[n] = line + at;
            lens[n++] = end - at;
        }
        at = end + 1;
    }
    if (n > 0) {
        char *proof = n == 2 ? copy_name(folder, folder_len, names[1], lens[1]) : NULL;
        add_sector(list, copy_name(folder, folder_len, names[0], lens[0]), proof);
    }
    return true;
}

static void add_list(sector_list *list, const char *path) {
    cuzk_error err;
    cuzk_input text;
    if (read_input_file(&text, path, &err) != CUZK_OK) {
        exit(report_error(&err));
    }
    const char *slash = strrchr(path, '/');
    const size_t folder_len = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    const char *line = (const char *)text.data;
    size_t left = text.len_bytes, number = 1;
    bool good = true;
    for (; left > 0 && good; number++) {
        const char *end = memchr(line, '\n', left);
        const size_t len = end != NULL ? (size_t)(end - line) : left;
        good = add_line(list, path, folder_len, line, len);
        line += len + (end != NULL);
        left -= len + (end != NULL);
    }
    if (!good) {
        fprintf(stderr, "cuzk: %.300s: line %zu: not 'SECTOR PROOF'\n", path, number - 1);
        exit(EXIT_BAD_INPUT);
    }
    free((void *)text.data);
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    sector_list *list = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        list->version = 2;
        list->miner_id = 1000;
        break;
    case OPT_SECTOR:
    case OPT_C1:
        add_sector(list, copy_name("", 0, text, strlen(text)), NULL);
        break;
    case OPT_PROOF:
        add_proof(list, text);
        break;
    case OPT_LIST:
        add_list(list, text);
        break;
    case OPT_SRS:
        list->srs = text;
        break;
    case OPT_VERSION:
        list->version = (unsigned)option_number("--version", text, 2);
        break;
    case OPT_MINER_ID:
        list->miner_id = option_number("--miner-id", text, UINT64_MAX);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp sector_list_argp = {.options = table, .parser = parse_one};

/* A c1.json is told by the one member that all of them have. */
static cuzk_status read_sector(cuzk_seal_statement *statement, const char *path, uint64_t miner_id,
                               cuzk_error *err) {
    cuzk_input input;
    cuzk_status status = read_input_file(&input, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    static const char mark[] = "\"Phase1Out\"";
    if (memmem(input.data, input.len_bytes, mark, sizeof mark - 1) != NULL) {
        status = cuzk_seal_statement_from_c1(statement, &input, err);
        statement->miner_id = miner_id;
    } else {
        status = cuzk_seal_statement_from_json(statement, &input, err);
    }
    free((void *)input.data);
    return status;
}

int read_statement(cuzk_aggregate_statement *statement, const sector_list *list) {
    *statement = (cuzk_aggregate_statement){
        .n_sectors = list->n, .version = list->version, .srs = list->srs};
    if (list->n == 0) {
        fprintf(stderr, "cuzk: no sector is given: use --sector or --list\n");
        return EXIT_BAD_INPUT;
    }
    cuzk_seal_statement *sectors = calloc(list->n, sizeof *sectors);
    if (sectors == NULL) {
        no_memory();
    }
    statement->sectors = sectors;
    for (size_t i = 0; i < list->n; i++) {
        cuzk_error err;
        progress_bar(NULL, "read", i, list->n);
        if (read_sector(&sectors[i], list->sectors[i], list->miner_id, &err) != CUZK_OK) {
            return report_error(&err);
        }
    }
    return EXIT_DONE;
}

void sector_list_clear(sector_list *list) {
    for (size_t i = 0; i < list->n; i++) {
        free(list->sectors[i]);
        free(list->proofs[i]);
    }
    free(list->sectors);
    free(list->proofs);
}

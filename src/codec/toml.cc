/* Flattens what toml++ read. The only C++ of the product: nothing thrown leaves this file. */
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <deque>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "codec/toml.h"
#define _Noreturn [[noreturn]]
extern "C" {
#include "base/status.h"
}

namespace {

/* Owns all that a document points to; deques, so that nothing moves. */
struct storage {
    std::vector<toml_value> values;
    std::deque<std::string> texts;
    std::deque<std::vector<toml_value>> arrays;
};

struct reader {
    storage &out;
    const char *fault = nullptr; /* the first one */
    toml::source_position fault_at{};

    void refuse(const char *what, const toml::node &node) {
        if (fault == nullptr) {
            fault = what;
            fault_at = node.source().begin;
        }
    }

    const char *keep(std::string &&text, const toml::node &node) {
        if (text.find('\0') != std::string::npos) {
            refuse("a zero byte in a string", node);
        }
        out.texts.push_back(std::move(text));
        return out.texts.back().c_str();
    }

    static std::string quoted(std::string_view name) {
        const bool bare =
            !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_';
            });
        if (bare) {
            return std::string(name);
        }
        std::string text = "\"";
        for (char c : name) {
            if (c == '"' || c == '\\') {
                text += '\\';
            }
            text += c;
        }
        return text + '"';
    }

    toml_value plain(const char *key, const toml::node &node) {
        toml_value v{};
        v.key = key;
        v.line = node.source().begin.line;
        v.column = node.source().begin.column;
        switch (node.type()) {
        case toml::node_type::string:
            v.type = TOML_TEXT;
            v.text = keep(std::string(node.as_string()->get()), node);
            break;
        case toml::node_type::integer:
            v.type = TOML_INTEGER;
            v.integer = node.as_integer()->get();
            break;
        case toml::node_type::floating_point:
            v.type = TOML_FLOAT;
            v.number = node.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            v.type = TOML_BOOL;
            v.truth = node.as_boolean()->get();
            break;
        case toml::node_type::array: {
            v.type = TOML_ARRAY;
            std::vector<toml_value> items;
            for (const toml::node &item : *node.as_array()) {
                items.push_back(plain(nullptr, item));
            }
            out.arrays.push_back(std::move(items));
            v.items = out.arrays.back().data();
            v.n_items = out.arrays.back().size();
            break;
        }
        case toml::node_type::table:
            v.type = TOML_TABLE;
            break;
        default:
            v.type = TOML_TIME;
            break;
        }
        return v;
    }

    void members(const toml::table &table, const std::string &prefix) {
        for (auto &&[name, node] : table) {
            if (prefix.size() + name.str().size() > TOML_KEY_BYTES_MAX) {
                refuse("a key longer than 512 bytes", node);
                return;
            }
            std::string key = prefix + quoted(name.str());
            out.values.push_back(plain(keep(std::string(key), node), node));
            if (const toml::table *inner = node.as_table()) {
                members(*inner, key + '.');
            }
        }
    }
};

/* Dots outside strings and comments. As far as the text is TOML, the count is exact; where it stops
 * being TOML, the parser stops as well. */
size_t count_dots(std::string_view text) {
    size_t n = 0;
    for (size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        if (c == '#') {
            while (i < text.size() && text[i] != '\n') {
                i++;
            }
        } else if (c == '"' || c == '\'') {
            const bool is_long = text.substr(i, 3) == std::string(3, c);
            const std::string end(is_long ? 3 : 1, c);
            i += end.size();
            while (i < text.size() && text.substr(i, end.size()) != end &&
                   (is_long || text[i] != '\n')) {
                i += c == '"' && text[i] == '\\' ? 2 : 1;
            }
            i += end.size() - 1;
            while (is_long && i + 1 < text.size() && text[i + 1] == c) {
                i++; /* quotes may touch the end */
            }
        } else {
            n += c == '.';
        }
    }
    return n;
}

cuzk_status fail_at(cuzk_error *err, const char *file, const toml::source_position &at,
                    std::string_view what) {
    std::string line(what.substr(0, 400));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return cuzk_fail(err, CUZK_E_INPUT, "%s:%u:%u: %s", file, static_cast<unsigned>(at.line),
                     static_cast<unsigned>(at.column), line.c_str());
}

cuzk_status read(storage &out, std::string_view text, const char *file, cuzk_error *err) {
    if (text.size() > TOML_BYTES_MAX || count_dots(text) > TOML_DOTS_MAX) {
        return cuzk_fail(err, CUZK_E_INPUT,
                         "%s:1:1: larger than %zu bytes, or more than %d dots in names", file,
                         TOML_BYTES_MAX, TOML_DOTS_MAX);
    }
    toml::parse_result result = toml::parse(text);
    if (!result) {
        return fail_at(err, file, result.error().source().begin, result.error().description());
    }
    reader r{out};
    r.members(result.table(), "");
    if (r.fault != nullptr) {
        return fail_at(err, file, r.fault_at, r.fault);
    }
    std::stable_sort(out.values.begin(), out.values.end(),
                     [](const toml_value &a, const toml_value &b) {
                         return a.line != b.line ? a.line < b.line : a.column < b.column;
                     });
    return CUZK_OK;
}

} // namespace

extern "C" const char *cuzk_toml_type_name(toml_type type) {
    static const char *const names[] = {"a string",         "an integer", "a float", "a boolean",
                                        "a date or a time", "an array",   "a table"};
    return names[type];
}

extern "C" cuzk_status cuzk_toml_read(toml_document *document, const char *text, size_t len_bytes,
                                      const char *file, cuzk_error *err) {
    *document = toml_document{};
    storage *out = nullptr;
    cuzk_status status;
    try {
        out = new storage;
        status = read(*out, std::string_view(text, len_bytes), file, err);
    } catch (const std::bad_alloc &) {
        status = cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: no memory to read it", file);
    }
    if (status != CUZK_OK) {
        delete out;
        return status;
    }
    document->storage = out;
    document->values = out->values.data();
    document->n_values = out->values.size();
    return CUZK_OK;
}

extern "C" void cuzk_toml_clear(toml_document *document) {
    delete static_cast<storage *>(document->storage);
    *document = toml_document{};
}

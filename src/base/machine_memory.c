/* /proc/meminfo, /proc/self/cgroup and the control groups' files. */
#include "base/machine_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CHARS 4096
#define LINE_CHARS 4096

static FILE *open_below(const char *root, const char *path) {
    char whole[PATH_CHARS];
    int n = snprintf(whole, sizeof whole, "%s%s", root, path);
    return n > 0 && (size_t)n < sizeof whole ? fopen(whole, "re") : NULL;
}

/* 0 if it can't be read. */
static uint64_t read_mem_total(const char *root) {
    FILE *f = open_below(root, "/proc/meminfo");
    if (f == NULL) {
        return 0;
    }
    char line[LINE_CHARS];
    uint64_t kib = 0;
    while (kib == 0 && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "MemTotal: %" SCNu64 " kB", &kib) != 1 || kib > UINT64_MAX / 1024) {
            kib = 0;
        }
    }
    fclose(f);
    return kib * 1024;
}

/* The limit that a file names; "max", version 1's largest value and anything else: none. */
static uint64_t read_limit(const char *root, const char *path) {
    FILE *f = open_below(root, path);
    if (f == NULL) {
        return MEMORY_NO_LIMIT;
    }
    char line[LINE_CHARS], *end = line;
    uint64_t bytes = 0;
    if (fgets(line, sizeof line, f) != NULL && line[0] >= '0' && line[0] <= '9') {
        bytes = strtoull(line, &end, 10);
    }
    fclose(f);
    bool number = end != line && (*end == '\n' || *end == '\0');
    return number && bytes < (uint64_t)INT64_MAX / 2 ? bytes : MEMORY_NO_LIMIT;
}

/* The lowest limit of a group and all groups it is in. Inside a container the path may be the
 * host's, of which only the end exists here: what is missing sets no limit. */
static uint64_t lowest_limit(const char *root, const char *mount, const char *group,
                             const char *file) {
    char path[PATH_CHARS], whole[PATH_CHARS];
    if (snprintf(path, sizeof path, "%s", group) >= (int)sizeof path) {
        return MEMORY_NO_LIMIT;
    }
    uint64_t lowest = MEMORY_NO_LIMIT;
    for (;;) {
        size_t len = strlen(path);
        if (len != 0 && path[len - 1] == '/') {
            path[len - 1] = '\0';
        }
        int n = snprintf(whole, sizeof whole, "%s%s/%s", mount, path, file);
        uint64_t limit =
            n > 0 && (size_t)n < sizeof whole ? read_limit(root, whole) : MEMORY_NO_LIMIT;
        lowest = limit < lowest ? limit : lowest;
        char *last = strrchr(path, '/');
        if (last == NULL) {
            return lowest;
        }
        *last = '\0';
    }
}

static bool lists_memory(const char *controllers) {
    const char *at = strstr(controllers, "memory");
    return at != NULL && (at == controllers || at[-1] == ',') && (at[6] == ',' || at[6] == '\0');
}

/* A line "ID:CONTROLLERS:PATH" of /proc/self/cgroup; no controllers: version 2. */
static uint64_t limit_of_line(const char *root, char *line) {
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL) {
        return MEMORY_NO_LIMIT;
    }
    controllers++;
    *path++ = '\0';
    if (lists_memory(controllers)) {
        return lowest_limit(root, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
    }
    if (controllers[0] != '\0') {
        return MEMORY_NO_LIMIT;
    }
    uint64_t limit = lowest_limit(root, "/sys/fs/cgroup", path, "memory.max");
    uint64_t hybrid = lowest_limit(root, "/sys/fs/cgroup/unified", path, "memory.max");
    return limit < hybrid ? limit : hybrid;
}

static uint64_t read_cgroup_limit(const char *root) {
    FILE *f = open_below(root, "/proc/self/cgroup");
    if (f == NULL) {
        return MEMORY_NO_LIMIT;
    }
    char line[LINE_CHARS];
    uint64_t lowest = MEMORY_NO_LIMIT;
    while (fgets(line, sizeof line, f) != NULL) {
        uint64_t limit = limit_of_line(root, line);
        lowest = limit < lowest ? limit : lowest;
    }
    fclose(f);
    return lowest;
}

machine_memory cuzk_machine_memory(const char *root) {
    return (machine_memory){.total_bytes = read_mem_total(root),
                            .cgroup_bytes = read_cgroup_limit(root)};
}

#define UNREADABLE_BYTES ((uint64_t)256 << 30)

cuzk_status cuzk_machine_budget(uint64_t *budget_bytes, const machine_memory *memory,
                                uint64_t margin_bytes, cuzk_error *err) {
    uint64_t bytes = memory->total_bytes != 0 ? memory->total_bytes : UNREADABLE_BYTES;
    if (memory->cgroup_bytes < bytes) {
        bytes = memory->cgroup_bytes;
    }
    if (bytes <= margin_bytes) {
        return cuzk_fail(err, CUZK_E_RANGE,
                         "a safety margin of %" PRIu64 " bytes leaves nothing of the %" PRIu64
                         " bytes this process may use",
                         margin_bytes, bytes);
    }
    *budget_bytes = bytes - margin_bytes;
    return CUZK_OK;
}

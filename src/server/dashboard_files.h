/* The page that is served at /, embedded from src/server/dashboard by scripts/gen_dashboard.py. */
#ifndef CUZK_SERVER_DASHBOARD_FILES_H
#define CUZK_SERVER_DASHBOARD_FILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct dashboard_file {
    const char *path; /* "/dashboard.css"; "/" for index.html */
    const char *content_type;
    const uint8_t *data;
    size_t len_bytes;
} dashboard_file;
extern const dashboard_file cuzk_dashboard_files[];
extern const size_t cuzk_dashboard_n_files;

#endif

/* The daemon: settings, prover, gRPC and HTTP from start to stop (engine.md 1 and 20). */
#ifndef CUZK_SERVER_DAEMON_H
#define CUZK_SERVER_DAEMON_H

#include "base/status.h"

#define DAEMON_CONFIG_PATH "/data/zk/cuzk.toml"

/* Strings are borrowed for the call; NULL: as the file says. */
typedef struct daemon_options {
    const char *config_path; /* DAEMON_CONFIG_PATH; one that does not exist gives the defaults */
    const char *listen;      /* replaces daemon.listen */
    const char *log_level;   /* replaces logging.level; the variable RUST_LOG replaces both */
} daemon_options;

/* Serves until SIGTERM or SIGINT, then lets running jobs finish for daemon.drain_timeout; a second
 * one ends the process at once, with code 128 + its number. SIGHUP reads logging,
 * memory.eviction_min_idle and pipeline.max_gpu_queue_depth of the file again. To be called by the
 * only thread. Fails, without having served: CUZK_E_INPUT (the file, an address), CUZK_E_IO,
 * CUZK_E_INTERNAL (a kernel gives wrong answers), and as cuzk_service_create. */
cuzk_status cuzk_daemon_run(const daemon_options *options, cuzk_error *err);

/* Whether it would start, as far as settings go; warnings are logged. */
cuzk_status cuzk_daemon_check_config(const daemon_options *options, cuzk_error *err);
/* The settings in force as a file: *text is allocated, zero-terminated; the caller frees it. */
cuzk_status cuzk_daemon_config_text(char **text, const daemon_options *options, cuzk_error *err);

#endif

/* Starts everything in order, waits for signals, stops everything in the reverse order. */
#include "server/daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/log.h"
#include "base/machine_memory.h"
#include "engine/config.h"
#include "engine/selftest.h"
#include "server/host_share.h"
#include "server/http_status.h"
#include "server/job_log.h"
#include "server/last_line.h"
#include "server/listen_address.h"
#include "server/server.h"
#include "server/systemd_notify.h"

#define GIB ((double)(1 << 30))
/* A 32 GiB PoRep or Snap partition with streamed parameters: two polynomials of 2^27 and sums. */
#define SMALL_BUDGET ((uint64_t)10 << 30)

typedef struct daemon_state {
    const daemon_options *options;
    config config;
    http_source source;
    service *service;
    http_status *http; /* NULL: off */
    machine_memory memory;
    server *server;
    atomic_bool serving;
    int signals, drained; /* a signalfd, and an eventfd */
    pthread_t drainer;
    int first_signal; /* 0: none yet */
} daemon_state;

/* ---- settings ---- */

static cuzk_status load_config(config *c, bool *found, const daemon_options *options,
                               cuzk_error *err) {
    cuzk_status status = cuzk_config_load(c, found, options->config_path, err);
    if (status == CUZK_OK && options->listen != NULL) {
        char *listen = strdup(options->listen);
        if (listen == NULL) {
            cuzk_config_clear(c);
            return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for settings");
        }
        free(c->listen);
        c->listen = listen;
    }
    return status;
}

static bool is_json(const config *c) { return strcmp(c->log_format, "json") == 0; }

/* RUST_LOG, else the option, else the file. What RUST_LOG says may be meant for other programs. */
static cuzk_status set_up_log(const config *c, const daemon_options *options, cuzk_error *err) {
    const bool json = is_json(c);
    const char *variable = getenv("RUST_LOG");
    cuzk_error unread;
    cuzk_status status =
        cuzk_log_setup(options->log_level != NULL ? options->log_level : c->log_level, json, err);
    if (status == CUZK_OK && variable != NULL && *variable != 0 &&
        cuzk_log_setup(variable, json, &unread) != CUZK_OK) {
        cuzk_log(CUZK_LOG_WARN, "daemon", NULL, 0, "RUST_LOG is not used: %s", unread.text);
    }
    return status;
}

static void log_warnings(const config *c) {
    for (size_t i = 0; i < c->n_warnings; i++) {
        cuzk_log(CUZK_LOG_WARN, "config", NULL, 0, "%s", c->warnings[i]);
    }
}

/* What can be known of settings without starting anything. */
static cuzk_status check_settings(const config *c, cuzk_error *err) {
    listen_address address;
    cuzk_status status = cuzk_listen_address_parse(&address, c->listen, err);
    if (status == CUZK_OK) {
        status = cuzk_host_share_check(c->cores, err);
    }
    for (size_t i = 0; i < c->keep_hot.n && status == CUZK_OK; i++) {
        param_set set;
        status = cuzk_param_set_by_id(&set, c->keep_hot.items[i], err);
        if (status != CUZK_OK) {
            cuzk_error_prefix(err, "srs.keep_hot: ");
        }
    }
    return status;
}

cuzk_status cuzk_daemon_check_config(const daemon_options *options, cuzk_error *err) {
    config c;
    bool found;
    cuzk_status status = load_config(&c, &found, options, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = set_up_log(&c, options, err);
    if (status == CUZK_OK) {
        log_warnings(&c);
        status = check_settings(&c, err);
    }
    if (status == CUZK_OK && !found) {
        status = cuzk_fail(err, CUZK_E_INPUT, "%s: no such file", options->config_path);
    }
    cuzk_config_clear(&c);
    return status;
}

cuzk_status cuzk_daemon_config_text(char **text, const daemon_options *options, cuzk_error *err) {
    config c;
    bool found;
    size_t len;
    cuzk_status status = load_config(&c, &found, options, err);
    if (status == CUZK_OK) {
        status = cuzk_config_text(text, &len, &c, err);
        cuzk_config_clear(&c);
    }
    return status;
}

static const char *unless_empty(const char *text) { return *text != 0 ? text : NULL; }

/* ---- what HTTP shows ---- */

static cuzk_status say_status(void *arg, char **text, size_t *len_bytes, cuzk_error *err) {
    return cuzk_service_status(text, len_bytes, ((daemon_state *)arg)->service, err);
}

static cuzk_status say_metrics(void *arg, char **text, size_t *len_bytes, cuzk_error *err) {
    return cuzk_service_metrics(text, len_bytes, ((daemon_state *)arg)->service, err);
}

static bool is_serving(void *arg) { return atomic_load(&((daemon_state *)arg)->serving); }

/* ---- start ---- */

static void log_memory(const daemon_state *d, uint64_t total) {
    const machine_memory memory = d->memory;
    char limit[32] = "none", margin[32] = "not subtracted";
    if (memory.cgroup_bytes != MEMORY_NO_LIMIT) {
        snprintf(limit, sizeof limit, "%" PRIu64, memory.cgroup_bytes);
    }
    if (d->config.total_budget == CONFIG_BUDGET_AUTO) {
        snprintf(margin, sizeof margin, "%" PRIu64, d->config.safety_margin);
    }
    cuzk_log(CUZK_LOG_INFO, "daemon",
             CUZK_LOG_FIELDS(log_number("budget_bytes", total),
                             log_number("machine_bytes", memory.total_bytes),
                             log_text("cgroup_bytes", limit), log_text("margin_bytes", margin)),
             "memory budget initialized");
    if (memory.total_bytes != 0 && total > memory.total_bytes) {
        cuzk_log(CUZK_LOG_WARN, "daemon", NULL, 0,
                 "memory.total_budget (%.1f GiB) is more than this machine has (%.1f GiB)",
                 (double)total / GIB, (double)memory.total_bytes / GIB);
    }
    if (total < SMALL_BUDGET) {
        cuzk_log(CUZK_LOG_WARN, "daemon", NULL, 0,
                 "memory budget (%.1f GiB) is too small for 32 GiB sectors other than WinningPoSt, "
                 "which need %.0f GiB",
                 (double)total / GIB, (double)SMALL_BUDGET / GIB);
    }
}

/* What is none of these words stopped the start. */
static cuzk_tier tier_of(const char *name) {
    return strcmp(name, "resident") == 0   ? CUZK_TIER_RESIDENT
           : strcmp(name, "mapped") == 0   ? CUZK_TIER_MAPPED
           : strcmp(name, "streamed") == 0 ? CUZK_TIER_STREAMED
                                           : CUZK_TIER_AUTO;
}

static cuzk_status create_service(daemon_state *d, cuzk_error *err) {
    const config *c = &d->config;
    service_options o;
    uint64_t total = c->total_budget;
    d->memory = cuzk_machine_memory("");
    cuzk_status status = total == CONFIG_BUDGET_AUTO
                             ? cuzk_machine_budget(&total, &d->memory, c->safety_margin, err)
                             : CUZK_OK;
    if (status != CUZK_OK) {
        return status;
    }
    log_memory(d, total);
    cuzk_service_options_init(&o);
    o.n_threads = (unsigned)c->synthesis_threads;
    o.budget_bytes = total;
    o.request_bytes = cuzk_server_request_bytes(total, c->max_message_bytes);
    o.param_dir = c->param_cache;
    o.allow_local = c->allow_local;
    o.trust_params = !c->verify_digest;
    o.tier = tier_of(c->tier);
    o.keep_hot = (const char *const *)c->keep_hot.items;
    o.n_keep_hot = c->keep_hot.n;
    o.partition_dir = unless_empty(c->partition_store);
    o.min_idle_ns = c->eviction_min_idle_ns;
    o.engine.result_ttl_ns = c->result_ttl_ns;
    o.engine.max_results = c->max_results;
    o.engine.max_batch = c->max_batch_size;
    o.engine.max_batch_wait_ns = c->max_batch_wait_ms * NS_PER_MS;
    o.engine.max_waiting = (unsigned)c->max_gpu_queue_depth;
    o.engine.prefer_resident = c->sort_by_type;
    o.engine.n_retries = (unsigned)c->verify_retries;
    cuzk_job_log_init(&o.engine);
    status = cuzk_service_create(&d->service, &o, err);
    if (status == CUZK_OK) {
        cuzk_last_line_of(cuzk_service_engine(d->service), is_json(c));
        cuzk_log(CUZK_LOG_INFO, "daemon",
                 CUZK_LOG_FIELDS(log_text("level", cuzk_cpu_level_name(cuzk_cpu_level_now())),
                                 log_text("param_cache", cuzk_service_param_dir(d->service))),
                 "proving on the CPU");
    }
    return status;
}

/* Not being able to show something is no reason not to prove. */
static void open_http(daemon_state *d) {
    cuzk_error err;
    if (*d->config.status_listen == 0) {
        return;
    }
    d->source = (http_source){say_status, say_metrics, is_serving, d};
    if (cuzk_http_status_open(&d->http, d->config.status_listen, &d->source, &err) != CUZK_OK) {
        cuzk_log(CUZK_LOG_ERROR, "http", NULL, 0, "no HTTP status: %s", err.text);
        return;
    }
    cuzk_log(CUZK_LOG_INFO, "http",
             CUZK_LOG_FIELDS(log_text("address", d->config.status_listen),
                             log_number("port", cuzk_http_status_port(d->http))),
             "HTTP status listening");
}

/* Whether other machines may reach an address. */
static bool is_exposed(const char *listen) {
    listen_address address;
    return cuzk_listen_address_parse(&address, listen, NULL) == CUZK_OK && !address.is_unix &&
           strncmp(address.host, "127.", 4) != 0 && strcmp(address.host, "::1") != 0;
}

static cuzk_status open_server(daemon_state *d, cuzk_error *err) {
    const config *c = &d->config;
    server_options o;
    cuzk_server_options_init(&o);
    o.listen = c->listen;
    o.socket_mode = (unsigned)c->socket_mode;
    o.max_message_bytes = c->max_message_bytes;
    o.receive_timeout_ns = c->receive_timeout_ns;
    o.tls_certificate = unless_empty(c->tls_cert);
    o.tls_key = unless_empty(c->tls_key);
    o.tls_client_ca = unless_empty(c->tls_client_ca);
    cuzk_status status = cuzk_server_open(&d->server, &o, d->service, err);
    if (status == CUZK_OK && o.tls_client_ca == NULL && is_exposed(c->listen)) {
        cuzk_log(CUZK_LOG_WARN, "daemon", NULL, 0,
                 "everybody who can reach %s can send work: no daemon.tls_client_ca", c->listen);
    }
    return status;
}

/* The rest of the start once there is a log. */
static cuzk_status start(daemon_state *d, cuzk_error *err) {
    const config *c = &d->config;
    cuzk_status status = check_settings(c, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (c->gpu_threads > 0) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, c->gpu_threads);
        setenv("CUZK_GPU_THREADS", text, 1);
    }
    status = cuzk_host_share_take((unsigned)c->nice, c->cores, err);
    if (status == CUZK_OK) {
        status = cuzk_engine_selftest(NULL, NULL, err);
    }
    if (status == CUZK_OK) {
        cuzk_log(CUZK_LOG_INFO, "daemon", NULL, 0, "self-test of the kernels passed");
        status = create_service(d, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    open_http(d);
    status = open_server(d, err);
    if (status != CUZK_OK) {
        return status;
    }
    atomic_store(&d->serving, true);
    cuzk_log(CUZK_LOG_INFO, "daemon", NULL, 0, "cuzk-daemon ready, serving on %s",
             cuzk_server_address(d->server));
    cuzk_systemd_notify("READY=1");
    return CUZK_OK;
}

/* ---- signals ---- */

static void *drain(void *arg) {
    daemon_state *d = arg;
    const uint64_t one = 1;
    cuzk_service_drain(d->service, d->config.drain_timeout_ns);
    (void)!write(d->drained, &one, sizeof one);
    return NULL;
}

/* The first SIGTERM or SIGINT: no new calls, then wait for what runs, in a thread, so that a second
 * one is heard. */
static void begin_drain(daemon_state *d, int number) {
    cuzk_log(CUZK_LOG_INFO, "daemon",
             CUZK_LOG_FIELDS(log_text("signal", sigabbrev_np(number)),
                             log_number("drain_s", d->config.drain_timeout_ns / NS_PER_S)),
             "stopping: no new jobs, running ones may finish");
    d->first_signal = number;
    atomic_store(&d->serving, false);
    cuzk_systemd_notify("STOPPING=1");
    cuzk_server_refuse(d->server);
    if (pthread_create(&d->drainer, NULL, drain, d) != 0) {
        cuzk_log(CUZK_LOG_ERROR, "daemon", NULL, 0, "no thread to wait for jobs: leaving now");
        _exit(128 + number);
    }
}

/* SIGHUP: what may change while jobs run. A file that is not good any more changes nothing. */
static void reload(daemon_state *d) {
    config fresh;
    cuzk_error err;
    bool found;
    if (load_config(&fresh, &found, d->options, &err) != CUZK_OK) {
        cuzk_log(CUZK_LOG_ERROR, "config", NULL, 0, "not read again: %s", err.text);
        return;
    }
    if (!found) { /* of which defaults would be made */
        cuzk_log(CUZK_LOG_ERROR, "config", NULL, 0, "not read again: %s: no such file",
                 d->options->config_path);
    } else if (set_up_log(&fresh, d->options, &err) != CUZK_OK) {
        cuzk_log(CUZK_LOG_ERROR, "config", NULL, 0, "not read again: %s", err.text);
    } else {
        log_warnings(&fresh);
        cuzk_param_set_min_idle(cuzk_service_params(d->service), fresh.eviction_min_idle_ns);
        cuzk_core_set_max_waiting(cuzk_service_engine(d->service),
                                  (unsigned)fresh.max_gpu_queue_depth);
        cuzk_log(CUZK_LOG_INFO, "config", NULL, 0,
                 "configuration read again: logging, memory.eviction_min_idle, "
                 "pipeline.max_gpu_queue_depth %" PRIu64,
                 fresh.max_gpu_queue_depth);
    }
    cuzk_config_clear(&fresh);
}

static void on_signal(daemon_state *d, int number) {
    if (number == SIGHUP) {
        reload(d);
    } else if (d->first_signal == 0) {
        begin_drain(d, number);
    } else {
        cuzk_log(CUZK_LOG_WARN, "daemon", CUZK_LOG_FIELDS(log_text("signal", sigabbrev_np(number))),
                 "second signal: leaving now");
        _exit(128 + number);
    }
}

/* Until everything has drained. The watchdog hears of a daemon whose engine answers. */
static void wait_for_end(daemon_state *d) {
    const uint64_t watchdog_ns = cuzk_systemd_watchdog_ns();
    const int timeout_ms = watchdog_ns > 0 ? (int)(watchdog_ns / NS_PER_MS) : -1;
    for (;;) {
        struct pollfd events[2] = {{.fd = d->signals, .events = POLLIN},
                                   {.fd = d->drained, .events = POLLIN}};
        struct signalfd_siginfo info;
        poll(events, 2, timeout_ms);
        if (events[0].revents != 0 && read(d->signals, &info, sizeof info) == sizeof info) {
            on_signal(d, (int)info.ssi_signo);
        } else if (events[1].revents != 0) {
            return;
        }
        if (watchdog_ns > 0) {
            engine_report report;
            cuzk_core_look(cuzk_service_engine(d->service), &report);
            cuzk_systemd_notify("WATCHDOG=1");
        }
    }
}

/* Blocked in all threads: they are read from a descriptor. */
static cuzk_status take_signals(daemon_state *d, cuzk_error *err) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    d->signals = signalfd(-1, &set, SFD_CLOEXEC);
    d->drained = eventfd(0, EFD_CLOEXEC);
    return d->signals >= 0 && d->drained >= 0
               ? CUZK_OK
               : cuzk_fail(err, CUZK_E_IO, "signals: %s", strerror(errno));
}

static void stop(daemon_state *d) {
    cuzk_server_close(d->server);
    cuzk_http_status_close(d->http);
    if (d->service != NULL) {
        cuzk_last_line_of(NULL, is_json(&d->config));
    }
    cuzk_service_destroy(d->service);
    if (d->signals >= 0) {
        close(d->signals);
    }
    if (d->drained >= 0) {
        close(d->drained);
    }
}

cuzk_status cuzk_daemon_run(const daemon_options *options, cuzk_error *err) {
    daemon_state d = {.options = options, .signals = -1, .drained = -1};
    bool found;
    cuzk_status status = take_signals(&d, err);
    if (status == CUZK_OK) {
        status = load_config(&d.config, &found, options, err);
    }
    if (status == CUZK_OK) {
        status = set_up_log(&d.config, options, err);
    }
    if (status == CUZK_OK) {
        cuzk_log(CUZK_LOG_INFO, "daemon",
                 CUZK_LOG_FIELDS(log_text("version", cuzk_version()),
                                 log_number("pid", (uint64_t)getpid())),
                 "cuzk-daemon starting");
        cuzk_log(CUZK_LOG_INFO, "config", CUZK_LOG_FIELDS(log_text("file", options->config_path)),
                 found ? "configuration loaded"
                       : "no such file, all defaults: configuration loaded");
        log_warnings(&d.config);
        status = start(&d, err);
    }
    if (status == CUZK_OK) {
        wait_for_end(&d);
        pthread_join(d.drainer, NULL);
        cuzk_log(CUZK_LOG_INFO, "daemon", NULL, 0, "stopped");
    }
    stop(&d);
    cuzk_config_clear(&d.config);
    return status;
}

/* The gRPC server: its settings, its listener, its threads. */
#include "server/grpc_server.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <grpc/grpc_security.h>
#include <grpc/support/log.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "server/grpc_internal.h"
#include "server/listen_address.h"

#define RECEIVE_SLACK_BYTES ((size_t)8 << 20) /* of all connections, beside bulk messages */
#define SMALLEST_LIMIT ((size_t)1 << 20)      /* of messages */
#define MOMENT_NS NS_PER_S                    /* in which open calls may end by themselves */

/* ---- watches ---- */

bool cuzk_rpc_queue_watch(rpc_server *s, call *c) {
    pthread_mutex_lock(&s->mutex);
    bool stays = !s->refusing;
    if (stays) {
        cuzk_rpc_list_insert(&s->watches, NULL, c);
    }
    pthread_mutex_unlock(&s->mutex);
    return stays;
}

bool cuzk_rpc_take_back(rpc_server *s, call *c) {
    pthread_mutex_lock(&s->mutex);
    bool waits = c->list == &s->held || c->list == &s->watches;
    if (waits) {
        cuzk_rpc_list_leave(c);
    }
    pthread_mutex_unlock(&s->mutex);
    return waits;
}

void cuzk_rpc_count_calls(rpc_server *s, int change) {
    pthread_mutex_lock(&s->mutex);
    s->n_calls += (unsigned)change;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

bool cuzk_rpc_too_many_calls(rpc_server *s) {
    pthread_mutex_lock(&s->mutex);
    bool too_many = s->n_calls > s->max_calls + RPC_LOOPS; /* each of which waits for one */
    pthread_mutex_unlock(&s->mutex);
    return too_many;
}

/* ---- threads ---- */

/* The listener is gone, and so are all calls. */
static void has_shut(rpc_server *s) {
    pthread_mutex_lock(&s->mutex);
    s->shut = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

static void *run_loop(void *arg) {
    rpc_loop *loop = arg;
    grpc_event event;
    do {
        event = grpc_completion_queue_next(loop->queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
        if (event.type == GRPC_OP_COMPLETE && event.tag == loop->server) {
            has_shut(loop->server);
        } else if (event.type == GRPC_OP_COMPLETE) {
            cuzk_rpc_call_event(event.tag, event.success != 0);
        }
    } while (event.type != GRPC_QUEUE_SHUTDOWN);
    return NULL;
}

static void *run_bulk(void *arg) {
    rpc_server *s = arg;
    pthread_mutex_lock(&s->mutex);
    while (!s->stopping || s->received.first != NULL) {
        call *c = cuzk_rpc_list_take(&s->received);
        if (c == NULL) {
            pthread_cond_wait(&s->changed, &s->mutex);
            continue;
        }
        pthread_mutex_unlock(&s->mutex);
        cuzk_rpc_call_handle_bulk(c);
        pthread_mutex_lock(&s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

static cuzk_status start_threads(rpc_server *s, cuzk_error *err) {
    int failure = 0;
    while (failure == 0 && s->n_loops < RPC_LOOPS) {
        rpc_loop *loop = &s->loops[s->n_loops];
        failure = pthread_create(&loop->thread, NULL, run_loop, loop);
        s->n_loops += failure == 0;
    }
    while (failure == 0 && s->n_bulk_threads < RPC_BULK_THREADS) {
        failure = pthread_create(&s->bulk_threads[s->n_bulk_threads], NULL, run_bulk, s);
        s->n_bulk_threads += failure == 0;
    }
    if (failure == 0) {
        failure = pthread_create(&s->watcher, NULL, cuzk_rpc_watch_receiving, s);
        s->has_watcher = failure == 0;
    }
    if (failure != 0) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "cannot start a thread: %s", strerror(failure));
    }
    return CUZK_OK;
}

/* ---- the listener ---- */

/* A PEM file as a string. */
static cuzk_status read_pem(char **text, const char *path, cuzk_error *err) {
    *text = NULL;
    if (path == NULL) {
        return CUZK_OK;
    }
    cuzk_map map;
    cuzk_status status = cuzk_map_open(&map, path, err);
    if (status != CUZK_OK) {
        return status;
    }
    *text = strndup((const char *)map.data, map.len_bytes);
    cuzk_map_close(&map);
    return *text != NULL ? CUZK_OK : cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a PEM file");
}

static cuzk_status make_credentials(grpc_server_credentials **credentials,
                                    const server_options *options, cuzk_error *err) {
    *credentials = NULL;
    if (options->tls_certificate == NULL && options->tls_key == NULL) {
        if (options->tls_client_ca != NULL) {
            return cuzk_fail(err, CUZK_E_INPUT,
                             "client certificates need TLS: certificate and key");
        }
        *credentials = grpc_insecure_server_credentials_create();
        return CUZK_OK;
    }
    if (options->tls_certificate == NULL || options->tls_key == NULL) {
        return cuzk_fail(err, CUZK_E_INPUT, "TLS needs both a certificate and a key");
    }
    char *certificate = NULL, *key = NULL, *client_ca = NULL;
    cuzk_status status = read_pem(&certificate, options->tls_certificate, err);
    if (status == CUZK_OK) {
        status = read_pem(&key, options->tls_key, err);
    }
    if (status == CUZK_OK) {
        status = read_pem(&client_ca, options->tls_client_ca, err);
    }
    if (status == CUZK_OK) {
        grpc_ssl_pem_key_cert_pair pair = {.private_key = key, .cert_chain = certificate};
        *credentials = grpc_ssl_server_credentials_create_ex(
            client_ca, &pair, 1,
            client_ca != NULL ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                              : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE,
            NULL);
    }
    if (key != NULL) {
        explicit_bzero(key, strlen(key));
    }
    free(certificate);
    free(key);
    free(client_ca);
    return status;
}

static cuzk_status listen_on(rpc_server *s, const server_options *options, cuzk_error *err) {
    listen_address address;
    cuzk_status status = cuzk_listen_address_parse(&address, options->listen, err);
    if (status == CUZK_OK && address.is_unix) {
        status = cuzk_listen_address_clear(&address, err);
    }
    grpc_server_credentials *credentials = NULL;
    if (status == CUZK_OK) {
        status = make_credentials(&credentials, options, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    char target[sizeof s->address];
    if (address.is_unix) {
        snprintf(target, sizeof target, "unix:%s", address.path);
    } else {
        snprintf(target, sizeof target, address.is_ipv6 ? "[%s]:%u" : "%s:%u", address.host,
                 address.port);
    }
    /* Nobody else may connect before the mode is right. */
    mode_t before = address.is_unix ? umask((mode_t)(0777 & ~options->socket_mode)) : 0;
    int port = grpc_server_add_http2_port(s->grpc, target, credentials);
    if (address.is_unix) {
        umask(before);
    }
    grpc_server_credentials_release(credentials);
    if (port == 0) {
        return cuzk_fail(err, CUZK_E_IO, "cannot listen on %s", options->listen);
    }
    if (!address.is_unix) {
        snprintf(s->address, sizeof s->address, address.is_ipv6 ? "[%s]:%d" : "%s:%d", address.host,
                 port);
        return CUZK_OK;
    }
    snprintf(s->address, sizeof s->address, "unix://%s", address.path);
    if (chmod(address.path, (mode_t)options->socket_mode) != 0) {
        return cuzk_fail(err, CUZK_E_IO, "cannot set the mode of %s: %s", address.path,
                         strerror(errno));
    }
    return CUZK_OK;
}

/* ---- making ---- */

static grpc_arg integer(const char *key, int value) {
    return (grpc_arg){.type = GRPC_ARG_INTEGER, .key = (char *)key, .value.integer = value};
}

/* A message above the limit is refused only when it is there, whole: the quota is what bounds it.
 * Its stream is cut off then, so the quota has room for as many messages as are received at once.
 */
static grpc_server *make_server(size_t max_message_bytes, size_t receive_bytes) {
    grpc_resource_quota *quota = grpc_resource_quota_create("cuzk");
    grpc_resource_quota_resize(quota, receive_bytes + RECEIVE_SLACK_BYTES);
    grpc_arg settings[] = {
        integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, (int)max_message_bytes),
        integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, -1),
        {.type = GRPC_ARG_POINTER,
         .key = (char *)GRPC_ARG_RESOURCE_QUOTA,
         .value.pointer = {.p = quota, .vtable = grpc_resource_quota_arg_vtable()}},
        integer(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1024),
        integer(GRPC_ARG_ALLOW_REUSEPORT, 0),
        /* Proofs take half an hour without a byte: clients may ping as often as they like, and we
         * look once a minute whether they are still there. */
        integer(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0),
        integer(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1000),
        integer(GRPC_ARG_KEEPALIVE_TIME_MS, 60000),
        integer(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20000),
        integer(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1),
        integer(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0),
        /* A small compressed message may be a huge one: none are taken. */
        integer(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0),
        integer(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, 1 << GRPC_COMPRESS_NONE),
    };
    const grpc_channel_args args = {.num_args = sizeof settings / sizeof *settings,
                                    .args = settings};
    grpc_server *made = grpc_server_create(&args, NULL);
    grpc_resource_quota_unref(quota);
    return made;
}

/* gRPC's own log goes into ours. */
static void log_for_grpc(gpr_log_func_args *args) {
    cuzk_log(args->severity == GPR_LOG_SEVERITY_ERROR ? CUZK_LOG_WARN : CUZK_LOG_DEBUG, "grpc",
             NULL, 0, "%s", args->message);
}

cuzk_status cuzk_rpc_server_create(rpc_server **s, const server_options *options,
                                   size_t receive_bytes, const rpc_method *methods,
                                   size_t n_methods, cuzk_error *err) {
    *s = NULL;
    if (options->max_message_bytes < SMALLEST_LIMIT || options->max_message_bytes > INT_MAX) {
        return cuzk_fail(err, CUZK_E_INPUT, "a message limit of %zu bytes: it must be %zu to %d",
                         options->max_message_bytes, SMALLEST_LIMIT, INT_MAX);
    }
    CUZK_ASSERT(receive_bytes >= options->max_message_bytes);
    rpc_server *new = calloc(1, sizeof *new);
    *s = new;
    if (new == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a server");
    }
    new->methods = methods;
    new->n_methods = n_methods;
    new->max_calls = options->max_calls;
    const size_t n_slots = receive_bytes / options->max_message_bytes;
    cuzk_rpc_slots_init(new, n_slots < RPC_MAX_RECEIVING ? (unsigned)n_slots : RPC_MAX_RECEIVING,
                        options->receive_timeout_ns);
    pthread_mutex_init(&new->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&new->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    gpr_set_log_function(log_for_grpc);
    grpc_init();
    for (size_t i = 0; i < RPC_LOOPS; i++) {
        new->loops[i].server = new;
        new->loops[i].queue = grpc_completion_queue_create_for_next(NULL);
    }
    cuzk_status status = start_threads(new, err);
    if (status == CUZK_OK) {
        new->grpc = make_server(options->max_message_bytes, receive_bytes);
        for (size_t i = 0; i < RPC_LOOPS; i++) {
            grpc_server_register_completion_queue(new->grpc, new->loops[i].queue, NULL);
        }
        status = listen_on(new, options, err);
    }
    if (status != CUZK_OK) {
        cuzk_rpc_server_destroy(new);
        *s = NULL;
        return status;
    }
    grpc_server_start(new->grpc);
    for (size_t i = 0; i < RPC_LOOPS; i++) {
        cuzk_rpc_call_expect(new, &new->loops[i]);
    }
    return CUZK_OK;
}

const char *cuzk_rpc_server_address(const rpc_server *s) { return s->address; }

/* ---- the end ---- */

void cuzk_rpc_server_refuse(rpc_server *s) {
    pthread_mutex_lock(&s->mutex);
    bool first = !s->refusing;
    s->refusing = true;
    pthread_mutex_unlock(&s->mutex);
    if (!first) {
        return;
    }
    /* gRPC removes a unix socket with its listener. */
    grpc_server_shutdown_and_notify(s->grpc, s->loops[0].queue, s);
    call *c;
    do {
        pthread_mutex_lock(&s->mutex);
        c = cuzk_rpc_list_take(&s->watches);
        pthread_mutex_unlock(&s->mutex);
        if (c != NULL) {
            cuzk_rpc_call_end_watch(c);
        }
    } while (c != NULL);
}

/* Until no call is left, or for at most MOMENT_NS if it is only `a_moment`. */
static void wait_for_calls(rpc_server *s, bool a_moment) {
    uint64_t until_ns = cuzk_wall_ns() + MOMENT_NS;
    const struct timespec until = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                                   .tv_nsec = (long)(until_ns % NS_PER_S)};
    int failure = 0;
    pthread_mutex_lock(&s->mutex);
    while ((s->n_calls != 0 || !s->shut) && failure == 0) {
        failure = a_moment ? pthread_cond_timedwait(&s->changed, &s->mutex, &until)
                           : pthread_cond_wait(&s->changed, &s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
}

static void stop_threads(rpc_server *s) {
    pthread_mutex_lock(&s->mutex);
    s->stopping = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    for (unsigned i = 0; i < s->n_bulk_threads; i++) {
        pthread_join(s->bulk_threads[i], NULL);
    }
    if (s->has_watcher) {
        pthread_join(s->watcher, NULL);
    }
    for (unsigned i = 0; i < RPC_LOOPS; i++) {
        grpc_completion_queue_shutdown(s->loops[i].queue);
        if (i < s->n_loops) {
            pthread_join(s->loops[i].thread, NULL);
        } else {
            run_loop(&s->loops[i]); /* a queue is emptied before it is destroyed */
        }
    }
}

void cuzk_rpc_server_destroy(rpc_server *s) {
    if (s == NULL) {
        return;
    }
    if (s->grpc != NULL) {
        cuzk_rpc_server_refuse(s);
        wait_for_calls(s, true);
        grpc_server_cancel_all_calls(s->grpc);
        wait_for_calls(s, false);
    }
    stop_threads(s);
    if (s->grpc != NULL) {
        grpc_server_destroy(s->grpc);
    }
    for (unsigned i = 0; i < RPC_LOOPS; i++) {
        grpc_completion_queue_destroy(s->loops[i].queue);
    }
    grpc_shutdown();
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
    free(s);
}

/* A prover, as the proving service sees it. */
#include "server/server.h"

static cuzk_status preload(void *arg, bool *already, uint64_t *load_ns, const cuzk_ctx *ctx,
                           const char *id, cuzk_error *err) {
    cuzk_ctx with_pool = *ctx;
    with_pool.pool = cuzk_service_pool(arg);
    return cuzk_param_preload(cuzk_service_params(arg), already, load_ns, &with_pool, id, err);
}

static cuzk_status evict(void *arg, bool *was_loaded, uint64_t *freed_bytes, const char *id,
                         cuzk_error *err) {
    return cuzk_param_evict(cuzk_service_params(arg), was_loaded, freed_bytes, id, err);
}

static size_t look(void *arg, param_report *reports, size_t room) {
    return cuzk_param_look(cuzk_service_params(arg), reports, room);
}

static cuzk_status metrics(void *arg, char **text, size_t *len_bytes, cuzk_error *err) {
    return cuzk_service_metrics(text, len_bytes, arg, err);
}

cuzk_status cuzk_server_open(server **s, const server_options *options, service *prover,
                             cuzk_error *err) {
    const proving_backing backing = {.engine = cuzk_service_engine(prover),
                                     .budget = cuzk_service_budget(prover),
                                     .arg = prover,
                                     .preload = preload,
                                     .evict = evict,
                                     .look = look,
                                     .metrics = metrics};
    return cuzk_server_open_on(s, options, &backing, err);
}

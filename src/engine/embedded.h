/* What the functions cuzk_engine_* of cuzk.h do: a service, and requests that it owns. */
#ifndef CUZK_ENGINE_EMBEDDED_H
#define CUZK_ENGINE_EMBEDDED_H

#include "engine/service.h"

/* Everywhere arguments were checked; for the rest see the function of the same name in cuzk.h. */
cuzk_status cuzk_embedded_create(cuzk_engine **e, const cuzk_engine_options *options,
                                 cuzk_error *err);
void cuzk_embedded_destroy(cuzk_engine *e);
cuzk_status cuzk_embedded_submit(cuzk_engine *e, char job_id[CUZK_JOB_ID_CHARS],
                                 const cuzk_request *request, const char *request_id,
                                 cuzk_urgency urgency, cuzk_error *err);
cuzk_status cuzk_embedded_await(cuzk_engine *e, cuzk_job_outcome *outcome, const char *job_id,
                                uint64_t timeout_ms, cuzk_error *err);
void cuzk_embedded_cancel(cuzk_engine *e, const char *job_id, bool *was_running);
/* It lives as long as the engine. */
service *cuzk_embedded_service(cuzk_engine *e);

#endif

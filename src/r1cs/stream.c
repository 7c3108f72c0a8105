/* All rows of a circuit, one after the other. */
#include "r1cs/structure.h"

#include "r1cs/expander_internal.h"
#include "r1cs/plan_internal.h"

static cuzk_status stream(const cuzk_ctx *ctx, const r1cs_circuit *circuit, bool as_written,
                          r1cs_row_fn fn, void *arg, r1cs_dims *dims, cuzk_error *err) {
    r1cs_cs cs;
    cuzk_cs_init(&cs, ctx);
    cs.want_lc = true;
    cuzk_status status = cuzk_expander_create(&cs.expander, ctx->account, fn, arg, err);
    if (status != CUZK_OK) {
        return status;
    }
    cs.expander->as_written = as_written;
    status = cuzk_cs_synthesize(&cs, circuit, err);
    const cs_counts n = cs.n;
    if (status == CUZK_OK) {
        cuzk_expander_input_rows(&cs);
        status = cs.status;
        if (status != CUZK_OK && err != NULL) {
            *err = cs.error;
        }
    }
    if (status == CUZK_OK && dims != NULL) {
        *dims = cuzk_cs_dims(&n);
    }
    cuzk_expander_destroy(cs.expander);
    return status;
}

cuzk_status cuzk_r1cs_stream(const cuzk_ctx *ctx, const r1cs_circuit *circuit, r1cs_row_fn fn,
                             void *arg, r1cs_dims *dims, cuzk_error *err) {
    return stream(ctx, circuit, false, fn, arg, dims, err);
}

cuzk_status cuzk_stream_as_written(const cuzk_ctx *ctx, const r1cs_circuit *circuit, r1cs_row_fn fn,
                                   void *arg, cuzk_error *err) {
    return stream(ctx, circuit, true, fn, arg, NULL, err);
}

cuzk_status cuzk_stream_first_parts(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                    r1cs_row_fn fn, void *arg, cuzk_error *err) {
    r1cs_cs cs;
    cuzk_cs_init(&cs, ctx);
    cs.want_lc = true;
    cs.first_parts_only = true;
    cuzk_status status = cuzk_expander_create(&cs.expander, ctx->account, fn, arg, err);
    if (status != CUZK_OK) {
        return status;
    }
    status = cuzk_cs_synthesize(&cs, circuit, err);
    cuzk_expander_destroy(cs.expander);
    return status;
}

/* The table of kinds. */
#include "engine/proof_kinds.h"

const kind_names cuzk_kind_names[JOB_KINDS] = {
    [CUZK_POREP] = {"PoRep", "porep-c2", "porep_c2"},
    [CUZK_SNAP] = {"SnapDeals", "snap-update", "snap_update"},
    [CUZK_WINDOW_POST] = {"WindowPoSt", "window-post", "window_post"},
    [CUZK_WINNING_POST] = {"WinningPoSt", "winning-post", "winning_post"},
};

uint64_t cuzk_kind_sum(const uint64_t values[JOB_KINDS]) {
    uint64_t total = 0;
    for (size_t kind = 1; kind < JOB_KINDS; kind++) {
        total += values[kind];
    }
    return total;
}

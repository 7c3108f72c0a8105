/* The window choice. */
#include "msm/windows.h"

#include "base/status.h"

void cuzk_msm_windows_init(msm_windows *windows, unsigned count) {
    CUZK_ASSERT(count >= MSM_MIN_WINDOWS && count <= MSM_MAX_WINDOWS);
    *windows = (msm_windows){.count = count};
    unsigned shift = 0;
    for (unsigned w = 0; w < count; w++) {
        unsigned width = 256 / count + (w < 256 % count);
        windows->width[w] = (uint8_t)width;
        windows->shift[w] = (uint16_t)shift;
        windows->first_bucket[w + 1] = windows->first_bucket[w] + (1u << (width - 1));
        shift += width;
        if (w + 1 < count) {
            windows->bias[(shift - 1) / 64] |= 1ull << ((shift - 1) % 64);
        }
    }
}

/* Buckets of all windows. */
static uint64_t count_buckets(unsigned count) {
    unsigned width = 256 / count, wider = 256 % count;
    return ((uint64_t)(count + wider)) << (width - 1);
}

/* The count from `least` up with the smallest count * n + buckets * price: additions of points to
 * buckets, and what a bucket costs at the end or beginning, in additions. */
static unsigned cheapest(uint64_t n, double price, unsigned least) {
    unsigned best = least;
    double best_cost = 0;
    for (unsigned count = least; count <= MSM_MAX_WINDOWS; count++) {
        double cost = (double)count * (double)n + price * (double)count_buckets(count);
        if (count == least || cost < best_cost) {
            best = count;
            best_cost = cost;
        }
    }
    return best;
}

/* A bucket takes two additions at the end and saves one, as its first point is copied; measured at
 * 2^10 to 2^18 points. */
unsigned cuzk_msm_windows_for_sum(uint64_t n_points) {
    return cheapest(n_points, 1.1, MSM_MIN_WINDOWS);
}
unsigned cuzk_msm_windows_for_table(uint64_t n_multiples) {
    return cheapest(n_multiples, 1, MSM_MIN_TABLE_WINDOWS);
}

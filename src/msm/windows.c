/* The window choice. */
#include "msm/windows.h"

#include "base/status.h"

void cuzk_msm_windows_init(msm_windows *windows, unsigned n_bits, unsigned count) {
    CUZK_ASSERT(count <= msm_windows_most(n_bits) && n_bits <= count * MSM_MAX_WIDTH);
    *windows = (msm_windows){.count = count, .n_bits = n_bits};
    unsigned shift = 0;
    for (unsigned w = 0; w < count; w++) {
        unsigned width = n_bits / count + (w < n_bits % count);
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
static uint64_t count_buckets(unsigned n_bits, unsigned count) {
    unsigned width = n_bits / count, wider = n_bits % count;
    return ((uint64_t)(count + wider)) << (width - 1);
}

/* The count from `least` up with the smallest count * n + buckets * price: additions of points to
 * buckets, and what a bucket costs at the end or beginning, in additions. */
static unsigned cheapest(uint64_t n, unsigned n_bits, double price, unsigned least,
                         double *additions) {
    const unsigned most = msm_windows_most(n_bits);
    unsigned best = least;
    for (unsigned count = least; count <= most; count++) {
        double cost = (double)count * (double)n + price * (double)count_buckets(n_bits, count);
        if (count == least || cost < *additions) {
            best = count;
            *additions = cost;
        }
    }
    return best;
}

/* A bucket takes two additions at the end and saves one, as its first point is copied; measured at
 * 2^10 to 2^18 points. */
unsigned cuzk_msm_windows_for_sum(uint64_t n_points, unsigned n_bits, double *additions) {
    return cheapest(n_points, n_bits, 1.1, (n_bits + MSM_MAX_WIDTH - 1) / MSM_MAX_WIDTH, additions);
}
unsigned cuzk_msm_windows_for_table(uint64_t n_multiples) {
    double additions;
    return cheapest(n_multiples, 256, 1, MSM_MIN_TABLE_WINDOWS, &additions);
}

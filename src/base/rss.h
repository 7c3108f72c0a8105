/* Resident memory of this process: its present size, and its peak between two moments. */
#ifndef CUZK_BASE_RSS_H
#define CUZK_BASE_RSS_H

#include "base/status.h"

/* RssAnon + RssShmem of /proc/self/status in bytes: what memory limits mean (mapped files do not
 * count). 0 where /proc cannot be read. */
size_t cuzk_rss_now(void);

/* A thread that reads cuzk_rss_now every 10 ms and keeps the largest. Peaks shorter than that may
 * be missed. */
typedef struct cuzk_rss_sampler cuzk_rss_sampler;

/* Fails: CUZK_E_NO_MEMORY if no thread can be had. */
cuzk_status cuzk_rss_start(cuzk_rss_sampler **sampler, cuzk_error *err);
/* Largest value since the start or the last cuzk_rss_restart, the present one included. */
size_t cuzk_rss_peak(cuzk_rss_sampler *sampler);
/* Forgets the peak. */
void cuzk_rss_restart(cuzk_rss_sampler *sampler);
/* Ends the thread; returns the peak. Accepts NULL (0). */
size_t cuzk_rss_stop(cuzk_rss_sampler *sampler);

#endif

/* Reads /proc/self/status, once or every 10 ms. */
#include "base/rss.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"

#define PERIOD_NS 10000000

/* The number of bytes in the line "NAME: N kB" of a status text; 0 without such a line. */
static size_t field_bytes(const char *text, const char *name) {
    const char *line = strstr(text, name);
    return line == NULL ? 0 : (size_t)strtoull(line + strlen(name), NULL, 10) * 1024;
}

size_t cuzk_rss_now(void) {
    char text[8192];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    size_t len = 0;
    while (len < sizeof text - 1) {
        ssize_t n = read(fd, text + len, sizeof text - 1 - len);
        if (n <= 0) {
            break;
        }
        len += (size_t)n;
    }
    close(fd);
    text[len] = 0;
    return field_bytes(text, "\nRssAnon:") + field_bytes(text, "\nRssShmem:");
}

struct cuzk_rss_sampler {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool ending;
    size_t peak_bytes;
};

static void take_sample(cuzk_rss_sampler *s) {
    size_t now = cuzk_rss_now();
    if (s->peak_bytes < now) {
        s->peak_bytes = now;
    }
}

static void *sample_thread(void *arg) {
    cuzk_rss_sampler *s = arg;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&s->mutex);
    while (!s->ending) {
        take_sample(s);
        next.tv_nsec += PERIOD_NS;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        while (!s->ending &&
               pthread_cond_clockwait(&s->wake, &s->mutex, CLOCK_MONOTONIC, &next) != ETIMEDOUT) {
        }
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

cuzk_status cuzk_rss_start(cuzk_rss_sampler **sampler, cuzk_error *err) {
    cuzk_rss_sampler *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "memory sampler: out of memory");
    }
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->wake, NULL);
    int result = cuzk_thread_start(&s->thread, sample_thread, s);
    if (result != 0) {
        free(s);
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "memory sampler: %s", strerror(result));
    }
    *sampler = s;
    return CUZK_OK;
}

size_t cuzk_rss_peak(cuzk_rss_sampler *sampler) {
    pthread_mutex_lock(&sampler->mutex);
    take_sample(sampler);
    size_t peak = sampler->peak_bytes;
    pthread_mutex_unlock(&sampler->mutex);
    return peak;
}

void cuzk_rss_restart(cuzk_rss_sampler *sampler) {
    pthread_mutex_lock(&sampler->mutex);
    sampler->peak_bytes = 0;
    take_sample(sampler);
    pthread_mutex_unlock(&sampler->mutex);
}

size_t cuzk_rss_stop(cuzk_rss_sampler *sampler) {
    if (sampler == NULL) {
        return 0;
    }
    pthread_mutex_lock(&sampler->mutex);
    take_sample(sampler);
    sampler->ending = true;
    pthread_cond_signal(&sampler->wake);
    pthread_mutex_unlock(&sampler->mutex);
    pthread_join(sampler->thread, NULL);
    size_t peak = sampler->peak_bytes;
    pthread_cond_destroy(&sampler->wake);
    pthread_mutex_destroy(&sampler->mutex);
    free(sampler);
    return peak;
}

/* Starting threads. */
#include "base/thread.h"

#include <signal.h>

int cuzk_thread_start(pthread_t *thread, void *(*start)(void *), void *arg) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(thread, NULL, start, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

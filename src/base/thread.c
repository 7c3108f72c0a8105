/* Starting threads. */
#include "base/thread.h"

#include <signal.h>

int cuzk_thread_start(pthread_t *thread, void *(*start)(void *), void *arg) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(&blocked, faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int result = pthread_create(thread, NULL, start, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

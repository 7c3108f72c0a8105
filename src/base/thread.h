/* Threads of the library's own, for what no pool serves: waiting, reading, sampling. */
#ifndef CUZK_BASE_THREAD_H
#define CUZK_BASE_THREAD_H

#include <pthread.h>

/* pthread_create with all signals blocked in the new thread, since they are for the program's own
 * threads, but those that come of the thread's own faults (SIGSEGV and the like): blocked, they
 * would end the process past its handlers. Returns 0 or an error number. */
int cuzk_thread_start(pthread_t *thread, void *(*start)(void *), void *arg);

#endif

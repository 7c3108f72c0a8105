/* Signals of a fault reach the process's handler also from a pool's thread; all others are not for
 * it. */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"
#include "support/support.h"

#define HANDLED 7

static void on_fault(int number) {
    (void)number;
    _exit(HANDLED);
}

typedef struct faulty {
    pthread_t caller;
    volatile char *page; /* of no access */
    atomic_uint n_running;
} faulty;

/* Both run at once, so one of them on the pool's own thread. */
static void fault_task(void *arg, size_t index, unsigned worker) {
    (void)index, (void)worker;
    faulty *f = arg;
    atomic_fetch_add(&f->n_running, 1);
    while (atomic_load(&f->n_running) < 2) {
        sched_yield();
    }
    if (!pthread_equal(pthread_self(), f->caller)) {
        *f->page = 1;
    }
}

/* In a process of its own. */
static void run_fault(void) {
    const struct sigaction action = {.sa_handler = on_fault};
    faulty f = {.caller = pthread_self(),
                .page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)};
    cuzk_pool *pool;
    if (f.page == MAP_FAILED || sigaction(SIGSEGV, &action, NULL) != 0 ||
        cuzk_pool_create(&pool, 2, NULL) != CUZK_OK) {
        _exit(1);
    }
    const cuzk_ctx ctx = {.pool = pool};
    (void)cuzk_pool_run(&ctx, 2, fault_task, &f, NULL);
    _exit(2);
}

static void a_fault_in_a_task_is_handled(void **state) {
    (void)state;
    int how;
    const pid_t child = fork();
    if (child == 0) {
        run_fault();
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), HANDLED);
}

static void *read_mask(void *mask) {
    pthread_sigmask(SIG_SETMASK, NULL, mask);
    return NULL;
}

static void all_other_signals_are_blocked(void **state) {
    (void)state;
    sigset_t before, inside, after;
    pthread_t thread;
    read_mask(&before);
    assert_int_equal(cuzk_thread_start(&thread, read_mask, &inside), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    read_mask(&after);
    static const int open[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    static const int closed[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1, SIGPIPE};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        assert_false(sigismember(&inside, open[i]));
        assert_true(sigismember(&inside, closed[i]));
        assert_int_equal(sigismember(&before, closed[i]), sigismember(&after, closed[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_in_a_task_is_handled),
        cmocka_unit_test(all_other_signals_are_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Inside the engine: what its lock covers. Functions here are called under it, unless they say
 * otherwise. */
#ifndef CUZK_ENGINE_ENGINE_INTERNAL_H
#define CUZK_ENGINE_ENGINE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "engine/collector.h"
#include "engine/engine.h"
#include "engine/pacer.h"
#include "engine/scheduler.h"

/* Where a partition's things are. */
typedef struct slot {
    bool claimed; /* a thread works on the partition or waits for its memory */
    void *witness;
    budget_hold hold;
    cuzk_account *account; /* of the size of the hold */
} slot;

/* A job while the engine has something of it in memory: job->work. */
typedef struct task {
    const cuzk_request *request;
    void (*release)(void *owner);
    void *owner;
    cuzk_cancel cancel;
    void *opened;
    work_plan plan;
    slot *slots;      /* plan.n_partitions */
    unsigned n_steps; /* threads at work on it */
    struct task *next_dead;
} task;

#define WORKER_ID_CHARS 64
typedef struct worker worker;
struct worker {
    engine *engine;
    bool critical;           /* takes CUZK_CRITICAL jobs, and they alone; else all others */
    bool (*step)(worker *w); /* does what there is to do, false if nothing */
    pthread_t thread;
    job *job; /* at work on; NULL: idle */
    /* For cuzk_core_running: its id, where no lock is needed to read it. */
    char shown_id[WORKER_ID_CHARS];
    atomic_bool shown;
    unsigned partition;
    uint64_t since_ns;
    bool waits_for_memory;
    cuzk_priority wait_class; /* in which it does */
    cuzk_cancel yield;        /* stop waiting: there is something more urgent */
};

struct engine {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    engine_options options;
    uint64_t created_ns;
    job_table *table;
    /* A job's way: scheduler, perhaps collector, then read by an opener, then its partitions. */
    scheduler scheduler;
    collector collector;
    pacer pacer;             /* of partitions below CUZK_CRITICAL */
    uint64_t paced_until_ns; /* when one that is held back may go; 0: none is */
    job_queue ready, open;
    task *dead; /* to be freed by the dispatcher */
    unsigned n_tasks;
    uint64_t n_retries;
    bool closing, stopping;
    pthread_t dispatcher;
    unsigned n_workers;
    worker *workers;
};

/* The steps of the three kinds of workers. */
bool cuzk_engine_open_step(worker *w);
bool cuzk_engine_synthesis_step(worker *w);
bool cuzk_engine_proving_step(worker *w);

uint64_t cuzk_engine_now(const engine *e);
/* Something has changed: all threads look again, and who waits for memory makes way for what is
 * more urgent. */
void cuzk_engine_changed(engine *e);
/* Ends a job: notifies, stops its steps, frees its memory when none is left. Failing gives the lock
 * up meanwhile, to log it: a step of the caller keeps the job. */
void cuzk_engine_fail_job(engine *e, job *j, const cuzk_error *error);
void cuzk_engine_cancel_job(engine *e, job *j, const cuzk_error *error);
void cuzk_engine_complete_job(engine *e, job *j);
/* A step on the job has ended; the worker is idle. */
void cuzk_engine_end_step(worker *w);

/* A partition to work on. */
typedef struct engine_item {
    job *job;
    unsigned partition;
} engine_item;
/* The next unclaimed partition in that state. */
bool cuzk_engine_pick(engine *e, engine_item *item, bool critical, partition_state state);
/* Without the lock; the partition is claimed, or its job has ended. */
void cuzk_engine_clear_slot(const engine *e, slot *s);

static inline task *task_of(const job *j) { return (task *)j->work; }

#endif

/* Work on elements in lanes for bench/field.c, which is not compiled for a level of its own. */
#ifndef CUZK_BENCH_FIELD_LANES_H
#define CUZK_BENCH_FIELD_LANES_H

#define BENCH_LANES_ELEMENTS 256

/* run does *(unsigned *)arg rounds over the elements. A list ends with a name of NULL. */
typedef struct bench_lanes_op {
    const char *name;
    void (*run)(void *arg);
} bench_lanes_op;

extern const bench_lanes_op bench_lanes_ops[];

#endif

/* A line of the log for signals that end the process, with the jobs that were at work. */
#ifndef CUZK_SERVER_LAST_LINE_H
#define CUZK_SERVER_LAST_LINE_H

#include "engine/engine.h"

/* From now on SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT write it before they end the process as
 * they would have. json: as cuzk_log_setup. e: whose jobs; NULL: none any more, which must come
 * before it is destroyed. One engine a process. */
void cuzk_last_line_of(const engine *e, bool json);

#endif

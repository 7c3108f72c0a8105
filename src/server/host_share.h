/* How much of a host the process takes that does other things as well: seal, for one. */
#ifndef CUZK_SERVER_HOST_SHARE_H
#define CUZK_SERVER_HOST_SHARE_H

#include "base/status.h"

/* Whether text is a list of CPUs like "0-15,32" (or ""). Fails: CUZK_E_INPUT. */
cuzk_status cuzk_host_share_check(const char *cores, cuzk_error *err);

/* For this thread and those it starts: to be called before the others.
 *   nice   at least that, never less than before; 0: as it is, also if that is below 0
 *   cores  the CPUs to run on; "": as it is
 * Fails: CUZK_E_INPUT (no such list), CUZK_E_IO (the system refuses, as for CPUs that are not
 * there). */
cuzk_status cuzk_host_share_take(unsigned nice, const char *cores, cuzk_error *err);

#endif

/* What systemd wants to hear of a service (sd_notify(3)): one datagram each, to the socket that
 * NOTIFY_SOCKET names. Without one, nothing happens. */
#ifndef CUZK_SERVER_SYSTEMD_NOTIFY_H
#define CUZK_SERVER_SYSTEMD_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

/* lines: "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=..."; several with line ends between.
 * Whether it was sent. */
bool cuzk_systemd_notify(const char *lines);

/* How often at least the watchdog wants "WATCHDOG=1": half of its time; 0: it does not. */
uint64_t cuzk_systemd_watchdog_ns(void);

#endif

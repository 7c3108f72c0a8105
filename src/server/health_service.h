/* The health service: a server that answers serves. */
#ifndef CUZK_SERVER_HEALTH_SERVICE_H
#define CUZK_SERVER_HEALTH_SERVICE_H

#include "server/rpc.h"

#define HEALTH_METHODS 2
void cuzk_health_methods(rpc_method methods[HEALTH_METHODS]);

#endif

/* The reflection service: clients that do not have the contract ask for it. */
#ifndef CUZK_SERVER_REFLECTION_SERVICE_H
#define CUZK_SERVER_REFLECTION_SERVICE_H

#include "server/rpc.h"

#define REFLECTION_METHODS 2
void cuzk_reflection_methods(rpc_method methods[REFLECTION_METHODS]);

#endif

/* What a PoRep request says besides the vanilla proof. */
#ifndef CUZK_FILECOIN_POREP_REQUEST_H
#define CUZK_FILECOIN_POREP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct porep_request {
    uint64_t miner_id; /* the actor's number */
    uint64_t sector_number;
    bool has_registered_proof;
    uint64_t registered_proof; /* must then be the document's */
} porep_request;

#endif

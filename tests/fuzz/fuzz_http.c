/* Any bytes as a request: the answer is HTTP with a known code, or there is none. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/fuzz_target.h"
#include "server/http_status.h"

static cuzk_status say(void *arg, char **text, size_t *len, cuzk_error *err) {
    (void)arg, (void)err;
    *text = strdup("{}");
    *len = 2;
    return CUZK_OK;
}
static bool is_serving(void *arg) { return arg == NULL; }

static void check_answer(const char *answer, size_t len) {
    static const char *const codes[] = {"200", "400", "404", "405", "411", "413",
                                        "414", "417", "431", "500", "501", "505"};
    CUZK_ASSERT(len > 12 && memcmp(answer, "HTTP/1.", 7) == 0);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (memcmp(answer + 9, codes[i], 3) == 0) {
            return;
        }
    }
    CUZK_ASSERT(!"a code that nobody sends");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    static const http_source source = {say, say, is_serving, NULL};
    static http_status *server;
    static char answer[1 << 16];
    int ends[2];
    if (server == NULL) {
        CUZK_ASSERT(cuzk_http_status_open(&server, NULL, &source, NULL) == CUZK_OK);
    }
    CUZK_ASSERT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    /* what the socket does not take at once is left out: it is above every limit */
    (void)!send(ends[0], data, len_bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(ends[0], SHUT_WR);
    cuzk_http_status_serve(server, ends[1]);
    size_t len = 0;
    for (ssize_t n; (n = read(ends[0], answer + len, sizeof answer - len)) > 0;) {
        len += (size_t)n;
    }
    if (len > 0) {
        check_answer(answer, len);
    }
    close(ends[0]);
    return 0;
}

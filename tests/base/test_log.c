/* LABELS: tsan */
/* Log lines, filters and escapes, read back from a file in place of standard error. */
#include "base/log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "support/support.h"

static int saved_stderr;
static FILE *captured;

static void capture(void) {
    captured = tmpfile();
    assert_non_null(captured);
    saved_stderr = dup(STDERR_FILENO);
    dup2(fileno(captured), STDERR_FILENO);
}

/* What was written since `capture`; free() it. */
static char *release(void) {
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    fseek(captured, 0, SEEK_END);
    size_t len = (size_t)ftell(captured);
    rewind(captured);
    char *text = malloc(len + 1);
    assert_int_equal(fread(text, 1, len, captured), len);
    text[len] = 0;
    fclose(captured);
    return text;
}

static void text_lines(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("info", false, NULL), CUZK_OK);
    capture();
    cuzk_log(CUZK_LOG_WARN, "engine",
             CUZK_LOG_FIELDS(log_text("job_id", "wd-[1 2,3] \"x\"=\n"), log_text("kind", "porep"),
                             log_text("none", ""), log_number("partition", UINT64_MAX)),
             "done %d\nnot\x7f"
             "two",
             3);
    cuzk_log(CUZK_LOG_DEBUG, "engine", NULL, 0, "unheard");
    char *text = release();
    assert_non_null(strstr(text, "Z  WARN engine: done 3 not two "
                                 "job_id=\"wd-[1 2,3] \\\"x\\\"=\\n\" kind=porep none=\"\" "
                                 "partition=18446744073709551615\n"));
    assert_null(strstr(text, "unheard"));
    assert_int_equal(text[4], '-');
    assert_int_equal(text[19], '.');
    free(text);
}

static void json_lines(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("trace", true, NULL), CUZK_OK);
    capture();
    cuzk_log(CUZK_LOG_TRACE, "srs",
             CUZK_LOG_FIELDS(log_text("pa\"th", "a\\b\xff\xc3\xa9\x01"), log_number("n", 5)),
             "read \"%s\"", "x");
    char *text = release();
    assert_non_null(strstr(text,
                           "\"level\":\"TRACE\",\"module\":\"srs\",\"message\":\"read \\\"x\\\"\","
                           "\"pa\\\"th\":\"a\\\\b\\ufffd\xc3\xa9\\u0001\",\"n\":5}\n"));
    free(text);
}

/* However long the parts are, a line ends properly. */
static void long_lines(void **state) {
    (void)state;
    static char big[100000];
    memset(big, '\x01', sizeof big - 1);
    for (int json = 0; json < 2; json++) {
        assert_int_equal(cuzk_log_setup("info", json != 0, NULL), CUZK_OK);
        capture();
        cuzk_log(CUZK_LOG_INFO, "engine",
                 CUZK_LOG_FIELDS(log_text("a", big), log_text("b", big), log_text("c", big),
                                 log_text("d", big), log_text("e", big), log_number("f", 1)),
                 "%s", big);
        char *text = release();
        size_t len = strlen(text);
        assert_true(len > 4000 && len < 8192);
        assert_int_equal(text[len - 1], '\n');
        assert_ptr_equal(strchr(text, '\n'), text + len - 1);
        if (json) {
            assert_int_equal(text[len - 2], '}');
        }
        free(text);
    }
}

static void filters(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("warn,srs=DEBUG,,gpu=off", false, NULL), CUZK_OK);
    assert_true(cuzk_log_enabled(CUZK_LOG_WARN, "engine"));
    assert_false(cuzk_log_enabled(CUZK_LOG_INFO, "engine"));
    assert_true(cuzk_log_enabled(CUZK_LOG_DEBUG, "srs"));
    assert_false(cuzk_log_enabled(CUZK_LOG_TRACE, "srs"));
    assert_false(cuzk_log_enabled(CUZK_LOG_ERROR, "gpu"));
    cuzk_error err;
    static const char *const bad[] = {
        "loud", "srs=loud",  "=info",
        "srs=", "info warn", "a-module-name-longer-than-any-real-one=info"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(cuzk_log_setup(bad[i], false, &err), CUZK_E_INPUT);
        assert_non_null(strstr(err.text, bad[i]));
    }
    assert_true(cuzk_log_enabled(CUZK_LOG_DEBUG, "srs"));
    assert_int_equal(cuzk_log_setup("error,cuzk=debug", false, NULL), CUZK_OK);
    assert_true(cuzk_log_enabled(CUZK_LOG_DEBUG, "engine"));
    assert_int_equal(cuzk_log_setup("error,cuzk_core=debug", false, NULL), CUZK_OK);
    assert_true(cuzk_log_enabled(CUZK_LOG_DEBUG, "engine"));
    assert_int_equal(cuzk_log_setup("off", false, NULL), CUZK_OK);
    assert_false(cuzk_log_enabled(CUZK_LOG_ERROR, "engine"));
    char many[1024] = "";
    for (int i = 0; i < 33; i++) {
        snprintf(many + strlen(many), sizeof many - strlen(many), "m%d=info,", i);
    }
    assert_int_equal(cuzk_log_setup(many, false, &err), CUZK_E_INPUT);
    assert_int_equal(cuzk_log_setup("", false, NULL), CUZK_OK);
    assert_true(cuzk_log_enabled(CUZK_LOG_INFO, "engine"));
}

static void *log_main(void *arg) {
    for (int i = 0; i < 200; i++) {
        cuzk_log(CUZK_LOG_INFO, arg, CUZK_LOG_FIELDS(log_number("i", (uint64_t)i)), "line");
        if (i % 50 == 0) {
            assert_int_equal(cuzk_log_setup("info", false, NULL), CUZK_OK);
        }
    }
    return NULL;
}

static void many_threads(void **state) {
    (void)state;
    assert_int_equal(cuzk_log_setup("info", false, NULL), CUZK_OK);
    capture();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, log_main, "engine"), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    char *text = release();
    unsigned n_lines = 0;
    for (char *at = text; (at = strstr(at, " INFO engine: line i=")) != NULL; at++) {
        n_lines++;
    }
    assert_int_equal(n_lines, 800);
    free(text);
}

static void utf8_sequences(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t expected;
    } rows[] = {{"a", 1},
                {"\x7f", 1},
                {"\x80", 0},
                {"\xc1\xbf", 0},
                {"\xc2\x80", 2},
                {"\xdf\xbf", 2},
                {"\xdf", 0},
                {"\xe0\x9f\xbf", 0},
                {"\xe0\xa0\x80", 3},
                {"\xed\x9f\xbf", 3},
                {"\xed\xa0\x80", 0},
                {"\xef\xbf\xbf", 3},
                {"\xf0\x8f\xbf\xbf", 0},
                {"\xf0\x90\x80\x80", 4},
                {"\xf4\x8f\xbf\xbf", 4},
                {"\xf4\x90\x80\x80", 0},
                {"\xf5\x80\x80\x80", 0},
                {"\xf1\x80\x80\x7f", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(cuzk_utf8_sequence(rows[i].text, strlen(rows[i].text)), rows[i].expected);
    }
}

static void escapes_stop_at_the_end(void **state) {
    (void)state;
    static const char text[] = "a\n\xe2\x82\xac\x02z";
    static const char whole[] = "a\\n\xe2\x82\xac\\u0002z";
    static const size_t ends[] = {0, 1, 3, 6, 12, 13};
    char out[64];
    for (size_t room = 0; room < 20; room++) {
        size_t n = cuzk_json_escape(out, room, text, strlen(text));
        size_t expected = 0;
        for (size_t i = 0; i < 6; i++) {
            expected = ends[i] <= room ? ends[i] : expected;
        }
        assert_int_equal(n, expected);
        assert_memory_equal(out, whole, n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_lines),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(filters),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(utf8_sequences),
        cmocka_unit_test(escapes_stop_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

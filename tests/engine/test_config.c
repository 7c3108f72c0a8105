/* Settings: defaults, the grammars of sizes and durations, messages that name key and place, keys
 * that are unknown or deprecated, and that what is written reads back. */
#include "engine/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "support/support.h"

#define GIB ((uint64_t)1 << 30)

static void read_good(config *c, const char *text) {
    cuzk_error err;
    if (cuzk_config_read(c, text, strlen(text), "f.toml", &err) != CUZK_OK) {
        fail_msg("%s", err.text);
    }
}

static void expect_fault(const char *text, const char *want) {
    config c;
    cuzk_error err;
    assert_int_equal(cuzk_config_read(&c, text, strlen(text), "f.toml", &err), CUZK_E_INPUT);
    if (strstr(err.text, want) == NULL) {
        fail_msg("\"%s\" does not contain \"%s\"", err.text, want);
    }
}

static void test_defaults(void **state) {
    (void)state;
    config c;
    unsetenv("FIL_PROOFS_PARAMETER_CACHE");
    read_good(&c, "");
    assert_string_equal(c.listen, "unix:///run/curio/cuzk.sock");
    assert_string_equal(c.status_listen, "");
    assert_int_equal(c.max_message_bytes, (256 << 20) + (64 << 10));
    assert_int_equal(c.socket_mode, 0660);
    assert_int_equal(c.drain_timeout_ns, 120 * NS_PER_S);
    assert_int_equal(c.receive_timeout_ns, 30 * NS_PER_S);
    assert_int_equal(c.total_budget, CONFIG_BUDGET_AUTO);
    assert_int_equal(c.safety_margin, 5 * GIB);
    assert_int_equal(c.eviction_min_idle_ns, 300 * NS_PER_S);
    assert_int_equal(c.gpu_devices.n, 0);
    assert_int_equal(c.gpu_workers_per_device, 2);
    assert_int_equal(c.max_batch_size, 1);
    assert_int_equal(c.max_batch_wait_ms, 10000);
    assert_true(c.sort_by_type);
    assert_int_equal(c.result_ttl_ns, 3600 * NS_PER_S);
    assert_int_equal(c.max_results, 4096);
    assert_true(c.pipeline_enabled);
    assert_int_equal(c.max_parallel_synthesis, 18);
    assert_int_equal(c.verify_retries, 2);
    assert_string_equal(c.param_cache, "/data/zk/params");
    assert_int_equal(c.keep_hot.n, 1);
    assert_string_equal(c.keep_hot.items[0], "winning-32g");
    assert_string_equal(c.tier, "auto");
    assert_true(c.verify_digest);
    assert_string_equal(c.log_level, "info");
    assert_string_equal(c.log_format, "text");
    assert_int_equal(c.n_warnings, 0);
    cuzk_config_clear(&c);
    assert_null(c.listen);
}

static void test_parameter_cache(void **state) {
    (void)state;
    config c;
    setenv("FIL_PROOFS_PARAMETER_CACHE", "/from/environment", 1);
    read_good(&c, "");
    assert_string_equal(c.param_cache, "/from/environment");
    cuzk_config_clear(&c);
    read_good(&c, "srs.param_cache = \"/from/file\"");
    assert_string_equal(c.param_cache, "/from/file");
    cuzk_config_clear(&c);
    unsetenv("FIL_PROOFS_PARAMETER_CACHE");
}

static void test_sizes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {
        {"\"50GiB\"", 50 * GIB},  {"\"  50  GiB \"", 50 * GIB},
        {"\"2TiB\"", 2048 * GIB}, {"\"7MiB\"", 7 << 20},
        {"\"3KiB\"", 3 << 10},    {"\"5GB\"", 5000000000},
        {"\"6MB\"", 6000000},     {"\"123\"", 123},
        {"4096", 4096},           {"\"auto\"", CONFIG_BUDGET_AUTO},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[100];
        config c;
        snprintf(text, sizeof text, "[memory]\ntotal_budget = %s\n", good[i].text);
        read_good(&c, text);
        assert_int_equal(c.total_budget, good[i].bytes);
        cuzk_config_clear(&c);
    }
    static const char *const bad[] = {
        "\"\"",      "\"GiB\"",    "\"fifty GiB\"", "\"50gib\"",      "\"50 G\"",
        "\"-1GiB\"", "\"1.5GiB\"", "\"50GiB x\"",   "\"9999999TiB\"", "\"99999999999999999999\"",
        "-1",        "0",          "\"0GiB\"",      "\"Auto\"",       "true",
        "1.5",       "[1]",        "1979-05-27",    "{a = 1}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "[memory]\ntotal_budget = %s\n", bad[i]);
        expect_fault(text, "f.toml:2:");
        expect_fault(text, ": memory.total_budget: ");
    }
    expect_fault("memory.safety_margin = \"auto\"", "memory.safety_margin: \"auto\" is not a size");
}

static void test_durations(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t ns;
    } good[] = {
        {"\"5m\"", 300 * NS_PER_S},
        {"\" 90 s \"", 90 * NS_PER_S},
        {"\"2h\"", 7200 * NS_PER_S},
        {"\"250ms\"", 250 * NS_PER_MS},
        {"\"30\"", 30 * NS_PER_S},
        {"30", 30 * NS_PER_S},
        {"0", 0},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[100];
        config c;
        snprintf(text, sizeof text, "memory.eviction_min_idle = %s", good[i].text);
        read_good(&c, text);
        assert_int_equal(c.eviction_min_idle_ns, good[i].ns);
        cuzk_config_clear(&c);
    }
    static const char *const bad[] = {"\"five minutes\"", "\"5 min\"", "\"5M\"",        "\"m\"",
                                      "\"1h30m\"",        "-1",        "\"-5m\"",       "1.5",
                                      "\"99999999999h\"", "false",     "99999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "memory.eviction_min_idle = %s", bad[i]);
        expect_fault(text, "f.toml:1:28: memory.eviction_min_idle: ");
    }
}

static void test_types(void **state) {
    (void)state;
    expect_fault("[daemon]\nlisten = 9820\n",
                 "f.toml:2:10: daemon.listen: want a string, not an integer");
    expect_fault("srs.tier = \"ram\"",
                 "srs.tier: \"ram\" is none of: auto resident mapped streamed");
    expect_fault("srs.verify_digest = 1", "srs.verify_digest: want a boolean");
    expect_fault("gpus.devices = 1", "gpus.devices: want an array, not an integer");
    expect_fault("gpus.devices = [0, \"1\"]", "f.toml:1:20: gpus.devices: want an integer");
    expect_fault("gpus.gpu_threads = \"32\"", "gpus.gpu_threads: want an integer, not a string");
    expect_fault("gpus.gpu_threads = -1", "gpus.gpu_threads: -1 is not from 0 to");
    expect_fault("scheduler.sort_by_type = 1", "scheduler.sort_by_type: want a boolean");
    expect_fault("daemon = 5", "daemon: want a table, not an integer");
    expect_fault("[[gpus]]\ndevices = []", "gpus: want a table, not an array");
    expect_fault("daemon.listen.x = 1", "daemon.listen: want a string, not a table");
    expect_fault("srs.keep_hot = [\"winning-32g\", 3]", "srs.keep_hot: want a string");
    expect_fault("daemon.socket_mode = \"rw-rw----\"", "daemon.socket_mode: \"rw-rw----\"");
    expect_fault("daemon.socket_mode = \"4755\"", "daemon.socket_mode: \"4755\"");
    expect_fault("logging.format = \"xml\"", "logging.format: \"xml\" is none of: text json");
    expect_fault("logging.format = \"text json\"", "logging.format: ");
    expect_fault("logging.format = \"\"", "logging.format: ");
    expect_fault("daemon.tls_cert = \"a.pem\"", "daemon.tls_cert and daemon.tls_key");
    expect_fault("daemon.tls_client_ca = \"a.pem\"", "daemon.tls_client_ca needs");
    expect_fault("daemon.listen = \"a\\u0000b\"", "f.toml:1:17: a zero byte");
    expect_fault("[daemon]\nlisten = \"a\nb\"\n", "f.toml:2:");
    expect_fault("[daemon]\nlisten = \"a\"\nlisten = \"b\"\n", "f.toml:3:");
    expect_fault("= 1", "f.toml:1:1: ");
    expect_fault("[!srs]\n", "f.toml:1:2: ");
    expect_fault("[[\xe9]]\n", "f.toml:1:");
    expect_fault("daem\xef\xbb\xbe = 1\n", "f.toml:1:");
}

static void test_unknown(void **state) {
    (void)state;
    config c;
    read_good(&c, "[daemon]\nlisten_on = \"x\"\n[gpus.affinity]\na = 1\nb.c = 2\n"
                  "[[sectors]]\nsize = 3\n[gpus]\ngpu_thread = 4\n");
    assert_int_equal(c.n_warnings, 4);
    assert_string_equal(c.warnings[0], "f.toml:2: unknown key daemon.listen_on is ignored; the "
                                       "nearest known key is daemon.listen");
    assert_non_null(strstr(c.warnings[1], "unknown table gpus.affinity is ignored"));
    assert_non_null(strstr(c.warnings[2], "unknown key sectors is ignored"));
    assert_non_null(strstr(c.warnings[3], "the nearest known key is gpus.gpu_threads"));
    cuzk_config_clear(&c);

    char text[1 << 14];
    size_t n = 0;
    for (int i = 0; i < 500; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "\"k %d\" = %d\n", i, i);
    }
    read_good(&c, text);
    assert_int_equal(c.n_warnings, CONFIG_WARNINGS_MAX);
    assert_non_null(strstr(c.warnings[0], "unknown key \"k 0\" is"));
    assert_string_equal(c.warnings[CONFIG_WARNINGS_MAX - 1],
                        "f.toml: more unknown keys are ignored");
    cuzk_config_clear(&c);
}

/* What Curio's operators were told to write. */
static void test_published_example(void **state) {
    (void)state;
    size_t len;
    char *text =
        (char *)test_read_file(CUZK_SOURCE_DIR "/tests/fuzz/corpus/config/curio.toml", &len);
    config c;
    cuzk_error err;
    assert_int_equal(cuzk_config_read(&c, text, len, "cuzk.toml", &err), CUZK_OK);
    assert_string_equal(c.listen, "127.0.0.1:9820");
    assert_string_equal(c.param_cache, "/var/tmp/filecoin-proof-parameters");
    assert_int_equal(c.n_warnings, 2);
    assert_non_null(strstr(c.warnings[0], "srs.preload is deprecated and has no effect"));
    assert_non_null(
        strstr(c.warnings[1], "synthesis.partition_workers is deprecated and has no effect"));
    cuzk_config_clear(&c);
    free(text);
}

static void test_written_reads_back(void **state) {
    (void)state;
    config c, again;
    cuzk_error err;
    char *text, *second;
    size_t len, second_len;
    read_good(&c, "daemon.listen = \"a \\\"quoted\\\" \\t \\u00e9\"\ndaemon.socket_mode = \"7\"\n"
                  "memory.total_budget = 5000000001\nmemory.safety_margin = 0\n"
                  "memory.eviction_min_idle = \"1500ms\"\ngpus.devices = [3, 1]\n"
                  "srs.keep_hot = [\"a\", \"b\"]\nscheduler.sort_by_type = false\n");
    assert_int_equal(cuzk_config_text(&text, &len, &c, &err), CUZK_OK);
    assert_int_equal(cuzk_config_read(&again, text, len, "written", &err), CUZK_OK);
    assert_int_equal(again.n_warnings, 0);
    assert_string_equal(again.listen, c.listen);
    assert_int_equal(again.socket_mode, 7);
    assert_int_equal(again.total_budget, 5000000001);
    assert_int_equal(again.safety_margin, 0);
    assert_int_equal(again.eviction_min_idle_ns, 1500 * NS_PER_MS);
    assert_int_equal(again.gpu_devices.n, 2);
    assert_int_equal(again.gpu_devices.items[0], 3);
    assert_int_equal(again.keep_hot.n, 2);
    assert_string_equal(again.keep_hot.items[1], "b");
    assert_false(again.sort_by_type);
    assert_int_equal(cuzk_config_text(&second, &second_len, &again, &err), CUZK_OK);
    assert_string_equal(second, text);
    free(text);
    free(second);
    cuzk_config_clear(&c);
    cuzk_config_clear(&again);
}

static void test_files(void **state) {
    (void)state;
    config c;
    cuzk_error err;
    bool found;
    assert_int_equal(cuzk_config_load(&c, &found, "/nonexistent/cuzk.toml", &err), CUZK_OK);
    assert_false(found);
    cuzk_config_clear(&c);
    assert_int_equal(cuzk_config_load(&c, &found, "/", &err), CUZK_E_IO);
}

/* The manual has every key, with its default and what it means. */
static void test_manual(void **state) {
    (void)state;
    size_t len;
    char *text = (char *)test_read_file(CUZK_SOURCE_DIR "/docs/operate.md", &len);
    for (size_t i = 0; i < cuzk_config_n_keys; i++) {
        char row[600];
        snprintf(row, sizeof row, "| `%s` | `%s` | %s |\n", cuzk_config_keys[i].name,
                 cuzk_config_keys[i].standard, cuzk_config_keys[i].meaning);
        if (strstr(text, row) == NULL) {
            fail_msg("docs/operate.md has no row %s", row);
        }
    }
    for (size_t i = 0; cuzk_config_deprecated[i] != NULL; i++) {
        assert_non_null(strstr(text, cuzk_config_deprecated[i]));
    }
    free(text);
}

/* Depth and size of a document are bounded. */
static void test_limits(void **state) {
    (void)state;
    enum { BIG = 1 << 19 };
    char *text = malloc(BIG + 1);
    assert_non_null(text);
    for (size_t i = 0; i < BIG; i++) {
        text[i] = i % 2 == 0 ? 'a' : '.';
    }
    text[BIG] = 0;
    expect_fault(text, "larger than");
    text[1 << 16] = 0;
    expect_fault(text, "dots in names");
    text[600] = 'a';
    strcpy(text + 601, " = 1");
    expect_fault(text, "f.toml:1:");
    memset(text, '[', 1000);
    memcpy(text, "x = ", 4);
    text[1000] = 0;
    expect_fault(text, "f.toml:1:");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_parameter_cache),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_published_example),
        cmocka_unit_test(test_written_reads_back),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

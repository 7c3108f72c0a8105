/* LABELS: slow
 * Update circuits of every other sector size: sizes, densities and digests of circuits.md 5.5. A
 * big one takes a minute; name some as arguments to run only these. */
#include "support/update_support.h"

static const update_row rows[] = {
    {CIRCUIT_UPDATE,
     "4k",
     2155229,
     564063,
     22,
     {"Update 4KiB", 2165109, 2163189, 5,
      "ec26a8b7d5c248e9f958fdf76a30fed2c27802e1786e6e9bc8fe02796e6a98f3"}},
    {CIRCUIT_UPDATE,
     "8k",
     2609689,
     680063,
     22,
     {"Update 8KiB", 2620359, 2618009, 5,
      "eec9a4e731edafe069668d6a2041d1c8b4a3164d5465f1af2f5bd2867eac3fcb"}},
    {CIRCUIT_UPDATE,
     "16k",
     6284882,
     1613422,
     23,
     {"Update 16KiB", 6300021, 6293944, 5,
      "95a1d46c7000ac6634072da5fa76d2c6faf4f399e8e2b25bd2c2266913c1ddaa"}},
    {CIRCUIT_UPDATE,
     "32k",
     6742922,
     1733082,
     23,
     {"Update 32KiB", 6760091, 6753564, 5,
      "6a4de18617ff15850d2f183cfd81a8ff7b06a84855cd425e1f85ff838ac6a215"}},
    {CIRCUIT_UPDATE,
     "8m",
     9981015,
     2567921,
     24,
     {"Update 8MiB", 10007503, 9998039, 5,
      "ee2b98435ff8e35305acee8e08f1428bf5d19dd1164174a356e150c11df28ae4"}},
    {CIRCUIT_UPDATE,
     "16m",
     10439055,
     2687581,
     24,
     {"Update 16MiB", 10467573, 10457659, 5,
      "ab5a6323b917d1d7d733b642b8489517cf22136a4c7b74f1730a61d768aad0bf"}},
    {CIRCUIT_UPDATE,
     "512m",
     57212317,
     14916879,
     26,
     {"Update 512MiB", 57450479, 57401314, 5,
      "d9f9e8c5646d12ad5a07ce7967df4e19fd998a0439a3eb1585baf51559b24751"}},
    {CIRCUIT_UPDATE,
     "32g",
     80743581,
     20983607,
     27,
     {"Update 32GiB", 81049499, 80978488, 5,
      "ed11b3af5ba3ae6e1e9e56122c31c51507edb6516c97baf1893a97da69517634"}},
    {CIRCUIT_UPDATE,
     "64g",
     84682725,
     22012683,
     27,
     {"Update 64GiB", 85006101, 84931220, 5,
      "8854cef703f930ed25d91a7e818524f3e4c67bb2393ba3c70fbfb0b1572c96af"}},
    {CIRCUIT_UPDATE_POSEIDON,
     "32g",
     17104392,
     16340709,
     25,
     {"Poseidon variant 32GiB", 22305906, 22593319, 5,
      "2f19365f3f926e9920e11bfb4e989ca7dbf97c5cded50984811afc5c6a3002a5"}},
    {CIRCUIT_UPDATE_POSEIDON,
     "64g",
     18078600,
     17306661,
     25,
     {"Poseidon variant 64GiB", 23597970, 23889511, 5,
      "7a41d9642d88d105e184801900a55286114c5bfef5fccc2346bc242a7f4577fd"}},
};
#define N_ROWS (sizeof rows / sizeof rows[0])

static void test_row(void **state) { test_update_row(*state); }

int main(int argc, char **argv) {
    struct CMUnitTest tests[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++) {
        tests[i] = (struct CMUnitTest){
            .name = rows[i].row.name, .test_func = test_row, .initial_state = (void *)&rows[i]};
    }
    return test_run_named("update", tests, N_ROWS, argc, argv);
}

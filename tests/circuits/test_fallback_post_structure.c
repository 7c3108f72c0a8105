/* PoSt circuits without values: sizes, densities and digests of circuits.md 4.5. */
#include "support/post_support.h"

static const post_row rows[] = {
    {69300,
     66792,
     17,
     {"winning-2k", 90750, 91674, 133,
      "ce8079a9875ac8fafc46902e0e2368fa997e7f2ffb2065d2666ef92bc3ca2f67"}},
    {84942,
     82302,
     17,
     {"winning-4k", 111474, 112464, 133,
      "99c86f50417ffd8739082ed4e96d3c5d646eaa3606dbe12f62064930e7825dfc"}},
    {96162,
     92466,
     17,
     {"winning-16k", 125730, 127116, 133,
      "bbcd05c49637e40d00663680b64fcfd48c41c42e3f2925e5ea175006d90c2daa"}},
    {111804,
     107976,
     18,
     {"winning-32k", 146454, 147906, 133,
      "28a7a8c594184b93609dadbd879c8771634ee56a4683b597ec5364c910de0a6a"}},
    {176748,
     169488,
     18,
     {"winning-8m", 230670, 233442, 133,
      "f76fd7ab1915553c8dbffbd06ef73bc77119d7b4e2e129534256b9abd952d38e"}},
    {192390,
     184998,
     18,
     {"winning-16m", 251394, 254232, 133,
      "eb2fa2c64119ed32fb9ba8fee98b9942f278bf76f510623b841b3beb48255868"}},
    {230472,
     220836,
     19,
     {"winning-512m", 300630, 304326, 133,
      "1edcd1f497a9d12871d3f692ec90c670d9f837b3e37c31958dbf2ea239c021df"}},
    {246114,
     236346,
     19,
     {"winning-1g", 321354, 325116, 133,
      "8025545c76dc920fd2aa522dfb2589d031d1a9162786446f30a90f7e08da369a"}},
    {284196,
     272184,
     19,
     {"winning-32g", 370590, 375210, 133,
      "f65cddbca7106bac1a8b92148badb4d96f488d56c233bd59b0d0a6919445cf4f"}},
    {299838,
     287694,
     19,
     {"winning-64g", 391314, 396000, 133,
      "280879cc466ac3a629e7369617c7f774b28b9e39d39bcf56b896ff72d2481107"}},
    {16770,
     16028,
     15,
     {"wpost-2k", 21866, 22128, 23,
      "14279e1c38053fa35eab6f56dbf1c5ef337b533f2c42fd3d7b4e7a116796b331"}},
    {21510,
     20728,
     15,
     {"wpost-4k", 28146, 28428, 23,
      "5b7fa4aca3b7ea9abd3c67ccb313ad3a79fe423ec5eabfb2731ee671f6d4fa46"}},
    {24910,
     23808,
     15,
     {"wpost-16k", 32466, 32868, 23,
      "f107e04651b668b96f7337f7867f43c94e1e795cdc5f4eb586600f6a987abbab"}},
    {29650,
     28508,
     16,
     {"wpost-32k", 38746, 39168, 23,
      "a5355fd4db825440d37d7290f1c3242934a1dc30ff6035b1e2929333a17ce90b"}},
    {49330,
     47148,
     16,
     {"wpost-8m", 64266, 65088, 23,
      "ee6185d4d0e58fb6f56f11ebc105ec7a08829c99bbf18b91634e40d07abaee6f"}},
    {54070,
     51848,
     17,
     {"wpost-16m", 70546, 71388, 23,
      "5d36865b303139eae5c25b0e7c357bb603cd0466353d171d0f1df04d6b7d55ae"}},
    {65610,
     62708,
     17,
     {"wpost-512m", 85466, 86568, 23,
      "24ea17320d86130abde49b4eff2f6df38d8806b99018c5c2ac68930d951325c6"}},
    {70350,
     67408,
     17,
     {"wpost-1g", 91746, 92868, 23,
      "32284a17f9e7b7af306c147f57c5066c4a537da9cea4cb613885f39815dbea48"}},
    {12930,
     12372,
     15,
     {"wpost-test-8-0-0-3x5", 16869, 17067, 19,
      "aabc663ba989f3613ad4d3f9a623ea354ad306dc951d848e57e4bdcd9096675c"}},
    {8620,
     8248,
     14,
     {"wpost-test-8-0-0-2x5", 11246, 11378, 13,
      "eb4032cb850e60a7782553d3a9431eb10f5b718c0c7450cf1eb0a1db9db97c73"}},
    {17355,
     16677,
     15,
     {"wpost-test-8-4-0-3x5", 22674, 22917, 19,
      "07af760cb42b557f0a8db088081c672c6bc40d091804130de322a982d2d0ddcc"}},
    {20910,
     20202,
     15,
     {"wpost-test-8-4-2-3x5", 27384, 27642, 19,
      "1eb841edd9d456958e19edc409325f3851824527ca2153594ff6e3eda5a64800"}},
    {204725,
     195670,
     19,
     {"wpost-test-8-0-0-5x10", 266665, 270120, 56,
      "21612c68b85a21112f5d7d878f7c4ce2670c3c6f54aab0eb60d691af1c4a9032"}},
};

static void test_circuits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_post_row(&rows[i]);
    }
}

static void test_shapes_refused(void **state) {
    (void)state;
    const post_shape good = {
        .log2_nodes = 6, .tree = {8, 0, 0, 2}, .n_sectors = 2, .n_challenges = 10};
    fallback_post circuit;
    assert_int_equal(cuzk_fallback_post_init(&circuit, &good, NULL, 0, 0, NULL), CUZK_OK);
    post_shape bad[7];
    for (int i = 0; i < 7; i++) {
        bad[i] = good;
    }
    bad[0].n_sectors = 0;
    bad[1].n_challenges = 0;
    bad[2].log2_nodes++;
    bad[3].tree.base = 16;
    bad[4].tree.n_base_levels = UINT32_MAX;
    bad[5].tree.top = 3;
    bad[6].tree.sub = 2;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(cuzk_fallback_post_init(&circuit, &bad[i], NULL, 0, 0, NULL),
                         CUZK_E_RANGE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuits),
        cmocka_unit_test(test_shapes_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

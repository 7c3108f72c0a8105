/* Every gadget as a system of its own: sizes and digest of circuits.md 8.2, and a witness that its
 * combinations accept. */
#include "support/circuit_support.h"

#include "base/bytes.h"

#include "gadgets/insertion.h"
#include "gadgets/merkle_gadget.h"
#include "gadgets/poseidon_gadget.h"
#include "gadgets/sha256_gadget.h"
#include "gadgets/uint64.h"
#include "hash/sha256.h"

typedef void (*gadget_fn)(r1cs_cs *cs, test_rng *rng);

/* ---- what the gadgets are applied to ---- */

static bool random_bit(test_rng *rng) { return test_rng_u64(rng) >> 63; }

static num a_num(r1cs_cs *cs, test_rng *rng) {
    fr_plain value;
    test_rng_fr_plain(&value, rng);
    return num_alloc(cs, &value);
}
static void nums(r1cs_cs *cs, test_rng *rng, num *out, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        out[i] = a_num(cs, rng);
    }
}
static void bits(r1cs_cs *cs, test_rng *rng, cs_bit *out, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        out[i] = cuzk_bit_alloc(cs, random_bit(rng));
    }
}
static void booleans(r1cs_cs *cs, test_rng *rng, boolean *out, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        out[i] = boolean_of(cuzk_bit_alloc(cs, random_bit(rng)));
    }
}
/* n words of 32 bits, allocated least significant first. */
static void words(r1cs_cs *cs, test_rng *rng, word32 *out, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        uint32_t value = (uint32_t)test_rng_u64(rng);
        cuzk_word32_of_bits(cs, &out[i], 32, cuzk_cs_booleans(cs, 32, value), value);
    }
}
/* Bits in the order of a message. */
static void message_words(r1cs_cs *cs, test_rng *rng, word32 *out, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        word32 word;
        words(cs, rng, &word, 1);
        cuzk_word32_reverse_bits(cs, &out[i], &word);
    }
}

/* ---- gadgets ---- */

static void bit_alloc(r1cs_cs *cs, test_rng *rng) { cuzk_bit_alloc(cs, random_bit(rng)); }

static void bit_xor(r1cs_cs *cs, test_rng *rng) {
    boolean b[2];
    booleans(cs, rng, b, 2);
    cuzk_boolean_xor(cs, b[0], b[1]);
}
static void bit_and(r1cs_cs *cs, test_rng *rng) {
    cs_bit b[2];
    bits(cs, rng, b, 2);
    cuzk_bit_and(cs, b[0], b[1]);
}
static void bit_and_not(r1cs_cs *cs, test_rng *rng) {
    boolean b[2];
    booleans(cs, rng, b, 2);
    cuzk_boolean_and(cs, b[0], boolean_not(b[1]));
}
static void bit_nor(r1cs_cs *cs, test_rng *rng) {
    cs_bit b[2];
    bits(cs, rng, b, 2);
    cuzk_bit_nor(cs, b[0], b[1]);
}
static void boolean_xor_not(r1cs_cs *cs, test_rng *rng) {
    boolean b[2];
    booleans(cs, rng, b, 2);
    cuzk_boolean_xor(cs, boolean_not(b[0]), b[1]);
}
static void boolean_and_not(r1cs_cs *cs, test_rng *rng) {
    boolean b[2];
    booleans(cs, rng, b, 2);
    cuzk_boolean_and(cs, boolean_not(b[0]), b[1]);
}
static void boolean_choose(r1cs_cs *cs, test_rng *rng) {
    boolean b[3];
    booleans(cs, rng, b, 3);
    cuzk_boolean_choose(cs, b[0], b[1], b[2]);
}
static void boolean_majority(r1cs_cs *cs, test_rng *rng) {
    boolean b[3];
    booleans(cs, rng, b, 3);
    cuzk_boolean_majority(cs, b[0], b[1], b[2]);
}
static void num_inputize(r1cs_cs *cs, test_rng *rng) {
    num x = a_num(cs, rng);
    cuzk_num_inputize(cs, &x);
}
static void num_to_bits(r1cs_cs *cs, test_rng *rng) {
    num x = a_num(cs, rng);
    word32 out[8];
    cuzk_num_to_bits(cs, out, &x);
}
static void num_to_bits_strict(r1cs_cs *cs, test_rng *rng) {
    num x = a_num(cs, rng);
    cs_bit out[NUM_BITS];
    cuzk_num_to_bits_strict(cs, out, &x);
}
static void num_mul(r1cs_cs *cs, test_rng *rng) {
    num x[2];
    nums(cs, rng, x, 2);
    cuzk_num_mul(cs, &x[0], &x[1]);
}
static void num_square(r1cs_cs *cs, test_rng *rng) {
    num x = a_num(cs, rng);
    cuzk_num_square(cs, &x);
}
static void num_reverse(r1cs_cs *cs, test_rng *rng) {
    num x[2], first, second;
    cs_bit cond;
    nums(cs, rng, x, 2);
    bits(cs, rng, &cond, 1);
    cuzk_num_conditionally_reverse(cs, &first, &second, &x[0], &x[1], cond);
}
static void pack_254(r1cs_cs *cs, test_rng *rng) {
    boolean b[254];
    booleans(cs, rng, b, 254);
    cuzk_pack_bits(cs, b, 254);
}
static void pack_inputs_300(r1cs_cs *cs, test_rng *rng) {
    boolean b[300];
    booleans(cs, rng, b, 300);
    cuzk_pack_into_inputs(cs, b, 300);
}
static void uint64_input(r1cs_cs *cs, test_rng *rng) {
    uint64_gadget x;
    cuzk_uint64_alloc(cs, &x, test_rng_u64(rng));
    cuzk_uint64_pack_into_input(cs, &x);
}

static void insert(r1cs_cs *cs, test_rng *rng, unsigned n, unsigned n_bits) {
    num x = a_num(cs, rng), siblings[7], out[8];
    cs_bit b[3];
    nums(cs, rng, siblings, n - 1);
    bits(cs, rng, b, n_bits);
    cuzk_insert(cs, out, &x, b, siblings, n);
    if (cs->want_values) {
        unsigned at =
            b[0].value + (n_bits > 1 ? 2u * b[1].value : 0) + (n_bits > 2 ? 4u * b[2].value : 0);
        for (unsigned i = 0; i < n; i++) {
            const num *expected = i == at ? &x : &siblings[i < at ? i : i - 1];
            assert_memory_equal(&out[i].value, &expected->value, sizeof x.value);
        }
    }
}
static void insert_2(r1cs_cs *cs, test_rng *rng) { insert(cs, rng, 2, 1); }
static void insert_4(r1cs_cs *cs, test_rng *rng) { insert(cs, rng, 4, 2); }
static void insert_8(r1cs_cs *cs, test_rng *rng) { insert(cs, rng, 8, 3); }

static void select_8(r1cs_cs *cs, test_rng *rng) {
    num x[8];
    cs_bit b[3];
    nums(cs, rng, x, 8);
    bits(cs, rng, b, 3);
    num out = cuzk_select(cs, x, b, 3);
    if (cs->want_values) {
        unsigned at = b[0].value + 2u * b[1].value + 4u * b[2].value;
        assert_memory_equal(&out.value, &x[at].value, sizeof out.value);
    }
}
static void encode(r1cs_cs *cs, test_rng *rng) {
    num x[2];
    nums(cs, rng, x, 2);
    cuzk_num_add(cs, &x[0], &x[1]);
}

static void poseidon(r1cs_cs *cs, test_rng *rng, poseidon_kind kind) {
    num x[POSEIDON_MAX_WIDTH];
    unsigned arity = cuzk_poseidon_constants(kind)->arity;
    nums(cs, rng, x, arity);
    num out = cuzk_poseidon_gadget(cs, kind, x);
    if (cs->want_values) {
        fr in[POSEIDON_MAX_WIDTH], hash;
        for (unsigned i = 0; i < arity; i++) {
            fr_from_plain(&in[i], &x[i].value);
        }
        cuzk_poseidon_reference(&hash, kind, in);
        fr_plain expected;
        fr_to_plain(&expected, &hash);
        assert_memory_equal(&out.value, &expected, sizeof expected);
    }
}
static void poseidon_2(r1cs_cs *cs, test_rng *rng) { poseidon(cs, rng, POSEIDON_2); }
static void poseidon_4(r1cs_cs *cs, test_rng *rng) { poseidon(cs, rng, POSEIDON_4); }
static void poseidon_8(r1cs_cs *cs, test_rng *rng) { poseidon(cs, rng, POSEIDON_8); }
static void poseidon_11(r1cs_cs *cs, test_rng *rng) { poseidon(cs, rng, POSEIDON_11); }
static void poseidon_gen_2(r1cs_cs *cs, test_rng *rng) { poseidon(cs, rng, POSEIDON_GEN_2); }

static void operands_of(const word32 **operands, const word32 *w, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        operands[i] = &w[i];
    }
}
static void sha256_512(r1cs_cs *cs, test_rng *rng) {
    word32 w[16], digest[8];
    const word32 *operands[16];
    message_words(cs, rng, w, 16);
    operands_of(operands, w, 16);
    cuzk_sha256_gadget(cs, digest, operands, 16);
    if (cs->want_values) {
        uint8_t message[64], expected[32], found[32];
        for (unsigned i = 0; i < 16; i++) {
            store_be32(message + 4 * i, w[i].value);
        }
        cuzk_sha256(expected, message, sizeof message);
        for (unsigned i = 0; i < 8; i++) {
            store_be32(found + 4 * i, digest[i].value);
        }
        assert_memory_equal(found, expected, sizeof expected);
    }
}
static void sha256_block(r1cs_cs *cs, test_rng *rng) {
    word32 w[16], digest[8];
    const word32 *operands[16];
    message_words(cs, rng, w, 16);
    operands_of(operands, w, 16);
    cuzk_sha256_gadget_block(cs, digest, operands);
}
static void sha256_nums(r1cs_cs *cs, test_rng *rng) {
    num x[2];
    nums(cs, rng, x, 2);
    cuzk_tree_hash(cs, TREE_SHA256, x, 2);
}
static void sha256_bits(r1cs_cs *cs, test_rng *rng) {
    word32 w[16];
    words(cs, rng, w, 16);
    cuzk_tree_hash_bits(cs, w, w + 8);
}

/* ---- paths ---- */

/* Base levels for 64 leaves, then one level for each further arity; value and root come as values.
 */
static void por(r1cs_cs *cs, test_rng *rng, tree_hash hash, unsigned base, unsigned sub,
                unsigned top, bool private) {
    merkle_shape shape = {.hash = hash};
    for (unsigned leaves = 1; leaves < 64; leaves *= base) {
        shape.arity[shape.n_levels++] = (uint8_t)base;
    }
    if (sub > 0) {
        shape.arity[shape.n_levels++] = (uint8_t)sub;
    }
    if (top > 0) {
        shape.arity[shape.n_levels++] = (uint8_t)top;
    }
    uint8_t position[8], siblings[8 * 7 * 32];
    unsigned n_siblings = 0;
    for (unsigned i = 0; i < shape.n_levels; i++) {
        position[i] = (uint8_t)(test_rng_u64(rng) % shape.arity[i]);
        for (unsigned k = 1; k < shape.arity[i]; k++) {
            fr_plain v;
            test_rng_fr_plain(&v, rng);
            cuzk_fr_plain_write_le(siblings + 32 * n_siblings++, &v);
        }
    }
    const merkle_path path = {.position = position, .siblings = siblings}, blank = {0};
    num value = a_num(cs, rng);
    num computed = cuzk_merkle_climb(cs, &shape, cs->want_values ? &path : &blank, &value);
    num root = num_alloc(cs, &computed.value);
    cuzk_num_equal(cs, &computed, &root);
    if (!private) {
        cuzk_num_inputize(cs, &root);
    }
}
#define POR(name, hash, base, sub, top, private)                                                   \
    static void name(r1cs_cs *cs, test_rng *rng) { por(cs, rng, hash, base, sub, top, private); }
POR(por_2_private, TREE_POSEIDON, 2, 0, 0, true)
POR(por_4_private, TREE_POSEIDON, 4, 0, 0, true)
POR(por_8_private, TREE_POSEIDON, 8, 0, 0, true)
POR(por_2, TREE_POSEIDON, 2, 0, 0, false)
POR(por_4, TREE_POSEIDON, 4, 0, 0, false)
POR(por_8, TREE_POSEIDON, 8, 0, 0, false)
POR(por_8_2, TREE_POSEIDON, 8, 2, 0, false)
POR(por_8_4_2, TREE_POSEIDON, 8, 4, 2, false)
POR(por_8_8, TREE_POSEIDON, 8, 8, 0, false)
POR(por_8_8_2, TREE_POSEIDON, 8, 8, 2, false)
POR(por_8_2_4, TREE_POSEIDON, 8, 2, 4, false)
POR(por_sha_2, TREE_SHA256, 2, 0, 0, false)
POR(por_sha_4, TREE_SHA256, 4, 0, 0, false)
POR(por_sha_8, TREE_SHA256, 8, 0, 0, false)

/* ---- the table ---- */

typedef struct gadget_row {
    gadget_fn fn;
    circuit_row row;
} gadget_row;

static const gadget_row table[] = {
    {bit_alloc,
     {"AllocatedBit.alloc", 1, 1, 1,
      "98d0daed948fd105b316b92d3bf903dd814f4f6d765d62d1e26c596ebd48e141"}},
    {bit_xor,
     {"xor(b0,b1)", 3, 3, 1, "e430b83d25edf4f65eafbf17a49585b6259298fe7f8abf55e02577c3c22aa5bb"}},
    {bit_and,
     {"and(b0,b1)", 3, 3, 1, "fe7ea60f0d9d43ebb809d1eea937a5e3db631ced98dd57760183d58862ce88f9"}},
    {bit_and_not,
     {"and_not(b0,b1)", 3, 3, 1,
      "63800aeeaa1b9b13fa2f82ff56feec39b9e68e3a3332d3e45e580e37c09ad37a"}},
    {bit_nor,
     {"nor(b0,b1)", 3, 3, 1, "9a7ed77ccf2cd97a4ac397511b09ae98fe35264ca504189d90340096638d2893"}},
    {boolean_xor_not,
     {"Boolean::xor(Not b0, Is b1)", 3, 3, 1,
      "b5f6e0dbf36eb0a65af2b5b4261f3e249f8841da170e07cfa1fc8a61367f4943"}},
    {boolean_and_not,
     {"Boolean::and(Not b0, Is b1)", 3, 3, 1,
      "7c7f09444c3dc3f44903633debabc09c6da4d08685b614f57316bbc89212912c"}},
    {boolean_choose,
     {"sha256_ch(b0,b1,b2)", 4, 4, 1,
      "345433e1b2d450193a9a6cdfbf5d05b8b1b3a88478cc6839f5d4b2940452e127"}},
    {boolean_majority,
     {"sha256_maj(b0,b1,b2)", 5, 5, 1,
      "c6ffbfab539c068e45801c52b12294c3b931bb71987ac42f603db42d5fb48351"}},
    {num_inputize,
     {"1 num, inputize", 1, 1, 2,
      "9a80349396358224199986b5125f236bdb36314cf4afaf88d292562bb637f8f9"}},
    {num_to_bits,
     {"1 num, to_bits_le", 256, 256, 1,
      "fe8f60dff8688ec7c39a8ebb4750cc381c306c9f430d43e0fcf0ca5a23025477"}},
    {num_to_bits_strict,
     {"1 num, to_bits_le_strict", 388, 388, 1,
      "cab777ba3bc05615d11c5753689206f2dda4a032e308fff584a43514a8053303"}},
    {num_mul,
     {"2 nums, mul", 1, 3, 1, "85b87cd6cd6b828612bccc9d4a2dad373914e8c9ed53925bcac9e7ad58701975"}},
    {num_square,
     {"1 num, square", 1, 2, 1,
      "ad7ad3ff72a37be8bafe33ff9ac897f3a8fe43c246b06f032209c0c04994f06a"}},
    {num_reverse,
     {"2 nums, 1 bit: conditionally_reverse", 3, 5, 1,
      "689a1f94d5942cbaf0724fb73159bcfa4126c1a34bfff9150d1198cbf2f801bd"}},
    {pack_254,
     {"254 bits, pack_bits", 255, 255, 1,
      "9056344275730c0854dfe43326bc7bb4039a8963f3e15e12c77a2f4dd27a6790"}},
    {pack_inputs_300,
     {"300 bits, pack_into_inputs", 302, 300, 3,
      "eb5c5885192eeac7598afd7dae124c8f65e2fc606b868a4a99ae0fdd4f9f6aa5"}},
    {uint64_input,
     {"UInt64.alloc, pack_into_input", 65, 64, 2,
      "0e7238471f4402dc32ca8354d8439889c3433f14c5130cce08f4f3a2a2b00e70"}},
    {insert_2,
     {"num x, 1 num, 1 bit: insert", 3, 5, 1,
      "689a1f94d5942cbaf0724fb73159bcfa4126c1a34bfff9150d1198cbf2f801bd"}},
    {insert_4,
     {"num x, 3 nums, 2 bits: insert", 10, 14, 1,
      "a52b98e300a673fb226a77ec8494450a25c4d8aad34fe5b8ddce7511eb48c996"}},
    {insert_8,
     {"num x, 7 nums, 3 bits: insert", 25, 33, 1,
      "5c118dc22a1056883524d84d359583239f4aacd0560ded4acd9f79be545bb310"}},
    {select_8,
     {"8 nums, 3 bits: select", 10, 18, 1,
      "947ef30b1c67bfdbbabf8c7f14efcbb1f4d43a41877d4ab403f8eb925d186587"}},
    {encode,
     {"nums key, value: encode", 1, 3, 1,
      "569cd1e3504c51153e6da36c1f60623b9ffe92ac6e7e30e4c593241b0336a04f"}},
    {poseidon_2,
     {"2 nums, legacy Poseidon arity 2", 311, 313, 1,
      "658f013f99360e164ad8e7f96290944601cc064f93c153d9ea7ac1275927175f"}},
    {poseidon_4,
     {"4 nums, arity 4", 377, 381, 1,
      "2360602a7c4555d454b46891236273f4ae308090bc916fdcef1fb81d00ebbe70"}},
    {poseidon_8,
     {"8 nums, arity 8", 505, 513, 1,
      "ab50aeda63344f7125999ef5c4af7777380b9015ec82ad48bac2213e9353b163"}},
    {poseidon_11,
     {"11 nums, arity 11", 598, 609, 1,
      "e94a28106cbb9a718e525f0f2593ce3b138350047854ebcc3c83472ed482a6f6"}},
    {poseidon_gen_2,
     {"2 nums, PoseidonGen2", 311, 313, 1,
      "9675551c881122d99caf9a20a4bf87878e1863c432265a33e98e1c1a74e246a8"}},
    {sha256_512,
     {"512 bits, sha256", 45386, 45340, 1,
      "39b920088193af138e8d3494179b1d9a20442bb23e28e65028b068c6a9e48771"}},
    {sha256_block,
     {"512 bits, sha256_block_no_padding", 26352, 26326, 1,
      "a91be46c89fe4cb18f85d99956bf9b1afe0a96d1b6c960a30d4e9dcafcf501ba"}},
    {sha256_nums,
     {"2 nums, SHA-256 hash2_circuit (= hash_multi_leaf of 2)", 45379, 45333, 1,
      "17fd4b5ddd5b8fe8759308f1b1b019e3a9e00d179d227b5e64580e48a233b91e"}},
    {sha256_bits,
     {"256 + 256 bits, hash_leaf_bits_circuit", 45387, 45341, 1,
      "42ff364259acdda790e86a380689f71d04741cc09f2f4a7192e1c1c3f36dd176"}},
    {por_2_private,
     {"PoR 2-0-0 private root, value and root given as values, 64 leaves per base tree", 1886, 1892,
      2, "50591f837498dec42fd5f021c2ef48eaa3ab858a3aae9dbf522abae3b31d29a8"}},
    {por_4_private,
     {"PoR 4-0-0 private root, value and root given as values, 64 leaves per base tree", 1163, 1172,
      2, "2e0954a592b49c6cd0ce01f7a0ee913cddcc0fb964c7490bfb14a2c9511f0764"}},
    {por_8_private,
     {"PoR 8-0-0 private root, value and root given as values, 64 leaves per base tree", 1062, 1076,
      2, "a87d5c076c5882911c7073da19dba3a6bc1cfb7bd107afae8a18337734146519"}},
    {por_2,
     {"PoR 2-0-0 public root, value and root given as values, 64 leaves per base tree", 1887, 1892,
      3, "e4a6b97ab322b5265befdbededdd16353db058e22cd88a9a9960f0f32efb95e9"}},
    {por_4,
     {"PoR 4-0-0 public root, value and root given as values, 64 leaves per base tree", 1164, 1172,
      3, "ec45a446c4037ab2077accf70eff6ac48a5beba219648491be3e67a3f4b0c68c"}},
    {por_8,
     {"PoR 8-0-0 public root, value and root given as values, 64 leaves per base tree", 1063, 1076,
      3, "3bd8cb4719e1ce8b020c078159a77bd5cf9d8eca04ed094eaca290c621f10a20"}},
    {por_8_2,
     {"PoR 8-2 public root, value and root given as values, 64 leaves per base tree", 1377, 1391, 3,
      "a04df283d7f0ecff20e7c42f6bb497b2714c70c4124f5489e881c23e67814070"}},
    {por_8_4_2,
     {"PoR 8-4-2 public root, value and root given as values, 64 leaves per base tree", 1764, 1781,
      3, "6badd752fa6a04dc492ae54080ea68de802e67510aaad087c7a83abb2158624a"}},
    {por_8_8,
     {"PoR 8-8 public root, value and root given as values, 64 leaves per base tree", 1593, 1613, 3,
      "eca5c6440650cc590e477789dbbcc685627355c9c5dc6008dcb9fc6bfb8d34b8"}},
    {por_8_8_2,
     {"PoR 8-8-2 public root, value and root given as values, 64 leaves per base tree", 1907, 1928,
      3, "1aaf5b3ff8221455ad5ba57746f23db956a2de780213b68d65d8ea0165607e84"}},
    {por_8_2_4,
     {"PoR 8-2-4 public root, value and root given as values, 64 leaves per base tree", 1764, 1781,
      3, "ac74fcc017176bc18e77b5582225cf900dd5a8d3b82cd21462608906eb16baf1"}},
    {por_sha_2,
     {"PoR sha256 2-0-0 public root, value and root given as values, 64 leaves per base tree "
      "(SHA-256 tree)",
      272295, 272012, 3, "06101b213e985a06aa97367fb756d504912d2edfa7169fe7390f3563e2b7bdbf"}},
    {por_sha_4,
     {"PoR sha256 4-0-0 public root, value and root given as values, 64 leaves per base tree "
      "(SHA-256 tree)",
      216258, 216038, 3, "5e289198928d86549f36c81cfc167c6446d861f562620ff9289a00c931123960"}},
    {por_sha_8,
     {"PoR sha256 8-0-0 public root, value and root given as values, 64 leaves per base tree "
      "(SHA-256 tree)",
      250987, 250736, 3, "f496fb64a3a535a75ff431c0d4618b6d49624f14a09d27b3ae62cade470307c0"}},
};
#define N_ROWS (sizeof table / sizeof table[0])

typedef struct gadget_circuit {
    gadget_fn fn;
    uint64_t seed;
} gadget_circuit;

static cuzk_status synthesize(const void *self, r1cs_cs *cs, cuzk_error *err) {
    (void)err;
    const gadget_circuit *circuit = self;
    test_rng rng = {circuit->seed};
    circuit->fn(cs, &rng);
    return CUZK_OK;
}

static void test_digests(void **state) {
    (void)state;
    for (size_t i = 0; i < N_ROWS; i++) {
        const gadget_circuit self = {table[i].fn, 1};
        const r1cs_circuit circuit = {&self, synthesize};
        test_circuit_digest(&circuit, &table[i].row, NULL);
    }
}

static void test_witnesses(void **state) {
    (void)state;
    for (size_t i = 0; i < N_ROWS; i++) {
        unsigned tries = table[i].row.n_constraints < 1000 ? 20 : 1;
        for (uint64_t seed = 1; seed <= tries; seed++) {
            const gadget_circuit self = {table[i].fn, seed};
            const r1cs_circuit circuit = {&self, synthesize};
            uint64_t first = test_circuit_witness(&circuit);
            if (first != UINT64_MAX) {
                fail_msg("%s: row %llu is not satisfied", table[i].row.name,
                         (unsigned long long)first);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_witnesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SHA-256 in constraints. */
#include "gadgets/sha256_gadget.h"

#include "hash/sha256.h"

/* r = rotr(x, i) ^ rotr(x, j) ^ (rotr(x, k) or x >> k) */
static void three_turns(r1cs_cs *cs, word32 *r, const word32 *x, unsigned i, unsigned j, unsigned k,
                        bool shift) {
    word32 u, v;
    cuzk_word32_rotr(cs, &u, x, i);
    cuzk_word32_rotr(cs, &v, x, j);
    cuzk_word32_xor(cs, r, &u, &v);
    if (shift) {
        cuzk_word32_shr(cs, &u, x, k);
    } else {
        cuzk_word32_rotr(cs, &u, x, k);
    }
    cuzk_word32_xor(cs, r, r, &u);
}

/* w[i], i from 16 on, as operands; extra holds the words they point to. */
static void schedule(r1cs_cs *cs, multieq *m, const word32 *w[64], word32 extra[48]) {
    for (unsigned i = 16; i < 64; i++) {
        word32 s0, s1;
        three_turns(cs, &s0, w[i - 15], 7, 18, 3, true);
        three_turns(cs, &s1, w[i - 2], 17, 19, 10, true);
        const word32 *const operands[] = {w[i - 16], &s0, w[i - 7], &s1};
        cuzk_word32_addmany(cs, m, &extra[i - 16], operands, 4);
        w[i] = &extra[i - 16];
    }
}

/* A word of the state, or a sum not yet carried out: the new a and e of a round are added up in the
 * next one, between that round's other gadgets. */
typedef struct deferred {
    const word32 *word; /* NULL while deferred */
    const word32 *operands[8];
    unsigned n;
} deferred;

static const word32 *concrete(r1cs_cs *cs, multieq *m, deferred *d, word32 *storage) {
    if (d->word == NULL) {
        cuzk_word32_addmany(cs, m, storage, d->operands, d->n);
        d->word = storage;
    }
    return d->word;
}

static void final_add(r1cs_cs *cs, multieq *m, word32 *r, const deferred *d, const word32 *h) {
    const word32 *operands[9];
    unsigned n = 0;
    if (d->word != NULL) {
        operands[n++] = d->word;
    } else {
        for (; n < d->n; n++) {
            operands[n] = d->operands[n];
        }
    }
    operands[n++] = h;
    cuzk_word32_addmany(cs, m, r, operands, n);
}

void cuzk_sha256_gadget_compress(r1cs_cs *cs, word32 h_in_out[8], const word32 *const block[16]) {
    multieq m;
    cuzk_multieq_begin(&m);
    const word32 *w[64];
    word32 extra[48];
    memcpy(w, block, 16 * sizeof *w);
    schedule(cs, &m, w, extra);

    const word32 *b = &h_in_out[1], *c = &h_in_out[2], *d = &h_in_out[3];
    const word32 *f = &h_in_out[5], *g = &h_in_out[6], *h = &h_in_out[7];
    deferred a = {.word = &h_in_out[0]}, e = {.word = &h_in_out[4]};
    /* what a round leaves for the sums of the next one, by turns */
    word32 s1[2], ch[2], k[2], s0, maj;
    word32 a_words[64], e_words[64];
    for (unsigned i = 0; i < 64; i++) {
        const word32 *e_now = concrete(cs, &m, &e, &e_words[i]);
        three_turns(cs, &s1[i % 2], e_now, 6, 11, 25, false);
        cuzk_word32_choose(cs, &ch[i % 2], e_now, f, g);
        word32_set_const(&k[i % 2], cuzk_sha256_k[i]);
        const word32 *a_now = concrete(cs, &m, &a, &a_words[i]);
        three_turns(cs, &s0, a_now, 2, 13, 22, false);
        cuzk_word32_majority(cs, &maj, a_now, b, c);
        e = (deferred){.operands = {h, &s1[i % 2], &ch[i % 2], &k[i % 2], w[i], d}, .n = 6};
        a = (deferred){.operands = {h, &s1[i % 2], &ch[i % 2], &k[i % 2], w[i], &s0, &maj}, .n = 7};
        h = g;
        g = f;
        f = e_now;
        d = c;
        c = b;
        b = a_now;
    }

    word32 out[8];
    const word32 *const state[8] = {NULL, b, c, d, NULL, f, g, h};
    for (unsigned i = 0; i < 8; i++) {
        if (state[i] == NULL) {
            final_add(cs, &m, &out[i], i == 0 ? &a : &e, &h_in_out[i]);
        } else {
            const word32 *const operands[] = {&h_in_out[i], state[i]};
            cuzk_word32_addmany(cs, &m, &out[i], operands, 2);
        }
    }
    cuzk_multieq_end(cs, &m);
    memcpy(h_in_out, out, sizeof out);
}

static void set_iv(word32 h[8]) {
    for (unsigned i = 0; i < 8; i++) {
        word32_set_const(&h[i], cuzk_sha256_iv[i]);
    }
}

void cuzk_sha256_gadget_block(r1cs_cs *cs, word32 digest[8], const word32 *const block[16]) {
    set_iv(digest);
    cuzk_sha256_gadget_compress(cs, digest, block);
}

void cuzk_sha256_gadget(r1cs_cs *cs, word32 digest[8], const word32 *const *message,
                        size_t n_words) {
    word32 pad_one, pad_zero, length_high, length_low;
    uint64_t n_bits = 32 * (uint64_t)n_words;
    word32_set_const(&pad_one, 0x80000000);
    word32_set_const(&pad_zero, 0);
    word32_set_const(&length_high, (uint32_t)(n_bits >> 32));
    word32_set_const(&length_low, (uint32_t)n_bits);
    size_t n_blocks = (n_words + 3 + 15) / 16;
    set_iv(digest);
    for (size_t i = 0; i < n_blocks && cuzk_cs_go_on(cs); i++) {
        const word32 *block[16];
        for (size_t k = 0; k < 16; k++) {
            size_t at = 16 * i + k;
            block[k] = at < n_words              ? message[at]
                       : at == n_words           ? &pad_one
                       : at == 16 * n_blocks - 2 ? &length_high
                       : at == 16 * n_blocks - 1 ? &length_low
                                                 : &pad_zero;
        }
        cuzk_sha256_gadget_compress(cs, digest, block);
    }
}

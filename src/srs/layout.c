/* The layout of .params and .vk files: groth16.md 2.1 and 2.2. */
#include "base/bytes.h"
#include "srs/srs_internal.h"
#include "srs/vk_file.h"

const char *const cuzk_srs_section_names[GROTH16_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};

static cuzk_status refuse(const srs_bytes *bytes, uint64_t offset, cuzk_error *err) {
    cuzk_error_at_file(err, bytes->name, (int64_t)offset);
    return CUZK_E_BAD_PARAMS;
}

/* The count at offset; that many points must fit behind it. */
static cuzk_status read_count(uint64_t *n_points, const srs_bytes *bytes, uint64_t offset,
                              const char *section, size_t encoded_bytes, cuzk_error *err) {
    uint8_t buffer[4];
    if (bytes->len_bytes < offset || bytes->len_bytes - offset < sizeof buffer) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS, "the file ends before the count of section %s", section);
        return refuse(bytes, offset, err);
    }
    const uint8_t *count = cuzk_srs_bytes_at(bytes, offset, sizeof buffer, buffer);
    if (count == NULL) {
        return cuzk_srs_bytes_failed(bytes, offset, err);
    }
    *n_points = load_be32(count);
    const uint64_t left = bytes->len_bytes - offset - sizeof buffer;
    if (*n_points > left / encoded_bytes) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS,
                  "section %s says %llu points of %zu bytes, %llu bytes are left", section,
                  (unsigned long long)*n_points, encoded_bytes, (unsigned long long)left);
        return refuse(bytes, offset, err);
    }
    return CUZK_OK;
}

cuzk_status cuzk_srs_ic_count(uint64_t *n_ic, const srs_bytes *bytes, cuzk_error *err) {
    const uint64_t at = SRS_VK_FIXED_BYTES - 4;
    cuzk_status status = read_count(n_ic, bytes, at, "ic", G1_UNCOMPRESSED_BYTES, err);
    if (status == CUZK_OK && *n_ic == 0) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS, "section ic is empty");
        status = refuse(bytes, at, err);
    }
    return status;
}

cuzk_status cuzk_srs_layout_read(srs_layout *layout, const srs_bytes *bytes, cuzk_error *err) {
    cuzk_status status = cuzk_srs_ic_count(&layout->n_ic, bytes, err);
    if (status != CUZK_OK) {
        return status;
    }
    uint64_t at = layout->vk_bytes = srs_vk_bytes(layout->n_ic);
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        const size_t size = srs_encoded_bytes(i == GROTH16_B_G2);
        uint64_t n = 0;
        status = read_count(&n, bytes, at, cuzk_srs_section_names[i], size, err);
        if (status != CUZK_OK) {
            return status;
        }
        layout->sections[i].n_points = n;
        layout->sections[i].offset = at + 4;
        at += 4 + n * size;
    }
    const uint64_t n_h = layout->sections[GROTH16_H].n_points;
    const uint64_t n_b_g1 = layout->sections[GROTH16_B_G1].n_points,
                   n_b_g2 = layout->sections[GROTH16_B_G2].n_points;
    if (at != bytes->len_bytes) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS, "%llu bytes behind the last section",
                  (unsigned long long)(bytes->len_bytes - at));
        return refuse(bytes, at, err);
    }
    if ((n_h & (n_h + 1)) != 0) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS,
                  "section h has %llu points, not one less than a power of two",
                  (unsigned long long)n_h);
        return refuse(bytes, layout->sections[GROTH16_H].offset - 4, err);
    }
    if (n_b_g1 != n_b_g2) {
        cuzk_fail(err, CUZK_E_BAD_PARAMS, "section b_g1 has %llu points, b_g2 %llu",
                  (unsigned long long)n_b_g1, (unsigned long long)n_b_g2);
        return refuse(bytes, layout->sections[GROTH16_B_G2].offset - 4, err);
    }
    return CUZK_OK;
}

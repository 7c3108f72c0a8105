/* Files of keys for tests: a folder that goes away again, and the shortest parameters there are. */
#ifndef CUZK_TESTS_KEY_FILES_H
#define CUZK_TESTS_KEY_FILES_H

#include <stddef.h>
#include <stdint.h>

/* Makes an empty folder below the system's temporary one. */
void key_files_folder(char path[64]);
/* Removes it with the plain files in it. */
void key_files_remove(const char *path);

/* Local parameters of a circuit in that folder. */
void key_files_make(const char *folder, const char *circuit);

/* Well-formed parameters of the shape of a * b = c (2 inputs, 2 aux, domain 4) whose points are
 * small multiples of the generators: 2,136 bytes. They prove nothing. free() the result. */
uint8_t *key_files_smallest(size_t *len_bytes);

#endif

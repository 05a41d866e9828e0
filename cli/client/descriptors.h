#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the C library has no single call for. */

/* A clock that only goes forward, in milliseconds. */
int64_t now_ms(void);

/* Waits until a descriptor is ready for these events of poll(). False when it is not by then. */
bool wait_ready(int fd, short events, int64_t until_ms);

/* Writes all of it. False when that cannot be done. */
bool write_all(int fd, const char* bytes, size_t size);

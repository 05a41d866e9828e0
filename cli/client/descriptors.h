#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Small helpers around system calls: waiting with a deadline, and writing all of a text. */

/* A clock that only goes forward, in milliseconds. */
int64_t now_ms(void);

/* Waits until a descriptor is ready for these events of poll(). False when the time is over. */
bool wait_ready(int fd, short events, int64_t until_ms);

/* Writes all bytes. False when that is not possible. */
bool write_all(int fd, const char* bytes, size_t size);

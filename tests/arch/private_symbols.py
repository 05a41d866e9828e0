#!/usr/bin/env python3
"""Fails when our own code links to private parts of somebody else's library.

    private_symbols.py OBJECTS_FILE PROGRAM...     OBJECTS_FILE names one object file per line

A name that begins with an underscore belongs to the compiler or to the C library, and is nobody's business but theirs
unless a public header or the compiler itself asks for it. So of the symbols that our objects leave undefined, those
must be on the list below. Programs that are linked dynamically must not ask for a version that glibc calls private.
"""
import re
import subprocess
import sys
import unittest

ALLOWED = [
    (r"_Z.*", "C++ names; their headers say what is public"),
    (r"_Unwind_.*|__gxx_personality_v0|__cxa_.*|__dynamic_cast|__dso_handle", "the C++ ABI, called by compiled code"),
    (r"_GLOBAL_OFFSET_TABLE_|__tls_get_addr", "the linker's, for position-independent code"),
    (r"__stack_chk_fail|__\w+_chk", "the compiler's checks"),
    (r"__(asan|ubsan|tsan|sanitizer|lsan|msan)_.*|__(start|stop)_asan_globals|__sanitizer_cov_.*", "the sanitizers"),
    (r"__llvm_.*|__gcov_.*", "coverage"),
    (r"__(pop|clz|ctz|parity)\w*[dts]i2|__u?(div|mod|mul)\w*i\d", "arithmetic from the compiler's library"),
    (r"__errno_location", "what <errno.h> makes of errno"),
    (r"__ctype_(b|tolower|toupper)_loc", "what <ctype.h> makes of isalpha() and its like"),
    (r"__assert_fail", "what <assert.h> makes of assert()"),
    (r"__isoc(99|23)_.*", "what <stdio.h> and <stdlib.h> make of scanf(), strtol() and their like"),
    (r"__libc_single_threaded", "public since glibc 2.32 (<sys/single_threaded.h>); std::shared_ptr asks it"),
    (r"__once_proxy", "what <mutex> makes of std::call_once"),
    (r"__pthread_key_create", "what libstdc++'s headers make of `are there threads?`"),
    (r"__cmsg_nxthdr", "what <sys/socket.h> makes of CMSG_NXTHDR"),
    (r"__environ|_exit|_Exit", "public functions and variables of <unistd.h> and <stdlib.h>"),
    (r"__clone", "thread sanitizer builds only: it takes every clone() for a fork (src/os/calls.cc)"),
]


def is_private(symbol):
    return symbol.startswith("_") and not any(re.fullmatch(pattern, symbol) for pattern, _ in ALLOWED)


def undefined_in(objects):
    """Pairs of an object and a symbol that it leaves to others."""
    out = subprocess.run(["nm", "-A", "-u", "-P", *objects], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in out.splitlines():
        place, symbol = line.split()[:2]
        yield place.rstrip(":"), symbol.split("@")[0]


def private_versions_in(program):
    out = subprocess.run(["nm", "-D", "-u", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return [line.split()[-1] for line in out.splitlines() if "PRIVATE" in line]


def main(objects_file, programs):
    with open(objects_file) as names:
        objects = names.read().split("\n")
    objects = [name for name in objects if name.endswith(".o")]
    if len(objects) < 10:
        sys.exit(f"private_symbols: only {len(objects)} objects in {objects_file}")
    found = [f"{place}: {symbol}" for place, symbol in undefined_in(objects) if is_private(symbol)]
    found += [f"{program}: {symbol}" for program in programs for symbol in private_versions_in(program)]
    if found:
        sys.exit("private_symbols: private parts of other libraries are linked\n  " + "\n  ".join(found))


class Rules(unittest.TestCase):
    def test_names(self):
        for symbol in ("malloc", "SHA256Update", "_ZNSt6vectorIiE4sizeEv", "__cxa_throw", "__memcpy_chk", "__popcountdi2"):
            self.assertFalse(is_private(symbol), symbol)
        for symbol in ("_dl_random", "_dl_aux_init", "_rtld_global", "__libc_setup_tls", "__libc_start_call_main",
                       "__libc_early_init", "__tunables_init", "_IO_file_overflow", "__GI_memcpy", "__x86_shared_non_temporal_threshold"):
            self.assertTrue(is_private(symbol), symbol)


if __name__ == "__main__":
    if not unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Rules)).wasSuccessful():
        sys.exit(1)
    main(sys.argv[1], sys.argv[2:])

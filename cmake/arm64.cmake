# Cross-compiles for arm64 with Debian's compiler, and the libraries that tools/arm64-root has unpacked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

if(NOT GRAPNEL_ARM64_ROOT)
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../tools/arm64-root
    OUTPUT_VARIABLE GRAPNEL_ARM64_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(GRAPNEL_ARM64_ROOT ${GRAPNEL_ARM64_ROOT} CACHE PATH "What tools/arm64-root has unpacked")  # packaging/ reads it
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GRAPNEL_ARM64_ROOT)
set(CMAKE_SYSROOT ${GRAPNEL_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
# The cross compiler has a C library of its own, which gets no security updates; that of the root comes first.
set(CMAKE_EXE_LINKER_FLAGS_INIT -L${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -L${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -L${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
find_program(GRAPNEL_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(GRAPNEL_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${GRAPNEL_QEMU} -L ${CMAKE_SYSROOT})
endif()

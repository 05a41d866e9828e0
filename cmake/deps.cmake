# Every third-party library, each used by one folder (tests/arch checks that).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(GRAPNEL_BUILD_AGENT)
  pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)     # src/net; always shared, only the agent links it
  pkg_check_modules(LIBEDIT REQUIRED IMPORTED_TARGET libedit)  # cli/agent
endif()
if(GRAPNEL_BUILD_CLI)
  pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)   # src/journal; only grapnel-journal links it
endif()
if(GRAPNEL_STATIC_CLI)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)  # a static command needs the archives, not the shared objects
endif()
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)            # src/match
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)   # src/match
pkg_check_modules(LIBMD REQUIRED IMPORTED_TARGET libmd)        # src/trust
pkg_check_modules(YAMLCPP REQUIRED IMPORTED_TARGET yaml-cpp)     # src/config
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc) # src/config
find_path(TOMLPP_INCLUDE_DIR toml++/toml.h REQUIRED)             # src/config; headers only

if(GRAPNEL_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  if(GRAPNEL_BUILD_AGENT)
    find_package(OpenSSL REQUIRED)  # a server to talk TLS with
  endif()
endif()
if(GRAPNEL_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

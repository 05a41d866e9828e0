# All third-party libraries. Each is used by only one folder, named behind it (tests/arch checks that).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(GRAPNEL_BUILD_CLI)
  # grapnel-fleet is not static either: Debian has no archive of libnats.
  pkg_check_modules(FLEET_CRYPTO REQUIRED IMPORTED_TARGET libcrypto)  # src/fleet
  pkg_check_modules(FLEET_POSTGRES IMPORTED_TARGET libpq)             # src/fleet; without it, only SQLite
  pkg_check_modules(FLEET_NATS IMPORTED_TARGET libnats)               # cli/fleet; without it, there is no grapnel-fleet
endif()
if(GRAPNEL_BUILD_C_API)
  # Debian's archives of these two cannot be part of a shared library.
  pkg_check_modules(RE2_SHARED REQUIRED IMPORTED_TARGET re2)
  pkg_check_modules(YAMLCPP_SHARED REQUIRED IMPORTED_TARGET yaml-cpp)
endif()
if(GRAPNEL_STATIC_CLI)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)  # a static command needs the archives, not the shared objects
endif()
if(GRAPNEL_BUILD_CLI)
  pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)   # src/history; only grapnel-journal and grapnel-ui link it
endif()
if(GRAPNEL_BUILD_CLI OR GRAPNEL_BUILD_AGENT)
  find_path(BOOST_INCLUDE_DIR boost/beast/http/parser.hpp REQUIRED)  # cli/ui, src/net; headers only, of Beast only the parser
endif()
if(GRAPNEL_BUILD_AGENT)
  pkg_check_modules(NET REQUIRED IMPORTED_TARGET libssl libcrypto libcares)  # src/net; only the agent links them
  if(GRAPNEL_STATIC_CLI)
    pkg_check_modules(LINE_EDITOR REQUIRED IMPORTED_TARGET libedit libbsd libmd tinfo)  # cli/agent; an archive does not name what it needs
  else()
    pkg_check_modules(LINE_EDITOR REQUIRED IMPORTED_TARGET libedit)
  endif()
endif()
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)            # src/match
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)   # src/match
pkg_check_modules(LIBMD REQUIRED IMPORTED_TARGET libmd)        # src/trust
pkg_check_modules(YAMLCPP REQUIRED IMPORTED_TARGET yaml-cpp)     # src/discover
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc) # src/discover
find_path(TOMLPP_INCLUDE_DIR toml++/toml.h REQUIRED)             # src/discover; headers only

# src/shell; the grammar is C source that tools/setup unpacks outside the tree.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(grapnel_cache $ENV{XDG_CACHE_HOME}/grapnel)
else()
  set(grapnel_cache $ENV{HOME}/.cache/grapnel)
endif()
set(GRAPNEL_BASH_GRAMMAR ${grapnel_cache}/tree-sitter-bash-0.23.3 CACHE PATH "The unpacked tree-sitter-bash package")
option(GRAPNEL_WITHOUT_SHELL_GRAMMAR "Build without tree-sitter: only commands of plain words are understood" OFF)
if(GRAPNEL_WITHOUT_SHELL_GRAMMAR)
  message(STATUS "GRAPNEL_WITHOUT_SHELL_GRAMMAR is on: "
    "Grapnel will understand only shell commands that consist of plain words")
else()
  pkg_check_modules(TREE_SITTER IMPORTED_TARGET tree-sitter)
  set(grapnel_lacks "")
  if(NOT TREE_SITTER_FOUND)
    list(APPEND grapnel_lacks "the library tree-sitter (Debian: libtree-sitter-dev)")
  endif()
  if(NOT EXISTS ${GRAPNEL_BASH_GRAMMAR}/src/parser.c)
    list(APPEND grapnel_lacks "the shell grammar in ${GRAPNEL_BASH_GRAMMAR}")
  endif()
  if(grapnel_lacks)
    list(JOIN grapnel_lacks " and " grapnel_lacks)
    message(FATAL_ERROR "Grapnel does not find ${grapnel_lacks}.\n"
      "Run ${PROJECT_SOURCE_DIR}/tools/setup, which installs both. To build without them, configure with "
      "-DGRAPNEL_WITHOUT_SHELL_GRAMMAR=ON; Grapnel then understands only shell commands that consist of plain words.")
  endif()
  add_library(grapnel_bash_grammar OBJECT ${GRAPNEL_BASH_GRAMMAR}/src/parser.c ${GRAPNEL_BASH_GRAMMAR}/src/scanner.c)
  target_include_directories(grapnel_bash_grammar PRIVATE ${GRAPNEL_BASH_GRAMMAR}/src)
  target_compile_options(grapnel_bash_grammar PRIVATE -w -O2 -fno-sanitize=all)
  set_target_properties(grapnel_bash_grammar PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden C_CLANG_TIDY "")
  set(GRAPNEL_PC_TREE_SITTER tree-sitter)
  set(GRAPNEL_FIND_TREE_SITTER "pkg_check_modules(TREE_SITTER REQUIRED QUIET IMPORTED_TARGET tree-sitter)")
endif()

# What libgrapnel.so links (src/abi).
set(GRAPNEL_SHARED_DEPS PkgConfig::RE2_SHARED PkgConfig::YAMLCPP_SHARED PkgConfig::PCRE2 PkgConfig::LIBMD PkgConfig::UTF8PROC)
if(TARGET PkgConfig::TREE_SITTER)
  list(APPEND GRAPNEL_SHARED_DEPS PkgConfig::TREE_SITTER)
endif()

# cli/ui/page; tools/setup installs the packages outside the tree, once for each list of versions.
if(GRAPNEL_BUILD_CLI)
  set(page_lock ${PROJECT_SOURCE_DIR}/cli/ui/page/package-lock.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_lock})
  file(SHA256 ${page_lock} page_sum)
  string(SUBSTRING ${page_sum} 0 12 page_sum)
  set(GRAPNEL_PAGE_PACKAGES ${grapnel_cache}/page-${page_sum})
  find_program(GRAPNEL_NODE NAMES node nodejs)
  if(NOT GRAPNEL_NODE OR NOT EXISTS ${GRAPNEL_PAGE_PACKAGES}/node_modules/.package-lock.json)
    message(FATAL_ERROR "Grapnel does not find Node.js or the page's packages in ${GRAPNEL_PAGE_PACKAGES}.\n"
      "Run ${PROJECT_SOURCE_DIR}/tools/setup, which installs both.")
  endif()
endif()

if(GRAPNEL_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  if(GRAPNEL_BUILD_AGENT)
    find_package(OpenSSL REQUIRED)  # the tests of HTTPS start a TLS server
  endif()
endif()
if(GRAPNEL_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

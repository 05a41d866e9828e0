# Precompiled headers, for the presets `dev` and `asan`: the headers are read once and not again by every file. The other
# presets do not use them, so that a missing include is noticed.
set(GRAPNEL_STD_HEADERS <algorithm> <array> <charconv> <chrono> <cstdint> <expected> <functional> <map>
  <memory> <mutex> <optional> <set> <span> <stop_token> <string> <string_view> <thread> <utility> <variant> <vector>)

# grapnel_precompile(TARGET header...): precompiles these headers and the standard ones.
function(grapnel_precompile target)
  if(GRAPNEL_PCH)
    target_precompile_headers(${target} PRIVATE ${GRAPNEL_STD_HEADERS} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # ccache compares the file's content, not its time
    endif()
  endif()
endfunction()

# grapnel_precompiled_as(TARGET OTHER): uses the precompiled headers of another target, which must have the same flags.
function(grapnel_precompiled_as target other)
  if(GRAPNEL_PCH)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

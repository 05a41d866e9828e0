# Headers read once instead of by every file, for the presets with tests. The others compile each file by itself, so a
# missing include cannot hide.
set(GRAPNEL_STD_HEADERS <algorithm> <array> <charconv> <chrono> <cstdint> <expected> <functional> <map>
  <memory> <mutex> <optional> <set> <span> <stop_token> <string> <string_view> <thread> <utility> <variant> <vector>)

# grapnel_precompile(TARGET header...): these besides the standard ones.
function(grapnel_precompile target)
  if(GRAPNEL_PCH)
    target_precompile_headers(${target} PRIVATE ${GRAPNEL_STD_HEADERS} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # by its bytes, as ccache looks at it
    endif()
  endif()
endfunction()

# grapnel_precompiled_as(TARGET OTHER): what another target of the same flags has precompiled.
function(grapnel_precompiled_as target other)
  if(GRAPNEL_PCH)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

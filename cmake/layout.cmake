# How grapnel-engine lies in memory. It is started for every event, and each 64 KB of a program that it comes to first cost
# a page fault: two microseconds here, and there would be eighty. So what an event touches lies together, functions and
# variables, in the order of cli/event.order (bench/order makes it anew). Only lld takes such a list; another linker makes the same program,
# which starts slower.

# Each function can then be put in its place.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-ffunction-sections)
endif()

function(grapnel_lay_out target order)
  find_program(GRAPNEL_LLD ld.lld)
  if(NOT GRAPNEL_LLD)
    return()
  endif()
  target_link_options(${target} PRIVATE -fuse-ld=lld -Wl,--build-id=sha1 -Wl,--gc-sections
    -Wl,--symbol-ordering-file=${order} -Wl,--no-warn-symbol-ordering)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${order})
endfunction()

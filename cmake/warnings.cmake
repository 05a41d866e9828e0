# The flags are properties of interface targets that our own targets link PRIVATE, so a consumer never inherits them.
add_library(grapnel_warnings INTERFACE)
target_compile_options(grapnel_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wno-missing-field-initializers)
if(GRAPNEL_WERROR)
  target_compile_options(grapnel_warnings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these inside its own <expected>, <variant> and <string> when optimising.
  target_compile_options(grapnel_warnings INTERFACE
    -Wno-maybe-uninitialized -Wno-restrict -Wno-dangling-pointer -Wno-stringop-overflow)
else()
  # clang warns that stable_sort of libstdc++ 12 uses a function that libstdc++ 12 deprecates.
  target_compile_options(grapnel_warnings INTERFACE -Wno-deprecated-declarations)
endif()
if(GRAPNEL_SANITIZE)
  add_compile_options(-fsanitize=${GRAPNEL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(GRAPNEL_SANITIZE MATCHES address)
    # The address sanitizer reports null and stray pointers anyway, and these checks take a fifth of the build time.
    add_compile_options(-fno-sanitize=null,alignment,vptr)
  endif()
  add_link_options(-fsanitize=${GRAPNEL_SANITIZE})
endif()

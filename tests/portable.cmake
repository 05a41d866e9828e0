# With GRAPNEL_PORTABLE: the tests of what POSIX alone cannot do. docs/platforms.md says what that means for people.

# grapnel_not_portable(TEST CASE...): the test runs without these cases; without all of them if none is named.
function(grapnel_not_portable test)
  if(NOT GRAPNEL_PORTABLE OR NOT TEST ${test})
    return()
  endif()
  if(ARGN)
    list(JOIN ARGN ":" cases)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=-${cases}")
  else()
    set_tests_properties(${test} PROPERTIES DISABLED ON)
  endif()
endfunction()

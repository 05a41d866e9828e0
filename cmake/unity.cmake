# Sources compiled up to twenty at a time. Most of what a source file costs the compiler is the standard library's headers;
# files compiled as one read them once, which makes a build from nothing two to three times as fast (HACKING.md has the
# numbers). Only files of one folder go together, so a file that is added changes the batches of its own folder alone.
# Names in anonymous namespaces therefore have to be unique within a folder.
#
# The presets `dev` and `tidy` compile each file by itself, so a missing include cannot hide.
set(GRAPNEL_UNITY_BATCH 20)

# grapnel_unite(TARGET): call it when the target has all its sources.
function(grapnel_unite target)
  if(NOT GRAPNEL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes a file that is included for a header, whose types should not use local ones.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(target_dir ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${target_dir} NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" "_" folder ${folder})
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    # Batches of equal size: 21 files are 11 and 10, not 20 and 1.
    list(LENGTH sources_${folder} count)
    math(EXPR batches "(${count} + ${GRAPNEL_UNITY_BATCH} - 1) / ${GRAPNEL_UNITY_BATCH}")
    set(index 0)
    foreach(source IN LISTS sources_${folder})
      math(EXPR batch "${index} * ${batches} / ${count}")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${folder}_${batch})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
endfunction()

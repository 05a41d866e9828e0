# Compiles up to twenty source files as one. The compiler spends most of its time on the headers of the standard library;
# files that are compiled as one read these headers once, which makes a full build two to three times as fast. Only files
# of the same folder are compiled together, so a new file changes only the batches of its own folder. Names in anonymous
# namespaces therefore have to be unique within a folder.
#
# The presets `dev` and `tidy` compile each file by itself, so that a missing include is noticed.
set(GRAPNEL_UNITY_BATCH 20)

# grapnel_unite(TARGET): call it after all sources were added to the target.
function(grapnel_unite target)
  if(NOT GRAPNEL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes an included source file for a header and warns that its types use types of anonymous namespaces.
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

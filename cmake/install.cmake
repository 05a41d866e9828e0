# Installs what an embedder needs: headers, the static library, grapnelConfig.cmake, grapnel.pc. cli/CMakeLists.txt
# installs the command.
set(GRAPNEL_PUBLIC_HEADERS
  decision.h engine.h error.h event.h gemini_model.h hook.h hook_service.h json.h person.h project.h record.h
  session_store.h stop_hook.h tool.h)
list(TRANSFORM GRAPNEL_PUBLIC_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/grapnel/)
target_sources(grapnel PUBLIC
  FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${GRAPNEL_PUBLIC_HEADERS})

if(GRAPNEL_BUILD_AGENT)
  set(GRAPNEL_AGENT_HEADERS agent.h http_hook_client.h judge.h mcp.h model.h tool.h)
  list(TRANSFORM GRAPNEL_AGENT_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/grapnel_agent/)
  target_sources(grapnel_agent PUBLIC
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${GRAPNEL_AGENT_HEADERS})
endif()

if(NOT GRAPNEL_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/grapnel)

install(TARGETS grapnel EXPORT grapnelTargets FILE_SET HEADERS)
if(GRAPNEL_BUILD_AGENT)
  set_target_properties(grapnel_agent PROPERTIES EXPORT_NAME agent)
  install(TARGETS grapnel_agent EXPORT grapnelTargets FILE_SET HEADERS)
endif()
install(EXPORT grapnelTargets NAMESPACE grapnel:: DESTINATION ${package_dir})
configure_package_config_file(cmake/grapnelConfig.cmake.in ${PROJECT_BINARY_DIR}/grapnelConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/grapnelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grapnelConfig.cmake ${PROJECT_BINARY_DIR}/grapnelConfigVersion.cmake
  DESTINATION ${package_dir})

if(GRAPNEL_BUILD_C_API)
  install(TARGETS grapnel_c LIBRARY)
  set(GRAPNEL_C_HEADERS grapnel.h)
  list(TRANSFORM GRAPNEL_C_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/)
  install(FILES ${GRAPNEL_C_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

# The prefix in grapnel.pc is relative to the file, so that `cmake --install --prefix` and DESTDIR both work.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/grapnel.pc.in ${PROJECT_BINARY_DIR}/grapnel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/grapnel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(GRAPNEL_BUILD_C_API)
  configure_file(cmake/grapnel-c.pc.in ${PROJECT_BINARY_DIR}/grapnel-c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/grapnel-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

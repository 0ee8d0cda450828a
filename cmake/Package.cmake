# `cmake --install` gives the library, the headers that trammel/trammel.h reaches and a CMake package: find_package(trammel) and link
# trammel::trammel.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)
install(TARGETS trammel EXPORT trammel-targets)
install(EXPORT trammel-targets NAMESPACE trammel:: DESTINATION ${package_dir})
# find_package(trammel) finds the build itself, too, with the headers of all folders: the Python package is built against it
export(EXPORT trammel-targets NAMESPACE trammel:: FILE ${PROJECT_BINARY_DIR}/trammel-targets.cmake)
install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")\nset(include_dir \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/trammel-config.cmake.in ${PROJECT_BINARY_DIR}/trammel-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trammel-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trammel-config.cmake ${PROJECT_BINARY_DIR}/trammel-config-version.cmake
  DESTINATION ${package_dir})

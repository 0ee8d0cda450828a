# `cmake --install` gives headers, libraries and a CMake package: find_package(trammel) and link trammel::trammel.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)
install(EXPORT trammel-targets NAMESPACE trammel:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/trammel-config.cmake.in ${PROJECT_BINARY_DIR}/trammel-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trammel-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trammel-config.cmake ${PROJECT_BINARY_DIR}/trammel-config-version.cmake
  DESTINATION ${package_dir})

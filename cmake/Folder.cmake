# trammel_folder(NAME [DEPENDS folder…] [LINK library…] [LINK_PRIVATE library…])
#
# Makes the folder trammel/NAME a library of its own. Its headers are seen as <trammel/NAME/…> only by the targets that
# depend on it, because each folder exports an include directory that holds a link to itself and to nothing else: an
# include against the direction of the pipeline does not compile.
function(trammel_folder name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK;LINK_PRIVATE" ${ARGN})
  set(here ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  set(view ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${view}/trammel)
  file(CREATE_LINK ${here} ${view}/trammel/${name} SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS ${here}/*.cpp)
  list(TRANSFORM arg_DEPENDS PREPEND trammel::)

  set(target trammel_${name})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:trammel_warnings> ${arg_LINK_PRIVATE})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(trammel::${name} ALIAS ${target})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${view}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_LINK})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD ${TRAMMEL_UNITY} UNITY_BUILD_BATCH_SIZE 14)

  install(TARGETS ${target} EXPORT trammel-targets)
  install(DIRECTORY ${here} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trammel FILES_MATCHING PATTERN "*.h")
  set_property(GLOBAL APPEND PROPERTY TRAMMEL_FOLDERS trammel::${name})
endfunction()

# trammel_folder(NAME [DEPENDS folder…] [LINK library…] [LINK_PRIVATE library…])
#
# Compiles the folder trammel/NAME, for the library trammel::trammel. Its headers are seen as <trammel/NAME/…> only by the targets that
# depend on it, because each folder exports an include directory that holds a link to itself and to nothing else: an
# include against the direction of the pipeline does not compile.
function(trammel_folder name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK;LINK_PRIVATE" ${ARGN})
  set(here ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  set(view ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${view}/trammel)
  file(CREATE_LINK ${here} ${view}/trammel/${name} SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS ${here}/*.cpp)
  list(TRANSFORM arg_DEPENDS PREPEND trammel_)

  set(target trammel_${name})
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC ${view})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} ${arg_LINK} PRIVATE trammel_warnings ${arg_LINK_PRIVATE})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TRAMMEL_UNITY} UNITY_BUILD_BATCH_SIZE 14)

  set_property(GLOBAL APPEND PROPERTY TRAMMEL_FOLDERS ${name})
endfunction()

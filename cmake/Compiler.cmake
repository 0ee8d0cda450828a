# How every target of this project is compiled.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
option(BUILD_SHARED_LIBS "Make the library a shared one" OFF)
if(BUILD_SHARED_LIBS)
  set(CMAKE_INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})  # of the command line
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CXX_FLAGS)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# gcc collects its garbage from 128 MB on, again and again; with room for 512 MB first it takes a tenth less time
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# For sources whose speed does not matter: -O2 takes half as long again to compile. Where nothing is optimised, so are they not.
set(TRAMMEL_LIGHT $<$<OR:$<CONFIG:Release>,$<CONFIG:None>>:-O1>)

add_library(trammel_warnings INTERFACE)
target_compile_options(trammel_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wdouble-promotion
  # gcc 12 sees overlapping copies in std::string concatenation where there are none (gcc bug 105651)
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>)

if(TRAMMEL_SANITIZE)
  add_compile_options(-fsanitize=${TRAMMEL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TRAMMEL_SANITIZE})
  if(TRAMMEL_SANITIZE MATCHES address AND NOT CMAKE_CXX_FLAGS MATCHES "-march|-mavx")
    add_compile_definitions(EIGEN_MALLOC_ALREADY_ALIGNED=1)  # as trammel/math/vector.h does, where Eigen is included before it
  endif()
endif()
